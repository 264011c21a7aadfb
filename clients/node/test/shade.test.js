import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PushpitError, pushApp } from 'pushpit'
import { sendAPNs, sendFCM } from './senders.js'

const explains = (...patterns) => (error) => error instanceof PushpitError && patterns.every((pattern) => pattern.test(error.message))

test('the shade waits for an image', async (t) => {
  const app = await pushApp(t)
  const phone = await app.device('android')
  for (const delay of ['250ms', '0s']) {
    const image = await app.media(`bread-${delay}.png`, { contentType: 'image/png', size: 20_000, delay })
    await sendFCM(app, { token: phone.token, notification: { title: delay, image } })
  }
  const shade = await phone.shade()
  assert.deepEqual(shade.map(({ title }) => title).sort(), ['0s', '250ms'])
  assert.ok(shade.every(({ image }) => image))
})

test('a notification is waited for, up to a limit', async (t) => {
  const app = await pushApp(t)
  const phone = await app.device('ios', { extension: { script: 'slow', seconds: 1 } })
  await sendFCM(app, { fid: phone.fid, notification: { title: 'Bread' }, apns: { payload: { aps: { 'mutable-content': 1 } } } })
  await assert.rejects(phone.notification({ within: '10ms' }), explains(/the extension is still working/))
  assert.equal((await phone.notification()).title, 'Bread')
})

test('an empty shade says what became of each push', async (t) => {
  const app = await pushApp(t)
  const phone = await app.device('android')
  await assert.rejects(phone.notification({ within: 0 }), explains(/shows no notification\. No push has been sent to its tokens\./))
  await phone.setState({ permission: 'denied' })
  await sendFCM(app, { token: phone.token, notification: { title: 'Bread' } })
  await sendFCM(app, { token: phone.token, notification: { titel: 'Bread' } })
  await assert.rejects(phone.notification({ within: 0 }), explains(
    /suppressed: the app may not post notifications\n {4}Set permission to authorized/, /refused: 400 INVALID_ARGUMENT\n {4}error: .*titel.*\n/))
})

test('a refusal has its meaning and its remedy', async (t) => {
  const app = await pushApp(t)
  const phone = await app.device('android')
  await phone.uninstall()
  await sendFCM(app, { token: phone.token, notification: { title: 'Bread' } })
  await assert.rejects(phone.notification({ within: 0 }), explains(
    /refused: 404 UNREGISTERED\n {4}error: The token or the installation is no longer registered.*\n {4}fix: Delete the token/))
  await assert.rejects(app.expect({ token: phone.token, outcome: 'accepted', within: 0 }), explains(/\n {4}error: The token or .*\n {4}fix: Delete/))
  const other = await app.device('android', { project: 'other' })
  await sendFCM(app, { token: other.token, data: { a: 'b' } })
  await assert.rejects(other.notification({ within: 0 }), explains(/error: The token was made for the project 'other', .*\n {4}fix: Send in/))
})

test('a refused push is no push to a device', async (t) => {
  const app = await pushApp(t)
  const phone = await app.device('ios')
  await sendAPNs(app, phone.token, { aps: { alert: 'Tea' } }, { 'apns-priority': '7' })
  await assert.rejects(app.expect({ device: phone, status: 400, within: 0 }), /device: expected "d\d+", got nothing \(The push reached no device.*find it with 'token'\.\)/)
})

test('a notification says why it has no image', async (t) => {
  const app = await pushApp(t)
  const alert = { alert: { title: 'Tea' }, 'mutable-content': 1 }
  const image = await app.media('tea.png', { contentType: 'image/png', size: 20_000 })
  const phone = await app.device('ios', { extension: { script: 'firebase', imageKey: 'image_url' } })
  await sendAPNs(app, phone.token, { aps: alert, fcm_options: { image } })
  const { rule, reason, remedy } = await phone.missingImage()
  assert.deepEqual([rule, reason], ['ios.image-ignored', "the app's extension does not read the key that names it"])
  assert.match(remedy, /'imageKey'/)
  await sendAPNs(app, phone.token, { aps: alert, image_url: image })
  const shown = await phone.notification()
  assert.equal(shown.image, image)
  assert.equal(await phone.missingImage(shown), undefined)
})
