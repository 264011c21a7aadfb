import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actionName, reports, ruleIn } from '../../../../Sources/Console/Web/js/model/tracking.js'

const states = (tracked, hits = [], provider = 'apns') => reports({ reported: [], expected: [], ...tracked }, hits, provider).map(({ state }) => state)

test('a report is reported, missing or may still come', () => {
  assert.deepEqual(states({ reported: ['7', '2', '1'], expected: ['7', '2', '1'] }), ['reported', 'reported', 'reported'])
  assert.deepEqual(states({}), ['open', 'open', 'open'])
  assert.deepEqual(states({ reported: ['7'], expected: ['7'] }), ['reported', 'open', 'open'])
  assert.deepEqual(states({ reported: ['2', '1'], expected: ['2', '1'] }), ['missing', 'reported', 'reported'])
  assert.deepEqual(states({ reported: ['7', '2'], expected: ['7', '2'] }), ['reported', 'reported', 'missing'])
  assert.deepEqual(states({ reported: ['1'] }), ['missing', 'missing', 'reported'])
})

test('a reason about the arrival leaves the taps possible, and others do not', () => {
  assert.deepEqual(states({ why: 'the app was force-quit, so none of its code ran' }), ['missing', 'open', 'open'])
  assert.deepEqual(states({ why: 'the push has not reached the app (apns.stored-offline)' }), ['open', 'open', 'open'])
  assert.deepEqual(states({ why: '_mId or _dId is missing, or not a string' }), ['missing', 'missing', 'missing'])
})

test('what a simulated app reported but never came is missing', () => {
  const [impression] = reports({ reported: [], expected: ['7'] }, [], 'fcm')
  assert.equal(impression.state, 'missing')
  assert.match(impression.text, /no hit came/)
})

test('real apps are told from simulated ones', () => {
  const by = (reported, expected) => reports({ reported, expected }, [], 'fcm')[0].by
  assert.equal(by(['7'], ['7']), '')
  assert.equal(by(['7'], []), 'by a real app')
  assert.equal(by(['7', '7'], ['7']), 'by simulated and real apps')
})

test('actions have names, and reasons their rules', () => {
  assert.equal(actionName('7'), 'Impression')
  assert.equal(actionName('4'), 'button 2')
  assert.equal(actionName('1f2'), 'link 1f2')
  assert.equal(ruleIn('the push has not reached the app (apns.stored-offline)'), 'apns.stored-offline')
  assert.equal(ruleIn('the category does not ask (customDismissAction)'), null)
  assert.equal(ruleIn(undefined), null)
})
