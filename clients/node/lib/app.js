import { PushpitError, SharedGateway } from './errors.js'
import { requestOf } from './expectation.js'
import { noPushText } from './failure.js'
import { Identity } from './identity.js'
import { Fault } from './parts.js'

/** Without repetitions. */
const newestFirst = (messages) => [...new Map(messages.map((message) => [message.id, message])).values()].sort((one, other) => other.seq - one.seq)

/**
 * An app and a Firebase project that one test has to itself. Everything here is about this app alone: its devices,
 * pushes, faults and media, which end with the app. `id` is the bundle id and the package name. The project has the
 * same name unless you choose them.
 */
export class PushApp {
  #identity
  #devices = []
  #faults = []
  #media = []
  #isClosed = false
  /** The newest event when the app was made: earlier pushes do not count. */
  #start

  constructor(gateway, { id, project }) {
    this.gateway = gateway
    this.id = id
    this.project = project
    this.#begin()
  }

  /** From now on, only later pushes count. */
  #begin() {
    this.#start = this.gateway.call('GET', '/stats').then(({ events }) => String(events))
    // Whoever waits for it gets the error.
    this.#start.catch(() => {})
    return this.#start
  }

  /** Resolves when the gateway knows where the pushes of this app begin. */
  async ready() {
    await this.#start
    return this
  }

  /** What a sender needs to push to this app: a key and a service account that no other open app has. */
  async credentials() {
    this.#identity ??= Identity.register(this.gateway, this.project)
    return (await this.#identity).credentials(this.id)
  }

  /** The provider tokens and access tokens of `credentials()` are no longer valid, so the sender has to renew them. */
  async expireCredentials() {
    if (!this.#identity) {
      throw new PushpitError(
        `no sender has the credentials of ${this.id}: sign with those of app.credentials(), which this call expires, or expire ` +
        "the tokens of every sender with app.gateway.call('POST', '/credentials/expire')")
    }
    await (await this.#identity).expire()
  }

  /** A new phone with the app, "ios" or "android"; or a browser, "web", with a site of the same name. */
  async device(platform, spec = {}) {
    await this.#start
    const app = platform === 'web' ? `https://${this.id}` : this.id
    const device = await this.gateway.device(platform, { app, project: this.project, ...spec })
    this.#devices.push(device)
    return device
  }

  /** Waits for pushes of this app, and resolves to them, oldest first: `app.expect({ device: phone, count: 1 })`. */
  async expect(expected = {}) {
    const since = await this.#start
    const request = (start) => requestOf(expected, (match) => ({ app: this.#appFilter, ...(match.app ? {} : start), ...match }))
    return this.gateway.expectRequest(request({ since }), request({}))
  }

  /** The pushes of this app that match, newest first. */
  async messages(filters = {}) {
    const since = await this.#start
    const lists = await Promise.all(this.#names.map((app) => this.gateway.messages({ since, ...filters, app })))
    return newestFirst(lists.flat())
  }

  /** Its pushes, and the refused pushes of other apps to tokens of its devices, newest first. */
  async #messagesToTokens() {
    const since = await this.#start
    const tokens = this.#devices.slice(0, 20).flatMap(({ tokens: { apns, fcm } }) => [apns?.token, fcm?.token].filter(Boolean))
    const lists = await Promise.all([
      this.messages(), ...tokens.map((token) => this.gateway.messages({ since, token, outcome: 'refused' }))])
    return newestFirst(lists.flat())
  }

  /** Its pushes and what is wrong with them, for people. A failed test shows this. */
  async report() {
    const messages = await this.#messagesToTokens()
    const pushes = messages.length > 0 ? await this.gateway.textOf(messages) : `none. ${noPushText(this.gateway)}`
    return `Pushes of ${this.id}:\n  ${pushes}`
  }

  /** The accepted pushes that have warnings, and the warnings; empty if there are none. A test that passes shows this. */
  async warnings() {
    // The newest are enough: without a limit, each passing test would load all its pushes.
    const text = await this.gateway.warningsOf(await this.messages({ outcome: 'accepted', limit: 100 }))
    return text && `Accepted with warnings:\n  ${text}`
  }

  /** A line for each fault that no request has hit. */
  async idleFaults() {
    const lists = await Promise.all(this.#faults.map((fault) => fault.rows()))
    const idle = lists.filter((rows) => rows.length > 0 && rows.every(({ fired }) => fired === 0))
    return idle.map(([{ id, match, effect }]) => `No request has hit the fault ${id}: ${JSON.stringify({ match, effect })}`)
  }

  /**
   * Makes requests about this app go wrong, until the fault is removed or the test ends. If the project has a different
   * name, `times`, `nth` and the like count the requests to Apple, to Google and web pushes separately.
   */
  async fault(effect, { match = {}, ...when } = {}) {
    const scopes = this.id === this.project ? [{ app: this.id }] : [
      { provider: 'apns', app: this.id }, { provider: 'fcm', app: this.project }, { provider: 'webpush', app: this.id }]
    const wanted = scopes.filter(({ provider }) => !provider || !match.provider || provider === match.provider)
    const fault = Fault.together(await Promise.all(wanted.map((scope) => this.gateway.fault(effect, { ...when, match: { ...scope, ...match } }))))
    this.#faults.push(fault)
    return fault
  }

  /** A failure that users of the real services have reported, for this app: docs/faults.md. */
  scenario(name) { return this.gateway.scenario(name, { app: name.startsWith('fcm-') ? this.project : this.id }) }

  /** A file that phones can fetch until the test ends. A name such as "bread.png" gets a host. Resolves to the URL. */
  media(name, what = {}) {
    const url = name.includes('://') ? name : `https://${this.id}.example/${name}`
    this.#media.push(url)
    return this.gateway.media(url, what)
  }

  /**
   * The gateway's clock, if no one else uses the gateway; until this app is closed, no other app can be made. It is set to
   * the real time when the test ends.
   */
  get clock() {
    const others = [...this.gateway.apps].filter((app) => app !== this).map(({ id }) => id)
    if (this.gateway.isShared || others.length > 0) {
      const who = this.gateway.isShared ? 'everyone who uses this gateway' : `all tests that use this gateway, and other apps are open: ${others.slice(0, 5).join(', ')}`
      const remedy = this.gateway.isShared
        ? '. If no one else uses it now, as in "pushpit exec -- node --test clock.test.js" with one file, app.gateway.sharedClock moves it. ' +
          'If the backend can be told its hosts, run the test without exec and PUSHPIT_URL, and the kit starts a gateway for it. ' +
          'A backend with fixed hosts would then push to the real Apple and Google.'
        : ': start one for this test with Gateway.start({ options: [] }).'
      throw new SharedGateway(`The clock of ${this.gateway.url} belongs to ${who}, so a test can't move it${remedy}`)
    }
    this.gateway.appWithClock = this
    return this.gateway.clock
  }

  /** Deletes its pushes, faults and devices. Under `pushpit exec`, the pushes stay for the report, but no longer count. */
  async reset() {
    await Promise.all(this.#devices.map((device) => device.disconnect()))
    const keepMessages = Boolean(process.env.PUSHPIT_KEEP_MESSAGES)
    for (const name of this.#names) await this.gateway.reset(name, { keepMessages })
    await this.#begin()
  }

  /** Removes everything that the app has in the gateway. */
  async close() {
    if (this.#isClosed) return
    this.#isClosed = true
    const { gateway } = this
    gateway.apps.delete(this)
    try {
      await this.reset()
      for (const url of this.#media) await gateway.removeMedia(url)
      if (gateway.appWithClock === this) await gateway.clock.reset()
    } finally {
      if (gateway.appWithClock === this) gateway.appWithClock = undefined
    }
    if (this.#identity) await (await this.#identity).remove()
  }

  get #names() { return [...new Set([this.id, this.project])] }

  /** A filter for this app's pushes. For messages to a topic or an unknown token, `app` is the project. */
  get #appFilter() {
    if (this.id === this.project) return this.id
    return { regex: `^(${this.#names.map((name) => name.replace(/[^\w/:-]/g, '\\$&')).join('|')})$` }
  }
}
