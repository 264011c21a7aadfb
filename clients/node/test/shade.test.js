import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PushpitError, pushApp } from 'pushpit'
import { sendFCM } from './senders.js'

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
    /suppressed: the app may not post notifications\n {4}Set permission to authorized/, /refused: 400 INVALID_ARGUMENT\n {4}\w/))
})
