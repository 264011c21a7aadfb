import assert from 'node:assert/strict'
import { test } from 'node:test'
import { effectOf, explained, isOnlyStrict, matches, servicesOf } from '../../../../Sources/Console/Web/js/model/rules.js'
import { valuesOf } from '../../../../Sources/Console/Web/js/model/values.js'

const RULE = { id: 'apns.BadTopic', effect: '400', checks: 'apns-topic contains invalid characters.', remedy: 'Use only letters.', evidence: 'assumed' }

test('a rule matches words of its id and texts, and its filters', () => {
  assert.ok(matches(RULE, { text: 'badtopic LETTERS' }))
  assert.ok(!matches(RULE, { text: 'badtopic digits' }))
  assert.ok(matches(RULE, { service: 'apns', effect: 'refusal', evidence: 'assumed' }))
  assert.ok(!matches(RULE, { service: 'fcm' }))
  assert.ok(!matches(RULE, { effect: 'finding' }))
})

test('every rule belongs to a service', () => {
  assert.deepEqual(servicesOf({ id: 'http1.Host' }), ['gateway'])
  assert.deepEqual(servicesOf({ id: 'person.opened' }), ['ios', 'android', 'web'])
  assert.equal(effectOf({ effect: '400, strict' }), 'refusal')
  assert.equal(effectOf({ effect: 'event' }), 'event')
})

test('values for senders come from the credentials and the address', () => {
  const credentials = { directory: '/x/certs', ca: '/x/certs/ca.pem', apnsKeys: [{ keyId: 'ABCDE12345', teamId: 'TEAM567890' }], serviceAccounts: ['pushpit@shop.iam.gserviceaccount.com'] }
  const values = valuesOf(credentials, '127.0.0.1:2197')
  assert.equal(values.url, 'https://127.0.0.1:2197')
  assert.equal(values.key, '/x/certs/AuthKey_ABCDE12345.p8')
  assert.equal(values.project, 'shop')
  assert.equal(valuesOf(credentials, 'gateway.example:443').host, 'gateway.example')
  const ann = { platform: 'ios', app: 'com.example.app', tokens: { apns: { token: 'aa' } } }
  assert.equal(valuesOf(credentials, 'localhost:1', [ann]).apnsToken, 'aa')
  assert.equal(valuesOf(credentials, 'localhost:1', [{ ...ann, app: 'other' }]).apnsToken.length, 64)
})

test('a refusal is only ours if the other profile would accept the push', () => {
  assert.ok(isOnlyStrict({ severity: { strict: 'refused', service: 'error' } }))
  assert.ok(!isOnlyStrict({ severity: { strict: 'refused', service: 'refused' } }))
})

test('what a finding has said already is not said again', () => {
  const rule = { ...RULE, checks: 'A key is wrong. Apple answers 200, e.g. here.', remedy: 'Mend it.' }
  assert.equal(explained(rule), 'A key is wrong. Apple answers 200, e.g. here. Mend it.')
  assert.equal(explained(rule, { said: "'badge' is wrong. Apple answers 200, e.g. here." }), 'A key is wrong. Mend it.')
  assert.equal(explained(rule, { remedy: false }), rule.checks)
})
