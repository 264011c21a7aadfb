import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CallRefused, PushpitError, answer, pushApp } from 'pushpit'
import { sendAPNs, sendFCM } from './senders.js'

const notification = (token, title = 'Breakfast') => ({ token, notification: { title } })

test('a person opens, dismisses and clears notifications', async (t) => {
  const app = await pushApp(t)
  const phone = await app.device('android')
  for (const title of ['One', 'Two', 'Three', 'Four']) await sendFCM(app, { ...notification(phone.token, title), android: { notification: { tag: title } } })
  await phone.open()
  await phone.dismiss('One')
  assert.deepEqual((await phone.shade()).map(({ title }) => title), ['Three', 'Two'])
  await phone.clearAll()
  assert.deepEqual((await phone.events('opened', 'dismissed')).map(({ kind, data }) => [kind, data.notification]).slice(0, 2), [['opened', 'Four'], ['dismissed', 'One']])
  await assert.rejects(phone.open(), (error) => error instanceof PushpitError && /shows no notification to open/.test(error.message))
})

test('a person taps a button', async (t) => {
  const app = await pushApp(t)
  const phone = await app.device('ios', { categories: [{ id: 'NEWS', actions: [{ id: 'REPLY', title: 'Reply', text: true }] }] })
  await sendAPNs(app, phone.token, { aps: { alert: { title: 'Tea' }, category: 'NEWS' } })
  await phone.tapAction('REPLY', { text: 'Yes' })
  const [event] = await phone.events('action')
  assert.deepEqual([event.data.actionId, event.data.text], ['REPLY', 'Yes'])
})

test('a push waits for a phone that is offline', async (t) => {
  const app = await pushApp(t)
  const phone = await app.device('android', { state: { online: false } })
  await sendFCM(app, notification(phone.token))
  const [waiting] = await phone.pending()
  assert.equal(waiting.id, (await app.messages())[0].id)
  await phone.setState({ online: true })
  assert.deepEqual([(await phone.state()).online, (await phone.shade()).length, await phone.pending()], [true, 1, []])
})

test('an uninstalled app and a rotation make old tokens invalid, and the token after the rotation works', async (t) => {
  const app = await pushApp(t)
  const [iPhone, android] = [await app.device('ios'), await app.device('android')]
  await iPhone.uninstall()
  assert.deepEqual(await sendAPNs(app, iPhone.token, { aps: { alert: 'Hello' } }), { status: 410, reason: 'Unregistered' })
  const old = android.token
  const current = await android.rotateToken()
  assert.notEqual(old, current)
  assert.deepEqual([(await sendFCM(app, notification(old))).status, (await sendFCM(app, notification(current))).status], [404, 200])
  await app.expect({ reason: 'UNREGISTERED', token: old, count: 1 })
})

test('a browser has a push subscription', async (t) => {
  const app = await pushApp(t)
  const { endpoint, keys } = await (await app.device('web')).subscription()
  assert.match(endpoint, /\/fcm\/send\//)
  assert.deepEqual(Object.keys(keys), ['p256dh', 'auth'])
  await assert.rejects((await app.device('ios')).subscription(), /has no push subscription: only devices of the platform 'web'/)
})

test('a topic reaches its subscribers', async (t) => {
  const app = await pushApp(t)
  const [one, other] = [await app.device('android'), await app.device('web')]
  await one.subscribe('news')
  await other.subscribe('news')
  await other.unsubscribe('news')
  await sendFCM(app, { topic: 'news', notification: { title: 'Breakfast' } })
  assert.deepEqual([(await one.shade()).length, (await other.shade()).length], [1, 0])
  assert.deepEqual([(await one.events('presented')).length, (await other.events('presented')).length], [1, 0])
  const row = (await app.gateway.topics()).find(({ project }) => project === app.project)
  assert.deepEqual(row, { name: 'news', project: app.project, devices: 1 })
})

test('a phone shows the image that the media table has', async (t) => {
  const app = await pushApp(t)
  const phone = await app.device('android')
  const png = Buffer.from('89504e470d0a1a0a'.padEnd(200, '0'), 'hex')
  const [image, missing] = [await app.media('bread.png', { contentType: 'image/png', content: png }), await app.media('none.png', { status: 404 })]
  assert.equal(image, `https://${app.id}.example/bread.png`)
  for (const [tag, url] of [['a', image], ['b', missing]]) {
    await sendFCM(app, { token: phone.token, notification: { title: tag, image: url }, android: { notification: { tag } } })
  }
  await app.expect({ count: 2 })
  assert.deepEqual((await phone.events('attachment')).map(({ data }) => data.outcome), ['shown', 'failed'])
  assert.deepEqual((await phone.shade()).map((entry) => entry.image), [undefined, image])
})

test('a fault hits as often as it should, and a scenario until it is removed', async (t) => {
  const app = await pushApp(t)
  const phone = await app.device('android')
  const send = async () => (await sendFCM(app, notification(phone.token))).status
  const fault = await app.fault(answer(503, 'UNAVAILABLE', { headers: { 'retry-after': '2' } }), { times: 1, for: '1h' })
  const first = await sendFCM(app, notification(phone.token))
  assert.deepEqual([first.status, first.retryAfter, await send()], [503, '2', 200])
  assert.deepEqual([await fault.fired(), await fault.seen(), (await fault.rows())[0].state], [1, 2, 'usedUp'])
  const scenario = await app.scenario('fcm-503-but-delivered')
  assert.equal(await send(), 503)
  await scenario.remove()
  await scenario.remove()
  assert.equal(await send(), 200)
  await assert.rejects(app.fault('503Shutdwn'), (error) => error instanceof CallRefused && error.status === 400 && /503Shutdwn/.test(error.message))
})

test('a device without a kind of token says which it has', async (t) => {
  const phone = await (await pushApp(t)).device('android')
  assert.throws(() => phone.apnsToken, /has no token of the kind 'apns'; it has fcm/)
})
