import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Api } from './api.js'
import { PushApp } from './app.js'
import { Device } from './device.js'
import { PushpitError, SharedGateway } from './errors.js'
import { check, queryOf, requestOf } from './expectation.js'
import { Clock, setFault, setScenario } from './parts.js'
import { listText, warningsText } from './pushes.js'
import { RunningProgram, tokenIn } from './program.js'
import { defined, durationText, knownOptions } from './values.js'

/** A gateway that this process starts, or one that runs already. */
export class Gateway {
  #api
  #program
  #credentials
  #directoryOfCredentials
  /** The apps that are open now, and the one of them that uses the clock. */
  apps = new Set()
  appWithClock

  /**
   * Uses the gateway in PUSHPIT_URL, which `pushpit exec` and `pushpit env` set; without the variable it starts one.
   * With `url` it uses that one, and with `options` of `pushpit serve` it always starts one.
   */
  static async start(given = {}) {
    knownOptions('Gateway.start', given, ['url', 'apiToken', 'binary', 'options'])
    const { url, apiToken, binary, options } = given
    if (url && options) throw new PushpitError("'options' are for a gateway that is started, so they can't be used with 'url'")
    const gateway = new Gateway()
    const known = url ?? (options ? undefined : process.env.PUSHPIT_URL || undefined)
    gateway.#program = known === undefined ? await RunningProgram.start({ binary, options }) : undefined
    try {
      gateway.#api = gateway.#program
        ? new Api(`http://127.0.0.1:${new URL(gateway.#program.description.url).port}`, { token: apiToken ?? tokenIn(options) })
        : new Api(known, { token: apiToken ?? givenToken(), ca: process.env.PUSHPIT_CA })
      gateway.#directoryOfCredentials = (await gateway.call('GET', '/credentials', undefined, { query: { limit: 1 } })).directory
    } catch (error) {
      await gateway.close()
      throw error
    }
    return gateway
  }

  /** Ends the gateway if it was started here. */
  async close() {
    this.#api?.close()
    await this.#program?.stop()
  }

