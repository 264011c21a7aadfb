import { CallRefused, NoFrame, PushpitError, SocketClosed } from './errors.js'
import { durationText, milliseconds } from './values.js'
import { WebSocketClient } from './websocket.js'

const path = '/devices/socket'
const subprotocol = 'pushpit.device.v1'
/** How many of the newest frames a failure lists. */
const listed = 10
/** The kinds of events: docs/api.md. */
export const kindsOfEvents = [
  'accepted', 'refused', 'stored', 'delivered', 'dropped', 'collapsed', 'callback', 'extension', 'attachment', 'presented',
  'suppressed', 'replaced', 'removed', 'badge', 'opened', 'dismissed', 'action', 'tracking', 'registered', 'unregistered',
  'state', 'token', 'subscribed', 'unsubscribed', 'fault', 'clock']

/** Watches a device. Frames that no call has asked for yet are kept. */
export class DeviceSocket {
  #socket
  #frames = []
  #seen = []
  /** Calls that wait for a frame. `take(frame)` returns true if the call takes the frame; `end(error)` makes the call fail. */
  #waiting = new Set()
  #references = 0
  #ending
  #ended
  #resolveEnded

  /** Opens the socket and says hello. An open socket alone does not keep the process alive. */
  static async open(api, hello) {
    const socket = new DeviceSocket()
    socket.#ended = new Promise((resolve) => { socket.#resolveEnded = resolve })
    socket.#socket = await WebSocketClient.open(new URL(path, api.url), {
      ca: api.ca, headers: api.fields, subprotocol,
      onText: (text) => socket.#received(JSON.parse(text)), onEnd: (ending) => socket.#end(ending),
    })
    socket.#socket.unref()
    socket.#send({ type: 'hello', ...hello })
    socket.welcome = await socket.nextFrame(({ type }) => ['welcome', 'error'].includes(type), { what: 'a welcome' })
    if (socket.welcome.type === 'error') {
      socket.#socket.destroy()
      throw new CallRefused('hello', 400, socket.welcome)
    }
    return socket
  }

  /** The device when the socket was opened. */
  get device() { return this.welcome.device }

  /** The next push. Later events say what the phone shows, and why. */
  async nextPush(options = {}) {
    return this.nextFrame((frame) => frame.type === 'push', { what: 'a push', ...checked(options) })
  }

  /** The next event of this kind, or of one of these. */
  async nextEvent(kinds, options = {}) {
    const wanted = [kinds ?? []].flat()
    for (const kind of wanted) {
      if (!kindsOfEvents.includes(kind)) throw new PushpitError(`${JSON.stringify(kind)} is not a kind of event: use ${kindsOfEvents.join(', ')}`)
    }
    const what = wanted.length > 0 ? `an event of the kind ${wanted.join(' or ')}` : 'an event'
    return this.nextFrame((frame) => frame.type === 'event' && (wanted.length === 0 || wanted.includes(frame.kind)), { what, ...checked(options) })
  }

  /** The next frame that matches. Earlier frames that don't match are kept for later calls. */
  async nextFrame(matches = () => true, options = {}) {
    const { within = '5s', what = 'a frame' } = checked(options)
    const limit = milliseconds(within)
    // The stack of a timer would not show the test.
    const failure = new NoFrame('')
    const index = this.#frames.findIndex((frame) => matches(frame))
    if (index >= 0) return this.#frames.splice(index, 1)[0]
    if (this.#ending) throw this.#ending
    return new Promise((resolve, reject) => {
      const settle = (finish, value) => {
        clearTimeout(timer)
        this.#waiting.delete(wait)
        finish(value)
      }
      const wait = {
        take: (frame) => matches(frame) && (settle(resolve, frame), true),
        end: (ending) => settle(reject, ending),
      }
      const timer = setTimeout(() => settle(reject, worded(failure,
        `the device ${this.welcome?.device.id ?? ''} did not get ${what} within ${durationText(within)}. ` +
        `Since the socket was opened it got: ${this.#seen.join('; ') || 'nothing'}`)), limit)
      this.#waiting.add(wait)
    })
  }

  /** Sends a message of the socket's protocol, and resolves to its answer: `request('ack', { ids: ['p1'] })`. */
  async request(type, members = {}) {
    const ref = `kit-${++this.#references}`
    const answer = this.nextFrame((frame) => frame.ref === ref, { what: `an answer to ${type}` })
    try {
      this.#send({ type, ...members, ref })
    } catch { /* The answer has the reason. */ }
    const frame = await answer
    if (frame.type === 'error') throw new CallRefused(type, 400, frame)
    return frame
  }

  /** All frames, without a time limit, until the socket ends. */
  async * [Symbol.asyncIterator]() {
    while (true) {
      try {
        yield await this.nextFrame(undefined, { within: 2 ** 31 - 1 })
      } catch (error) {
        if (error instanceof SocketClosed) return
        throw error
      }
    }
  }

  /** Closes the socket, and waits until it is closed. */
  close() {
    this.#socket.ref()
    this.#socket.close()
    return this.#ended
  }

  /** Resolves to `{ code, reason }` when the socket has ended, on whichever side. */
  get ended() { return this.#ended }

  #send(message) {
    if (this.#ending) throw this.#ending
    this.#socket.send(JSON.stringify(message))
  }

  #received(frame) {
    if (frame.ref === undefined) this.#seen = [...this.#seen, summary(frame)].slice(-listed)
    for (const wait of this.#waiting) if (wait.take(frame)) return
    // Answers to calls that no longer wait are of no use.
    if (frame.ref === undefined) this.#frames.push(frame)
  }

  #end({ code, reason }) {
    this.#ending = new SocketClosed(code, reason)
    for (const wait of [...this.#waiting]) wait.end(this.#ending)
    this.#resolveEnded({ code, reason })
  }
}

/** The options of a call that waits. */
function checked(options) {
  const unknown = typeof options === 'object' && options !== null ? Object.keys(options).find((name) => !['within', 'what'].includes(name)) : ''
  if (unknown === undefined) return options
  throw new PushpitError(`${JSON.stringify(options)} is not how long to wait: write { within: 250 } with milliseconds, or { within: '5s' }`)
}

/** The error with this message, and with the stack that it has. */
function worded(error, message) {
  const places = error.stack.split('\n').filter((line) => line.startsWith('    at '))
  error.message = message
  error.stack = [`${error.name}: ${message}`, ...places].join('\n')
  return error
}

const summary = (frame) => [frame.type, frame.kind, frame.id ?? frame.push, frame.why].filter(Boolean).join(' ')
