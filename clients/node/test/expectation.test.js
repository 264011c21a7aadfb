import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pushApp, sharedGateway } from 'pushpit'
import { queryOf, requestOf } from '../lib/expectation.js'
import { messageText } from '../lib/pushes.js'
import { durationText, milliseconds } from '../lib/values.js'

test('an expectation is written as the control API takes it', () => {
  const rows = [
    [{}, { match: {} }],
    [{ device: { id: 'd1' }, count: 0, within: 1500 }, { match: { device: 'd1' }, count: 0, within: '1500ms' }],
    [{ device: 'd1', atLeast: 2, never: undefined }, { match: { device: 'd1' }, atLeast: 2 }],
    [{ never: true, since: new Date(0) }, { match: { since: '1970-01-01T00:00:00.000Z' }, never: true }],
    [{ reason: { prefix: 'Bad' }, event: { kind: 'presented', device: { id: 'd1' } } }, { match: { reason: { prefix: 'Bad' }, event: { kind: 'presented', device: 'd1' } } }],
  ]
  for (const [expected, request] of rows) assert.deepEqual(requestOf(expected), request)
  const scoped = (match) => ({ app: 'a', ...match })
  assert.deepEqual(requestOf({ topic: 'news' }, scoped), { match: { app: 'a', topic: 'news' } })
  assert.deepEqual(
    requestOf({ sequence: [{ device: { id: 'd1' } }, { outcome: 'refused' }], within: '1s' }, scoped),
    { sequence: [{ app: 'a', device: 'd1' }, { app: 'a', outcome: 'refused' }], within: '1s' })
})

test('filters of a list are a query, with JSON for pointers', () => {
  assert.deepEqual(queryOf({ device: { id: 'd1' }, status: 200, body: { '/aps/badge': 3, '/aps/alert': 'Hi' } }), {
    device: 'd1', status: 200, '/aps/badge': '3', '/aps/alert': '"Hi"' })
})

test('durations are texts or milliseconds', () => {
  assert.deepEqual([durationText(1.4), durationText('5s'), milliseconds('250ms'), milliseconds('2m'), milliseconds(7)], ['1ms', '5s', 250, 120_000, 7])
  for (const wrong of ['5', 's', '5 s', '-1s', '1d']) assert.throws(() => milliseconds(wrong), /is not a duration: write it like '250ms'/)
})

test('a push is one line', () => {
  const push = { id: 'p1', provider: 'fcm', app: 'a', devices: [], outcome: 'refused', status: 404, reason: 'UNREGISTERED', request: { body: 'x' } }
  assert.equal(messageText({ ...push, target: {} }), 'p1: FCM push of a to no target, refused: 404 UNREGISTERED')
  assert.equal(
    messageText({ ...push, target: { token: null, topic: 'news' }, devices: ['d1', 'd2', 'd3', 'd4'], reason: null }),
    'p1: FCM push of a to topic news (d1, d2, d3), refused: 404')
  const line = (body) => messageText({ ...push, target: {}, request: { body } })
  assert.match(line({ aps: { alert: 'Tea' } }), /push "Tea" of/)
  assert.match(line({ aps: { alert: { title: 'Tea' } } }), /push "Tea" of/)
  assert.match(line({ message: { notification: { title: `a\n${'b'.repeat(99)}` } } }), /push "a\\nb{38}…" of/)
})

test('a list has the rows of all pages', async () => {
  const gateway = await sharedGateway()
  const app = 'com.example.node-pages'
  await gateway.call('POST', '/devices', { platform: 'android', app, count: 1001 })
  assert.equal((await gateway.devices({ app })).length, 1001)
  await gateway.reset(app)
})

test('a filter that is undefined or a promise is an error, because it would match everything', async (t) => {
  const app = await pushApp(t)
  const phone = app.device('android')
  const rows = [
    [{ token: (await phone).fcmTokn }, /'token' is undefined: is a property misspelled\?/], [{ device: phone }, /'device' is a promise: write await before it/],
    [{ body: { '/message/data': undefined } }, /body '\/message\/data' is undefined/], [{ event: { kind: undefined } }, /event 'kind' is undefined/],
  ]
  for (const [filter, text] of rows) {
    await assert.rejects(app.expect({ ...filter, count: 1 }), text)
    await assert.rejects(app.messages(filter), text)
  }
  await assert.rejects(app.expect({ sequence: [{ title: undefined }] }), /'title' is undefined/)
})
