import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { CallRefused, NoFrame, PushpitError, SocketClosed, pushApp } from 'pushpit'
import { kindsOfEvents } from '../lib/socket.js'
import { sendFCM } from './senders.js'

test('a socket gets each push and what the phone does with it', async (t) => {
  const app = await pushApp(t)
  const phone = await app.device('android')
  const socket = await phone.connect()
  assert.equal(socket.device.id, phone.id)
  await sendFCM(app, { token: phone.token, notification: { title: 'Breakfast' }, data: { order: '7' } })
  const presented = await socket.nextEvent(['presented', 'suppressed'])
  const push = await socket.nextPush()
  assert.deepEqual([presented.push, presented.data.title, push.payload.data], [push.id, 'Breakfast', { order: '7' }])
  assert.equal((await socket.request('ping')).type, 'pong')
})

test('a request that the gateway refuses names the member', async (t) => {
  const socket = await (await (await pushApp(t)).device('android')).connect()
  await assert.rejects(socket.request('topic', { op: 'join', name: 'news' }), (error) => error instanceof CallRefused && error.pointer === '/op')
})

test('a frame that does not come is an error with what came', async (t) => {
  const phone = await (await pushApp(t)).device('android')
  const socket = await phone.connect()
  await phone.setState({ locked: true })
  await socket.nextEvent('state')
  await assert.rejects(socket.nextPush({ within: 20 }), (error) => {
    assert.ok(error instanceof NoFrame)
    assert.match(error.message, /did not get a push within 20ms\. Since the socket was opened it got: welcome; event state/)
    assert.match(error.stack, /^NoFrame: the device .* did not get a push[^]*\n {4}at .*socket\.test\.js/)
    return true
  })
})

test('a mistyped kind and a time without a name are refused at once', async (t) => {
  const socket = await (await (await pushApp(t)).device('android')).connect()
  const says = (pattern) => (error) => error instanceof PushpitError && !(error instanceof NoFrame) && pattern.test(error.message)
  await assert.rejects(socket.nextEvent('presentd'), says(/^"presentd" is not a kind of event: use accepted, .*presented/))
  await assert.rejects(socket.nextEvent(['opened', 'tapped']), says(/^"tapped" is not a kind/))
  await assert.rejects(socket.nextEvent('presented', 100), says(/^100 is not how long to wait: write \{ within: 250 \}/))
  await assert.rejects(socket.nextPush({ timeout: 100 }), says(/^\{"timeout":100\} is not how long to wait/))
  await assert.rejects(socket.nextFrame(undefined, { within: '1 s' }), says(/is not a duration/))
})

test('the kinds of events are those of the page', () => {
  const page = readFileSync(new URL('../../../docs/api.md', import.meta.url), 'utf8')
  const table = page.slice(page.indexOf('| kinds | about |'))
  const rows = table.slice(0, table.indexOf('\n\n')).split('\n').slice(2)
  const kinds = rows.flatMap((row) => [...row.split('|')[1].matchAll(/`(\w+)`/g)].map(([, kind]) => kind))
  assert.deepEqual(kindsOfEvents, kinds)
  const declared = readFileSync(new URL('../lib/expectation.d.ts', import.meta.url), 'utf8').match(/type EventKind =([^]*?)\n\n/)[1]
  assert.deepEqual([...declared.matchAll(/'(\w+)'/g)].map(([, kind]) => kind), kinds)
})

test('a socket catches up after a break, and can acknowledge', async (t) => {
  const app = await pushApp(t)
  const phone = await app.device('android')
  const first = await phone.connect({ manualAck: true, offlineWhenDisconnected: true })
  await first.close()
  assert.deepEqual(await first.ended, { code: 1000, reason: '' })
  await assert.rejects(first.nextPush(), SocketClosed)
  await assert.rejects(first.request('ping'), SocketClosed)
  await sendFCM(app, { token: phone.token, data: { order: '7' } })
  const second = await phone.connect({ manualAck: true, offlineWhenDisconnected: true, resumeAfter: first.welcome.seq })
  const push = await second.nextPush()
  assert.ok(push.storedFor >= 0)
  assert.equal((await second.request('ack', { ids: [push.id] })).type, 'ok')
})

test('frames can be read in a loop, which ends with the socket', async (t) => {
  const app = await pushApp(t)
  const phone = await app.device('android')
  const socket = await phone.connect({ wants: ['push'] })
  for (const order of ['1', '2']) await sendFCM(app, { token: phone.token, data: { order } })
  const seen = []
  for await (const frame of socket) {
    seen.push(frame.payload.data.order)
    if (seen.length === 2) await phone.delete()
  }
  assert.deepEqual(seen, ['1', '2'])
  assert.equal((await socket.ended).code, 4003)
})

test('a device that is gone has no socket', async (t) => {
  const phone = await (await pushApp(t)).device('android')
  await phone.delete()
  await assert.rejects(phone.connect(), (error) => error instanceof SocketClosed ? error.code === 4001 : error instanceof CallRefused)
})

test('large frames arrive whole', async (t) => {
  const app = await pushApp(t)
  const phone = await app.device('android')
  const socket = await phone.connect({ wants: ['push', 'raw'] })
  const text = 'ä€😀'.repeat(300)
  await sendFCM(app, { token: phone.token, data: { text } })
  const push = await socket.nextPush()
  assert.equal(push.payload.data.text, text)
  assert.ok(JSON.stringify(push).length > 5000)
})
