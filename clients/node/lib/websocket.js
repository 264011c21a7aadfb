import { createHash, randomBytes } from 'node:crypto'
import { connect as connectPlain } from 'node:net'
import { connect as connectTLS } from 'node:tls'
import { FrameReader, Opcode, closeBody, encodeFrame } from './frames.js'

const acceptSuffix = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
const headLimit = 16 * 1024

/** The value of Sec-WebSocket-Accept for a key (RFC 6455 §4.2.2). */
export const acceptValue = (key) => createHash('sha1').update(key + acceptSuffix).digest('base64')

/**
 * A client's WebSocket. `onText` gets each text message, and `onEnd` gets `{ code, reason }` once, when the connection
 * has ended: 1006 if no Close frame came. Pings are answered.
 */
export class WebSocketClient {
  /** The server's Close frame. */
  #closed
  #sentClose = false
  #ended = false
  #stream
  #reader = new FrameReader()

  constructor(stream, { onText, onEnd }) {
    this.#stream = stream
    this.onText = onText
    this.onEnd = onEnd
    stream.on('data', (bytes) => this.#received(bytes))
    stream.on('error', () => {})
    stream.on('close', () => this.#end())
    stream.resume()
  }

  /**
   * Opens a socket.
   *
   * @param {URL} url http or https
   * @param {{ ca?: string|Buffer, headers?: Record<string, string>, subprotocol?: string, onText, onEnd }} options
   */
  static async open(url, { ca, headers = {}, subprotocol, onText, onEnd }) {
    const stream = await connected(url, ca)
    const key = randomBytes(16).toString('base64')
    const fields = {
      Host: url.host, Upgrade: 'websocket', Connection: 'Upgrade', 'Sec-WebSocket-Version': '13', 'Sec-WebSocket-Key': key,
      ...(subprotocol ? { 'Sec-WebSocket-Protocol': subprotocol } : {}), ...headers,
    }
    const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
    stream.write(`GET ${url.pathname}${url.search} HTTP/1.1\r\n${lines.join('')}\r\n`)
    try {
      const { status, answer, rest, text } = await readHead(stream)
      if (status !== 101) throw new Error(`the gateway did not open a WebSocket; it answered ${status}: ${text.trim()}`)
      if (answer.get('sec-websocket-accept') !== acceptValue(key)) throw new Error("the gateway's Sec-WebSocket-Accept does not fit the key that was sent")
      const chosen = answer.get('sec-websocket-protocol')
      if (chosen !== undefined && chosen !== subprotocol) throw new Error(`the gateway chose the subprotocol '${chosen}', which was not offered`)
      const socket = new WebSocketClient(stream, { onText, onEnd })
      socket.#received(rest)
      return socket
    } catch (error) {
      stream.destroy()
      throw error
    }
  }

  /** Sends a text message. */
  send(text) { this.#write(Opcode.text, Buffer.from(text)) }

  /** Sends a ping. */
  ping(payload = Buffer.alloc(0)) { this.#write(Opcode.ping, payload) }

  /** Sends a Close frame. The connection ends when the gateway has answered it. */
  close(code = 1000, reason = '') {
    if (this.#sentClose) return
    this.#sentClose = true
    this.#write(Opcode.close, closeBody(code, reason))
  }

  /** Ends the connection without a Close frame. */
  destroy() { this.#stream.destroy() }

  /** Lets the process end although the socket is open. */
  unref() { this.#stream.unref() }

  /** Keeps the process alive while the socket is open. */
  ref() { this.#stream.ref() }

  #write(opcode, payload) {
    if (!this.#ended && this.#stream.writable) this.#stream.write(encodeFrame(opcode, payload, randomBytes(4)))
  }

  #received(bytes) {
    try {
      for (const frame of this.#reader.read(bytes)) this.#handle(frame)
    } catch (error) {
      this.close(error.closeCode ?? 1011, error.message)
      this.#closed ??= { code: error.closeCode ?? 1011, reason: error.message }
      this.#stream.destroy()
    }
  }

  #handle({ opcode, payload, code, reason }) {
    if (this.#closed) return
    if (opcode === Opcode.text) this.onText(payload)
    else if (opcode === Opcode.ping) this.#write(Opcode.pong, payload)
    else if (opcode === Opcode.close) {
      this.#closed = { code, reason }
      this.close(code === 1005 ? 1000 : code)
      this.#stream.end()
    }
  }

  #end() {
    if (this.#ended) return
    this.#ended = true
    this.onEnd(this.#closed ?? { code: 1006, reason: 'the connection ended without a Close frame' })
  }
}

/** A connection that has been opened. */
function connected(url, ca) {
  const isTLS = url.protocol === 'https:'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const options = { host, port: Number(url.port || (isTLS ? 443 : 80)), autoSelectFamily: true }
  const stream = isTLS ? connectTLS({ ...options, ca, servername: host, ALPNProtocols: ['http/1.1'] }) : connectPlain(options)
  return new Promise((resolve, reject) => {
    stream.once('error', reject)
    stream.once(isTLS ? 'secureConnect' : 'connect', () => {
      stream.off('error', reject)
      stream.setNoDelay(true)
      resolve(stream)
    })
  })
}

/** The head of the answer, and the bytes after it; `text` is the body of a refusal. */
async function readHead(stream) {
  let bytes = Buffer.alloc(0)
  const end = () => bytes.indexOf('\r\n\r\n')
  while (end() < 0) {
    const more = await nextChunk(stream)
    if (!more || bytes.length > headLimit) throw new Error('the gateway ended the connection during the WebSocket handshake')
    bytes = Buffer.concat([bytes, more])
  }
  const [first, ...lines] = bytes.subarray(0, end()).toString('latin1').split('\r\n')
  const answer = new Map(lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]))
  const rest = bytes.subarray(end() + 4)
  return { status: Number(first.split(' ')[1]), answer, rest, text: rest.toString() }
}

/** The bytes that arrive next; undefined if the connection has ended. */
function nextChunk(stream) {
  return new Promise((resolve, reject) => {
    const settle = (finish) => (value) => {
      stream.pause()
      for (const [name, listener] of Object.entries(listeners)) stream.off(name, listener)
      finish(value)
    }
    const listeners = { data: settle(resolve), end: settle(() => resolve()), close: settle(() => resolve()), error: settle(reject) }
    for (const [name, listener] of Object.entries(listeners)) stream.on(name, listener)
    stream.resume()
  })
}
