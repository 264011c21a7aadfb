/** The frames of WebSocket (RFC 6455 §5), as a client reads and writes them. */

export const Opcode = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 }

/** A message over this size ends the socket. The largest is a welcome with a full shade. */
export const messageLimit = 16 * 1024 * 1024

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** A frame that breaks the protocol; `closeCode` says how. */
export class FrameError extends Error {
  constructor(closeCode, message) {
    super(message)
    this.closeCode = closeCode
  }
}

/** One whole frame, masked as a client's frames have to be. */
export function encodeFrame(opcode, payload, mask) {
  const length = payload.length
  const extra = length < 126 ? 0 : length < 65536 ? 2 : 8
  const frame = Buffer.alloc(2 + extra + 4 + length)
  frame[0] = 0x80 | opcode
  frame[1] = 0x80 | (extra === 0 ? length : extra === 2 ? 126 : 127)
  if (extra === 2) frame.writeUInt16BE(length, 2)
  if (extra === 8) frame.writeBigUInt64BE(BigInt(length), 2)
  const start = 2 + extra + 4
  mask.copy(frame, start - 4)
  for (let index = 0; index < length; index++) frame[start + index] = payload[index] ^ mask[index & 3]
  return frame
}

/** The payload of a Close frame; the reason is cut to the 123 bytes that fit, between characters. */
export function closeBody(code, reason) {
  let text = Buffer.from(reason)
  let end = Math.min(text.length, 123)
  while (end < text.length && (text[end] & 0xc0) === 0x80) end--
  text = text.subarray(0, end)
  const body = Buffer.alloc(2 + text.length)
  body.writeUInt16BE(code, 0)
  text.copy(body, 2)
  return body
}

/** Reads a server's frames from pieces of any size. */
export class FrameReader {
  #bytes = Buffer.alloc(0)
  /** The fragments of the message that has begun. */
  #fragments = []
  #fragmentsLength = 0
  #isInMessage = false;

  /** Yields `{ opcode, payload }` for each message and control frame; a text is a string. Throws a FrameError. */
  * read(more) {
    this.#bytes = this.#bytes.length === 0 ? more : Buffer.concat([this.#bytes, more])
    for (let frame = this.#next(); frame; frame = this.#next()) {
      const whole = frame.opcode >= 8 ? control(frame) : this.#add(frame)
      if (whole) yield whole
    }
  }

  /** The next frame; undefined if it is not complete. */
  #next() {
    const bytes = this.#bytes
    if (bytes.length < 2) return undefined
    const opcode = bytes[0] & 0x0f
    if (bytes[0] & 0x70) throw new FrameError(1002, 'a frame has a reserved bit')
    if (bytes[1] & 0x80) throw new FrameError(1002, 'a frame of a server is masked')
    if (![0, 1, 2, 8, 9, 10].includes(opcode)) throw new FrameError(1002, `a frame has the opcode ${opcode}`)
    const short = bytes[1]
    if (opcode >= 8 && (short > 125 || !(bytes[0] & 0x80))) throw new FrameError(1002, 'a control frame is too long or fragmented')
    const start = 2 + (short === 126 ? 2 : short === 127 ? 8 : 0)
    if (bytes.length < start) return undefined
    const length = short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short
    if (length + this.#fragmentsLength > messageLimit) throw new FrameError(1009, 'a message is too long')
    if (bytes.length < start + length) return undefined
    this.#bytes = bytes.subarray(start + length)
    return { opcode, isLast: (bytes[0] & 0x80) !== 0, payload: bytes.subarray(start, start + length) }
  }

  /** The message, if the frame completes one. */
  #add({ opcode, isLast, payload }) {
    if (opcode === Opcode.binary) throw new FrameError(1003, 'a frame is binary')
    if ((opcode === Opcode.continuation) !== this.#isInMessage) throw new FrameError(1002, 'a frame does not continue the message before it')
    this.#fragments.push(payload)
    this.#fragmentsLength += payload.length
    this.#isInMessage = !isLast
    if (!isLast) return undefined
    const whole = this.#fragments.length === 1 ? payload : Buffer.concat(this.#fragments)
    this.#fragments = []
    this.#fragmentsLength = 0
    return { opcode: Opcode.text, payload: decoded(whole) }
  }
}

/** A control frame, with the code and reason of a Close frame. */
function control({ opcode, payload }) {
  if (opcode !== Opcode.close) return { opcode, payload }
  if (payload.length === 0) return { opcode, code: 1005, reason: '' }
  if (payload.length === 1) throw new FrameError(1002, 'a Close frame has half a code')
  return { opcode, code: payload.readUInt16BE(0), reason: decoded(payload.subarray(2)) }
}

function decoded(bytes) {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new FrameError(1007, 'a text is not UTF-8')
  }
}
