import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conditionWords, effectWords, faultFromFields, isFault, mayHit, wireNames } from '../../../../Sources/Console/Web/js/model/faults.js'

const FIELDS = { kind: 'answer', status: '503', reason: 'Shutdown', recorded: '', wire: '', delay: '5s', deliver: false,
  provider: '', app: '', token: '', topic: '', when: 'always', count: '1', probability: '', lasts: '' }

test('a form becomes the body of POST /faults', () => {
  assert.deepEqual(faultFromFields(FIELDS), { effect: { answer: { status: 503, reason: 'Shutdown' } } })
  assert.deepEqual(
    faultFromFields({ ...FIELDS, kind: 'delay', provider: 'fcm', topic: 'news', when: 'every', count: '3', probability: '0.5', lasts: '5m' }),
    { effect: { delay: '5s' }, match: { provider: 'fcm', topic: 'news' }, every: 3, probability: 0.5, for: '5m' })
  assert.deepEqual(faultFromFields({ ...FIELDS, deliver: true }).effect, [{ answer: { status: 503, reason: 'Shutdown' } }, { deliver: 1 }])
  assert.deepEqual(faultFromFields({ ...FIELDS, kind: 'reset' }).effect, { close: 'reset' })
})

test('what is no number is left to the API, which says what is wrong', () => {
  assert.equal(faultFromFields({ ...FIELDS, status: 'x' }).effect.answer.status, 'x')
  assert.equal(faultFromFields({ ...FIELDS, when: 'nth', count: '0' }).nth, 0)
})

test('effects are said in words, and unknown ones as JSON', () => {
  assert.equal(effectWords({ answer: { status: 503, reason: 'Shutdown' } }), 'answers 503 Shutdown')
  assert.equal(effectWords([{ deliver: 1 }, { delay: { uniform: ['1s', '3s'] } }]), 'is delivered anyway; answers after 1s to 3s')
  assert.equal(effectWords({ future: { x: 1 } }), 'future {"x":1}')
  assert.deepEqual(wireNames([{ wire: 'blackHole' }, { deliver: 1 }]), ['blackHole'])
})

test('a fault may hit a request unless it is off, or something that is known is against it', () => {
  const request = { provider: 'fcm', token: 't', apps: ['com.example.app', 'bakery'] }
  assert.ok(mayHit({ state: 'active' }, request))
  assert.ok(mayHit({ state: 'active', match: { provider: 'fcm', app: 'bakery', token: 't', headers: { a: 'b' } } }, request))
  assert.ok(mayHit({ state: 'active', match: { app: 'bakery', topic: 'news' } }, { provider: 'fcm', apps: [undefined] }))
  for (const match of [{ provider: 'apns' }, { app: 'rides' }, { token: 'u' }]) assert.ok(!mayHit({ state: 'active', match }, request))
  for (const state of ['usedUp', 'expired']) assert.ok(!mayHit({ state }, request))
  assert.ok(isFault('fault.custom') && !isFault('fault.magic-token') && !isFault(null))
})

test('conditions are said in words', () => {
  assert.deepEqual(conditionWords({ match: { provider: 'apns', app: 'a.b' }, nth: 3, per: 'token' }), ['APNs', 'app a.b', 'only the 3rd request of each token'])
  assert.deepEqual(conditionWords({ every: 1, times: 1, probability: 0, for: '5m' }), ['every request', 'once', '0 % of requests', 'for 5m'])
  assert.deepEqual(conditionWords({ every: 12, after: 5 }), ['every 12th request', 'after 5 requests'])
})
