import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Gateway } from 'pushpit'

const { NODE_TEST_CONTEXT, ...environment } = process.env

/** Runs a file with these tests. */
const run = (tests, variables = {}) => spawnSync(process.execPath, ['--input-type=module', '-e', `
import { test } from 'node:test'
import { Gateway, pushApp } from 'pushpit'
import { sendAPNs, sendFCM } from './test/senders.js'
${tests}`], { cwd: fileURLToPath(new URL('..', import.meta.url)), encoding: 'utf8', env: { ...environment, ...variables } })

const push = `
  const app = await pushApp(t, { id: 'com.acme.shop' })
  await sendFCM(app, { token: 'no-token', notification: { title: 'Tea' } })
  await sendFCM(app, { topic: 'news', notification: { title: 'Cake' } })`

test('a failing test shows its pushes and why they were refused, a passing one does not', (t) => {
  if (t.passed === undefined) return t.skip('this Node does not say whether a test has failed')
  const { status, stdout } = run(`
test('good', async (t) => {${push}
})
test('bad', async (t) => {${push}
  throw new Error('not sent')
})
test('idle', async (t) => {
  await pushApp(t, { id: 'com.acme.idle' })
  throw new Error('not sent')
})
test('foreign', async (t) => {
  const app = await pushApp(t, { id: 'com.acme.foreign' })
  const { token } = await app.device('ios')
  await sendAPNs(app, token, { aps: { alert: 'Wrong topic' } }, { 'apns-topic': 'com.acme.other' })
  const phone = await app.device('ios', { extension: { script: 'firebase', imageKey: 'image_url' } })
  await sendAPNs(app, phone.token, { aps: { alert: 'No image' }, image_url: 'https://acme.test/a.png' })
  throw new Error('not shown')
})
test('unused', async (t) => {
  const app = await pushApp(t, { id: 'com.acme.unused' })
  await app.fault('503Shutdown', { match: { provider: 'apns' } })
})
test('warned', async (t) => {
  const app = await pushApp(t, { id: 'com.acme.warned' })
  const { token } = await app.device('ios')
  await sendAPNs(app, token, { aps: { alert: 'a', mutable_content: 1 } })
})
test('own gateway', async (t) => {
  const gateway = await Gateway.start({ options: [] })
  await pushApp(t, { id: 'com.acme.own', gateway })
  t.after(() => gateway.close())
  throw new Error('not sent')
})`)
  assert.equal(status, 1, stdout)
  assert.equal(stdout.match(/Pushes of com\.acme\.shop:/g)?.length, 1, stdout)
  assert.match(stdout, /#   p\d+: FCM push "Tea" of com\.acme\.shop to token no-token, refused: 400 INVALID_ARGUMENT\n# {5}error: .*\n# {5}fix: /)
  assert.match(stdout, /#   p\d+: FCM push "Cake" of com\.acme\.shop to topic news, accepted: 200\n/)
  assert.match(stdout, /Pushes of com\.acme\.idle:\n#   none\. The gateway is at http:.*run under 'pushpit exec'\?/)
  assert.match(stdout, /Pushes of com\.acme\.foreign:\n#   p\d+: APNs push "Wrong topic".*400 DeviceTokenNotForTopic/)
  assert.match(stdout, /p\d+: APNs push "No image".*, accepted: 200\n(# {5}.*\n)*# {5}d\d+: .*no image: mutable-content is not 1.*\n# {5}fix: .*mutable-content/)
  assert.match(stdout, /# No request has hit the fault f\d+: \{"match":\{.*"com\.acme\.unused".*"503Shutdown"/)
  assert.match(stdout, /Pushes of com\.acme\.own:\n#   none/)
  assert.match(stdout, /# Accepted with warnings:\n#   p\d+: APNs push "a" of com\.acme\.warned .*accepted: 200\n# {5}warning: .*\n/)
})

test('a gateway that others use keeps no key and no account of a test that is over', async (t) => {
  const own = await Gateway.start({ options: [] })
  t.after(() => own.close())
  const before = await own.call('GET', '/credentials')
  const { status, stdout } = run(`
test('senders', async (t) => {
  const [one, other] = [await pushApp(t), await pushApp(t)]
  const during = [await one.credentials(), await other.credentials()].map(({ apns }) => apns.keyId)
  const { apnsKeys } = await one.gateway.call('GET', '/credentials')
  if (!during.every((id) => apnsKeys.some(({ keyId }) => keyId === id))) throw new Error('they are not there')
})`, { PUSHPIT_URL: own.url, PUSHPIT_CERTS: own.credentials.ca.replace(/\/ca\.pem$/, '') })
  assert.equal(status, 0, stdout)
  assert.deepEqual(await own.call('GET', '/credentials'), before)
})
