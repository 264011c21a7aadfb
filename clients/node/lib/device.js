import { setTimeout as pause } from 'node:timers/promises'
import { PushpitError } from './errors.js'
import { emptyText, interval, missingImage, patience, settle } from './pushes.js'
import { DeviceSocket } from './socket.js'
import { milliseconds } from './values.js'

/** A simulated phone or browser. It receives pushes without any socket; `connect` also watches it. */
export class Device {
  #api
  #sockets = new Set()

  constructor(api, json) {
    this.#api = api
    this.id = json.id
    this.platform = json.platform
    this.app = json.app
    /** Its tokens when it was made, by kind. `json()` has the current ones. */
    this.tokens = json.tokens
  }

  /** The token that an app gives to its backend: for an iPhone the APNs token, otherwise the FCM token. */
  get token() { return this.platform === 'ios' ? this.apnsToken : this.fcmToken }

  get apnsToken() { return this.#token('apns') }

  get fcmToken() { return this.#token('fcm') }

  /** The Firebase installation id, which FCM takes instead of the FCM token. */
  get fid() { return this.#token('fcm', 'fid') }

  /** The push subscription of a browser, as it gives it to a page: libraries for web push take it. */
  async subscription() {
    const { subscription } = await this.json()
    if (!subscription) throw new PushpitError(`the device ${this.id} has no push subscription: only devices of the platform 'web' have one`)
    return subscription
  }

  #token(kind, member = 'token') {
    const found = this.tokens[kind]
    if (!found) throw new PushpitError(`the device ${this.id} has no token of the kind '${kind}'; it has ${Object.keys(this.tokens).join(', ') || 'none'}`)
    return found[member]
  }

  get #path() { return `/devices/${encodeURIComponent(this.id)}` }

  /** Everything that the gateway says about it. */
  async json() {
    const found = await this.#api.call('GET', this.#path)
    this.tokens = found.tokens
    return found
  }

  /**
   * The notifications that it shows, newest first. While its extension works or it loads an image, this waits for that,
   * for up to 5 s; `(await json()).shade` never waits.
   */
  shade() { return this.#shade(patience) }

  async #shade(limit) {
    await settle(this.#api, this.id, limit)
    return this.#api.pages(`${this.#path}/shade`, 'shade')
  }

  /** Waits until it shows a notification, and resolves to the newest one. If it shows none, the error says why. */
  async notification({ within = patience } = {}) {
    const deadline = Date.now() + milliseconds(within)
    while (true) {
      const [newest] = await this.#shade(Math.max(0, deadline - Date.now()))
      if (newest) return newest
      if (Date.now() >= deadline) throw await this.#showsNothing('')
      await pause(interval)
    }
  }

  /**
   * Why a notification, or without one the newest, has no image: the rule, the reason and what to do. Undefined if it has
   * one, or if its push names none.
   */
  async missingImage(notification) {
    const { image, push } = notification ?? await this.#newest('look at')
    return image ? undefined : missingImage(this.#api, push, this.id)
  }

  async #showsNothing(purpose) {
    const { tokens } = await this.json()
    const texts = ['apns', 'fcm'].flatMap((kind) => (tokens[kind] ? [tokens[kind].token] : []))
    return new PushpitError(`the device ${this.id} shows no notification${purpose}. ${await emptyText(this.#api, this.id, texts)}`)
  }

  async badge() { return (await this.json()).badge }

  async state() { return (await this.json()).state }

  /** Changes parts of the state: `setState({ online: false })`. Pushes that waited may arrive. */
  async setState(state) { await this.#api.call('PATCH', this.#path, { state }) }

  /** The pushes that wait for it. */
  pending() { return this.#api.pages(`${this.#path}/pending`, 'pending') }

  /** What has happened to it so far, oldest first; of these kinds, or of all. */
  events(...kinds) { return this.#api.events({ device: this.id, kind: kinds.length > 0 ? kinds.join(',') : undefined }) }

  /** Acts as the person who uses it: docs/api.md. */
  async act(kind, notification, more = {}) {
    const key = typeof notification === 'object' && notification !== null ? notification.key : notification
    await this.#api.call('POST', `${this.#path}/act`, { kind, ...(key === undefined ? {} : { notification: key }), ...more })
  }

  /** Opens a notification, or without one the newest. */
  async open(notification) { await this.act('open', notification ?? await this.#newest('open')) }

  /** Dismisses a notification, or without one the newest. */
  async dismiss(notification) { await this.act('dismiss', notification ?? await this.#newest('dismiss')) }

  /** Taps a button of a notification, or without one of the newest. */
  async tapAction(actionId, { notification, text } = {}) {
    await this.act('action', notification ?? await this.#newest('tap'), { actionId, ...(text === undefined ? {} : { text }) })
  }

  async #newest(what) {
    const [newest] = await this.shade()
    if (!newest) throw await this.#showsNothing(` to ${what}`)
    return newest
  }

  clearAll() { return this.act('clearAll') }

  launch() { return this.act('launch') }

  forceQuit() { return this.act('forceQuit') }

  install() { return this.act('install') }

  /** Removes the app. From now on, pushes to its tokens get 410 (APNs) or 404 UNREGISTERED (FCM). */
  uninstall() { return this.act('uninstall') }

  /** Gives it a new token, and resolves to it. The old one behaves like the token of an app that was uninstalled. */
  async rotateToken({ provider, kind } = {}) {
    await this.#changeToken('rotate', provider, kind)
    const { tokens } = await this.json()
    return tokens[kind ?? this.#provider(provider)].token
  }

  deleteToken({ provider, kind } = {}) { return this.#changeToken('delete', provider, kind) }

  #provider(said) { return said ?? (this.platform === 'ios' ? 'apns' : 'fcm') }

  async #changeToken(op, provider, kind) {
    await this.#api.call('POST', `${this.#path}/tokens`, { op, provider: this.#provider(provider), ...(kind === undefined ? {} : { kind }) })
  }

  /** Subscribes it to a topic of FCM. */
  async subscribe(topic) { await this.#api.call('PUT', `/topics/${encodeURIComponent(topic)}${this.#path}`) }

  async unsubscribe(topic) { await this.#api.call('DELETE', `/topics/${encodeURIComponent(topic)}${this.#path}`) }

  /** Removes it from the gateway. */
  async delete() { await this.#api.call('DELETE', this.#path) }

  /** Opens a socket that gets each push and event of the device: docs/devices.md has the options. */
  async connect({ resumeAfter, ...options } = {}) {
    const hello = { ...options, ...(resumeAfter === undefined ? {} : { resume: { after: resumeAfter } }) }
    const socket = await DeviceSocket.open(this.#api, { device: { id: this.id }, ...hello })
    this.#sockets.add(socket)
    socket.ended.then(() => this.#sockets.delete(socket))
    return socket
  }

  /** Closes its sockets. */
  async disconnect() { await Promise.all([...this.#sockets].map((socket) => socket.close())) }
}
