import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { FrameError, FrameReader, Opcode, closeBody, encodeFrame, messageLimit } from '../lib/frames.js'
import { WebSocketClient, acceptValue } from '../lib/websocket.js'

/** A frame as a server sends it: without a mask. */
function served(opcode, payload, { isLast = true } = {}) {
  const frame = encodeFrame(opcode, Buffer.from(payload), Buffer.alloc(4))
  const head = (frame[1] & 0x7f) < 126 ? 2 : (frame[1] & 0x7f) === 126 ? 4 : 10
  frame[0] = (isLast ? 0x80 : 0) | opcode
  frame[1] &= 0x7f
  return Buffer.concat([frame.subarray(0, head), frame.subarray(head + 4)])
}

const stream = Buffer.concat([
  served(Opcode.text, 'Hellö'), served(Opcode.text, 'a', { isLast: false }), served(Opcode.ping, 'p'), served(Opcode.continuation, 'ä'.repeat(200), { isLast: false }),
  served(Opcode.continuation, ''), served(Opcode.text, 'x'.repeat(70_000)), served(Opcode.text, ''), served(Opcode.close, closeBody(4003, 'gone')),
])
const expected = [
  { opcode: 1, payload: 'Hellö' }, { opcode: 9, payload: Buffer.from('p') }, { opcode: 1, payload: `a${'ä'.repeat(200)}` },
  { opcode: 1, payload: 'x'.repeat(70_000) }, { opcode: 1, payload: '' }, { opcode: 8, code: 4003, reason: 'gone' },
]

/** Numbers from a seed, the same in each run. */
function* numbers(seed) {
  for (let state = seed; ; yield state >>> 8) state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
}

function readIn(sizes) {
  const reader = new FrameReader()
  const found = []
  for (let start = 0; start < stream.length;) {
    const size = sizes()
    found.push(...reader.read(stream.subarray(start, start + size)))
    start += size
  }
  return found
}

test('frames are read all at once, byte by byte and in random pieces', () => {
  assert.deepEqual(readIn(() => stream.length), expected)
  const short = stream.subarray(0, 500)
  const reader = new FrameReader()
  const found = []
  for (let index = 0; index < short.length; index++) found.push(...reader.read(short.subarray(index, index + 1)))
  assert.deepEqual(found, expected.slice(0, 3))
  for (const seed of [1, 2, 3, 4, 5]) {
    const random = numbers(seed)
    assert.deepEqual(readIn(() => 1 + random.next().value % 4000), expected, `seed ${seed}`)
  }
})

test('bad frames are refused with the code of RFC 6455', () => {
  const long = served(Opcode.text, 'x'.repeat(70_000)).subarray(0, 10)
  long.writeBigUInt64BE(BigInt(messageLimit + 1), 2)
  const rows = [
    [1002, [0xc1, 0]], [1002, [0x81, 0x80, 0, 0, 0, 0]], [1002, [0x83, 0]], [1002, [0x89, 126, 0, 126]], [1002, [0x09, 0]], [1002, [0x80, 0]],
    [1002, [0x88, 1, 3]], [1003, [0x82, 0]], [1007, [0x81, 1, 0xff]], [1007, [0x88, 3, 3, 232, 0xff]], [1009, long],
    [1002, [...served(Opcode.text, 'a', { isLast: false }), ...served(Opcode.text, 'b')]],
  ]
  for (const [code, bytes] of rows) {
    assert.throws(() => [...new FrameReader().read(Buffer.from(bytes))], (error) => error instanceof FrameError && error.closeCode === code, `${code}: ${bytes}`)
  }
})

test('a client masks its frames, in each of the three forms of the length', () => {
  for (const [length, head] of [[125, 2], [126, 4], [65_535, 4], [65_536, 10]]) {
    const payload = Buffer.alloc(length, 'ab')
    const frame = encodeFrame(Opcode.text, payload, Buffer.from([1, 2, 3, 4]))
    assert.equal(frame.length, head + 4 + length)
    assert.equal(frame[1] & 0x80, 0x80)
    assert.deepEqual(frame.subarray(head, head + 4), Buffer.from([1, 2, 3, 4]))
    const unmasked = frame.subarray(head + 4).map((byte, index) => byte ^ [1, 2, 3, 4][index % 4])
    assert.deepEqual(Buffer.from(unmasked), payload)
    const size = head === 2 ? frame[1] & 0x7f : head === 4 ? frame.readUInt16BE(2) : Number(frame.readBigUInt64BE(2))
    assert.equal(size, length)
  }
})

test('a long reason is cut between characters', () => {
  const body = closeBody(1000, 'ä'.repeat(100))
  assert.equal(body.length, 2 + 122)
  assert.equal(body.subarray(2).toString(), 'ä'.repeat(61))
})

test('the accept value is that of RFC 6455 §1.3', () => {
  assert.equal(acceptValue('dGhlIHNhbXBsZSBub25jZQ=='), 's3pPLMBiTxaQ9kYGzzhZRbK+xOo=')
})

/** Answers one WebSocket handshake in its own way, and returns the server's URL. */
async function server(t, answer) {
  const listener = createServer((socket) => socket.on('error', () => {}).once('data', (bytes) => {
    const key = /Sec-WebSocket-Key: (\S+)/.exec(bytes.toString())[1]
    answer(socket, `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${acceptValue(key)}\r\n`)
  }))
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  t.after(() => listener.close())
  return new URL(`http://127.0.0.1:${listener.address().port}/`)
}

test('handshakes that are not right are refused', async (t) => {
  const rows = [
    [(socket) => socket.end('HTTP/1.1 403 Forbidden\r\n\r\nno'), /answered 403: no/],
    [(socket) => socket.end('HTTP/1.1 101 Switching Protocols\r\nSec-WebSocket-Accept: other\r\n\r\n'), /does not fit the key/],
    [(socket, head) => socket.end(`${head}Sec-WebSocket-Protocol: other\r\n\r\n`), /subprotocol 'other', which was not offered/],
    [(socket) => socket.end(), /ended the connection during the WebSocket handshake/],
    [(socket) => socket.end('x'.repeat(40_000)), /ended the connection during the WebSocket handshake/],
  ]
  for (const [answer, wanted] of rows) {
    await assert.rejects(WebSocketClient.open(await server(t, answer), { subprotocol: 'mine', onText() {}, onEnd() {} }), wanted)
  }
})

test('bytes after the handshake are frames, a ping is answered, and a bad frame ends the socket', async (t) => {
  let atServer = Buffer.alloc(0)
  const url = await server(t, (socket, head) => {
    socket.on('data', (bytes) => { atServer = Buffer.concat([atServer, bytes]) })
    socket.write(Buffer.concat([Buffer.from(`${head}\r\n`), served(Opcode.text, 'first'), served(Opcode.ping, 'now')]))
    socket.once('data', () => socket.write(Buffer.from([0x83, 0])))
  })
  const texts = []
  const ending = await new Promise((resolve, reject) => {
    WebSocketClient.open(url, { onText: (text) => texts.push(text), onEnd: resolve }).catch(reject)
  })
  assert.deepEqual(texts, ['first'])
  assert.deepEqual(ending, { code: 1002, reason: 'a frame has the opcode 3' })
  assert.deepEqual([atServer[0], atServer[1]], [0x80 | Opcode.pong, 0x80 | 3])
})

test('a connection that ends without a Close frame has the code 1006', async (t) => {
  const url = await server(t, (socket, head) => socket.end(`${head}\r\n`))
  const ending = await new Promise((resolve) => { WebSocketClient.open(url, { onText() {}, onEnd: resolve }) })
  assert.equal(ending.code, 1006)
})