  /** Whether others may use the gateway too. One that was started here belongs to this process alone. */
  get isShared() { return this.#program === undefined }

  /** For the control API and the gateway's pages. On this machine it is http, so no certificate is needed. */
  get url() { return this.#api.address }

  /** For senders that can be given another host: always https. They have to trust `credentials.ca`. */
  get pushURL() {
    const { hostname, port } = this.#api.url
    return `https://${hostname === '127.0.0.1' ? 'localhost' : hostname}:${port || (this.#api.isSecure ? 443 : 80)}`
  }

  get host() { return new URL(this.pushURL).hostname }

  get port() { return Number(new URL(this.pushURL).port || 443) }

  /** The version of the program, if it was started here. */
  get version() { return this.#program?.description.version }

  /** The process id of the program, if it was started here. */
  get pid() { return this.#program?.description.pid }

  /** The directory of its files, if it was started here. It is removed with the gateway. */
  get directory() { return this.#program?.directory }

  /** What a gateway that was started here has logged; "" for others. */
  get log() { return this.#program?.log ?? '' }

  /**
   * What a sender needs: the paths and ids in pushpit.json. For a gateway that was not started here, PUSHPIT_CREDENTIALS,
   * PUSHPIT_CERTS, or else the gateway itself says where that is.
   */
  get credentials() { return (this.#credentials ??= this.#readCredentials()) }

  #readCredentials() {
    const { PUSHPIT_CREDENTIALS: index, PUSHPIT_CERTS: certs } = process.env
    const path = this.#program?.description.credentials ?? (index || join(certs || this.#directoryOfCredentials, 'pushpit.json'))
    if (!existsSync(path)) {
      throw new PushpitError(
        `there are no credentials in ${path}: set PUSHPIT_CREDENTIALS to the path of the pushpit.json of the gateway at ${this.url}`)
    }
    return JSON.parse(readFileSync(path, 'utf8'))
  }

  /** Any call of the control API: `gateway.call('GET', '/stats')`. Resolves to the JSON of the answer. */
  call(method, path, body, options) { return this.#api.call(method, path, body, options) }

  /** Waits for pushes, and resolves to those that match, oldest first. Rejects with ExpectationFailed. */
  async expect(expected = {}) { return this.expectRequest(requestOf(expected)) }

  /** Like `expect`, for a body of POST /expect. An error shows the second request. */
  async expectRequest(request, shown = request) {
    const { messages } = await check(this.#api, request, shown)
    return Promise.all((messages ?? []).map((id) => this.message(id)))
  }

  /** One push. */
  message(id) { return this.call('GET', `/messages/${encodeURIComponent(id)}`) }

  /** The pushes that match, newest first. */
  async messages(filters = {}) { return this.#api.pages('/messages', 'messages', queryOf(filters)) }

  /** Pushes and what is wrong with them, for people. The list is newest first. */
  textOf(messages) { return listText(this.#api, messages) }
  /** The accepted pushes that have warnings, and the warnings; empty if there are none. */
  warningsOf(messages) { return warningsText(this.#api, messages) }

  /** What has happened so far, oldest first: docs/api.md has the filters. */
  events(query = {}) { return this.#api.events(query) }

  /** Makes a device: "ios", "android" or "web" (for which the app is an origin such as https://example.com). */
  async device(platform, { app = 'com.example.app', ...spec } = {}) {
    const { devices } = await this.call('POST', '/devices', { platform, app, ...spec })
    return new Device(this.#api, devices[0])
  }

  async devices(query = {}) { return (await this.#api.pages('/devices', 'devices', query)).map((row) => new Device(this.#api, row)) }

  /** FCM's topics: name, project and number of devices. */
  topics() { return this.#api.pages('/topics', 'topics') }

  /** Makes requests go wrong from now on: `fault('503Shutdown', { times: 1 })`. */
  fault(effect, when = {}) { return setFault(this.#api, effect, when) }

  /** A failure that users of the real services have reported: docs/faults.md. */
  scenario(name, { app } = {}) { return setScenario(this.#api, name, app) }

  /** What a phone gets when it fetches this URL. Resolves to the URL. */
  async media(url, { content, delay, ...what } = {}) {
    const base64 = content === undefined ? undefined : Buffer.from(content).toString('base64')
    await this.call('PUT', '/media', defined({ url, ...what, base64, delay: delay === undefined ? undefined : durationText(delay) }))
    return url
  }

  /** Forgets one URL, or all. */
  async removeMedia(url) { await this.call('DELETE', '/media', undefined, { query: { url } }) }

  /** The gateway's clock. If the gateway was not started here, it can only be read. */
  get clock() {
    return new Clock(this.#api, this.isShared ? `The clock of ${this.url} belongs to everyone who uses this gateway, and this process has not ` +
      "started it: start one with Gateway.start({ options: [] }), or use 'sharedClock' if no one else uses this one now." : undefined)
  }

  /** Like `clock`, but it also moves the clock of everyone else who uses the gateway. */
  get sharedClock() { return new Clock(this.#api) }

  /** Deletes pushes, faults and devices, and without an app also media. The pushes can stay. */
  async reset(app, { keepMessages = false } = {}) { await this.call('POST', '/reset', defined({ app, keepMessages })) }

  /** An app and a project that no other test has. Throws SharedGateway while another app uses the clock. */
  app(options = {}) {
    knownOptions('gateway.app', options, ['id', 'project'])
    const { id = `com.example.test-${randomBytes(6).toString('hex')}`, project = id } = options
    if (this.appWithClock) {
      throw new SharedGateway(
        `The clock of ${this.url} is used by ${this.appWithClock.id}, so no other app can be made until that one is closed: ` +
        'give the test that moves the clock a gateway of its own with Gateway.start({ options: [] }).')
    }
    const app = new PushApp(this, { id, project })
    this.apps.add(app)
    return app
  }
}

/** The API token in the environment, or in the file that it names. */
function givenToken() {
  const { PUSHPIT_API_TOKEN: token, PUSHPIT_API_TOKEN_FILE: file } = process.env
  if (token || !file) return token || undefined
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new PushpitError(`PUSHPIT_API_TOKEN_FILE names '${file}', which can't be read: ${error.message}`, { cause: error })
  }
}
