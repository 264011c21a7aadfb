import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ExpectationFailed, Gateway, PushpitError, SharedGateway, answer, pushApp, sharedGateway } from 'pushpit'
import { accessToken, providerToken, sendAPNs, sendFCM } from './senders.js'

test('a push arrives, and the phone shows it', async (t) => {
  const app = await pushApp(t)
  const phone = await app.device('android')
  assert.equal((await sendFCM(app, { token: phone.token, notification: { title: 'Breakfast' }, data: { order: '7' } })).status, 200)
  const [message] = await app.expect({ device: phone, body: { '/message/data/order': '7' }, outcome: 'accepted', count: 1 })
  assert.equal(message.request.body.message.notification.title, 'Breakfast')
  assert.deepEqual((await phone.shade()).map(({ title }) => title), ['Breakfast'])
  assert.deepEqual((await app.messages({ body: { '/message/data/order': '7' } })).map(({ id }) => id), [message.id])
  assert.deepEqual(await app.messages({ body: { '/message/data/order': '8' } }), [])
})

test('an iPhone gets a push over APNs that is signed with the credentials of the app', async (t) => {
  const app = await pushApp(t)
  const phone = await app.device('ios', { name: "Ann's phone" })
  assert.deepEqual(await sendAPNs(app, phone.token, { aps: { alert: { title: 'Tea' }, badge: 3 } }), { status: 200, reason: undefined })
  const [message] = await app.expect({ provider: 'apns', headers: { 'apns-topic': app.id }, body: { '/aps/badge': 3 } })
  assert.deepEqual(message.findings, [])
  assert.equal(await phone.badge(), 3)
})

test('a failed expectation shows the nearest pushes', async (t) => {
  const app = await pushApp(t)
  const phone = await app.device('ios')
  await sendAPNs(app, phone.token, { aps: { alert: { title: 'Tea' } } }, { 'apns-priority': '7' })
  await assert.rejects(app.expect({ body: { '/aps/alert/title': 'Coffee' }, outcome: 'accepted', within: '0s' }), (error) => {
    assert.ok(error instanceof ExpectationFailed)
    assert.match(error.message, /^0 pushes match, but at least 1 was expected\.\nExpected: app=com\.example\.test-\w+ outcome=accepted/)
    assert.match(error.message, /\nNearest:\n {2}p\d+: APNs push "Tea" of com\.example\.test-\w+ to token [0-9a-f]{16}…, refused: 400 BadPriority\n/)
    assert.match(error.message, /\n {4}outcome: expected "accepted", got "refused"/)
    assert.match(error.message, /\n {4}\/aps\/alert\/title: expected "Coffee", got "Tea"/)
    assert.equal(error.nearest.length, 1)
    return true
  })
})

test('an expectation of no push names the pushes that came', async (t) => {
  const app = await pushApp(t)
  const phone = await app.device('android')
  await sendFCM(app, { token: phone.token, data: { a: 'b' } })
  await assert.rejects(app.expect({ never: true, within: '0s' }), /1 push matches, but none was expected\.\n.*\nPushes that match:\n {2}p\d+: FCM push of .*, accepted: 200/)
  await assert.rejects(app.expect({ count: 0, within: 0 }), ExpectationFailed)
  await app.expect({ never: false, atMost: 1, within: 1 })
})

test('events, patterns and sequences can be expected', async (t) => {
  const app = await pushApp(t)
  const phone = await app.device('android')
  for (const title of ['Breakfast', 'Lunch']) await sendFCM(app, { token: phone.token, notification: { title } })
  await phone.open()
  const title = '/message/notification/title'
  const [lunch] = await app.expect({ device: phone, event: { kind: 'opened', device: phone }, body: { [title]: { prefix: 'Lu' } }, count: 1 })
  assert.equal(lunch.request.body.message.notification.title, 'Lunch')
  await app.expect({ event: { kind: 'presented', data: { '/title': { regex: '^Break' } } } })
  assert.equal((await app.expect({ sequence: [{ body: { [title]: 'Breakfast' } }, { body: { [title]: 'Lunch' } }] })).length, 2)
  await assert.rejects(app.expect({ sequence: [{ body: { [title]: 'Lunch' } }, { body: { [title]: 'Breakfast' } }], within: '0s' }), /Number 2 of the sequence .* is missing/)
  await assert.rejects(
    app.expect({ event: { kind: 'suppressed' }, within: '0s' }), /Nearest:\n {2}event \w+ of \w+, p\d+: FCM push "Lunch" of .*\n {4}event\/kind: expected "suppressed", got/)
})

test('a filter with a typo is refused', async (t) => {
  const app = await pushApp(t)
  await assert.rejects(app.expect({ titel: 'Tea' }), /POST \/api\/v1\/expect was refused with 400 badField: .*titel/)
})

test('a failure says what a phone did instead', async (t) => {
  const app = await pushApp(t)
  const phone = await app.device('android', { state: { permission: 'denied' } })
  await sendFCM(app, { token: phone.token, notification: { title: 'Tea' } })
  await assert.rejects(app.expect({ event: { kind: 'presented' }, within: 0 }), /\n {4}suppressed: the app may not post.*\n {4}Set permission to authorized/)
  await assert.rejects(app.expect({ event: { kind: 'presented' }, within: 0 }), ({ message }) => message.split('may not post').length === 2)
})

test('a failure shows the pushes of this app, and each push in a line', async (t) => {
  const [app, other] = [await pushApp(t), await pushApp(t)]
  for (const one of [app, app, other]) {
    const { token } = await one.device('android')
    await sendFCM(one, { token, notification: { title: 'Tea' }, data: { long: 'x'.repeat(1000) } })
  }
  const text = (await app.expect({ text: 'lunch', within: 0 }).catch((error) => error)).message
  assert.equal(text.includes(other.id), false, text)
  assert.match(text, /text: expected "lunch", got \["Tea","x+…$/m)
  await assert.rejects(app.expect({ count: 1, within: 0 }), /Pushes that match:\n {2}p\d+: FCM push "Tea" of .*\n {2}p\d+: FCM push "Tea" of .*accepted: 200$/)
  const { app: site } = await app.device('web')
  await assert.rejects(app.expect({ app: site, event: { kind: 'opened' }, within: 0 }), /event registered of d\d+\n/)
})

test('a refused push is not looked for at a device', async (t) => {
  const app = await pushApp(t)
  const device = await app.device('android')
  const says = (error) => error instanceof PushpitError && /a refused push reaches no device.* token: phone\.token/.test(error.message)
  await assert.rejects(app.expect({ device, outcome: 'refused', never: true }), says)
  await assert.rejects(app.messages({ device: device.id, outcome: 'refused' }), says)
  await assert.rejects(app.expect({ sequence: [{}, { device, outcome: 'refused' }] }), says)
})

test('two apps at a time do not see each other', async (t) => {
  const [one, other] = [await pushApp(t), await pushApp(t)]
  const phone = await one.device('android')
  await other.fault(answer(503, 'UNAVAILABLE'))
  assert.equal((await sendFCM(one, { token: phone.token, data: { a: 'b' } })).status, 200)
  await one.expect({ count: 1 })
  await other.expect({ never: true, within: '0s' })
  await other.close()
  assert.equal((await one.messages()).length, 1)
})

test('closing an app deletes everything that belongs to it', async () => {
  const app = await pushApp()
  const phone = await app.device('android')
  const socket = await phone.connect()
  await app.fault('503Shutdown')
  await app.media('bread.png', { content: 'no picture' })
  await sendFCM(app, { token: phone.token, data: { a: 'b' } })
  await app.close()
  await app.close()
  assert.deepEqual(await socket.ended, { code: 1000, reason: '' })
  const { gateway } = app
  assert.deepEqual(await gateway.messages({ app: app.id }), [])
  assert.deepEqual(await gateway.devices({ app: app.id }), [])
  assert.equal(JSON.stringify(await gateway.call('GET', '/faults')).includes(app.id), false)
  assert.equal(JSON.stringify(await gateway.call('GET', '/media')).includes(app.id), false)
})

test('an app with a different project has the pushes of both', async (t) => {
  const app = await pushApp(t, { id: 'com.example.node-kit', project: 'node-kit' })
  const phone = await app.device('android')
  await phone.subscribe('news')
  await sendFCM(app, { topic: 'news', notification: { title: 'Breakfast' } })
  await sendFCM(app, { token: phone.token, notification: { title: 'Lunch' } })
  await app.expect({ topic: 'news', count: 1 })
  await app.expect({ device: phone, body: { '/message/notification/title': 'Lunch' } })
  assert.deepEqual((await app.messages()).map(({ app: name }) => name), ['com.example.node-kit', 'node-kit'])
  await app.expect({ count: 2 })
  const fault = await app.fault('503Shutdown', { times: 1 })
  const iPhone = await app.device('ios')
  assert.equal((await sendFCM(app, { topic: 'news', notification: { title: 'Tea' } })).status, 503)
  assert.equal((await sendAPNs(app, iPhone.token, { aps: { alert: 'Tea' } })).reason, 'Shutdown')
  assert.equal(await fault.fired(), 2)
  await app.fault(answer(429), { match: { provider: 'apns' } })
  assert.equal((await sendFCM(app, { topic: 'news', notification: { title: 'Tea' } })).status, 200)
})

test('credentials expire for one app alone', async (t) => {
  const [one, other] = [await pushApp(t), await pushApp(t)]
  const send = await Promise.all([one, other].map(async (app) => {
    const phone = await app.device('ios')
    const authorization = `bearer ${await providerToken(app)}`
    return async () => (await sendAPNs(app, phone.token, { aps: { alert: 'Hello' } }, { authorization })).reason
  }))
  assert.deepEqual([await send[0](), await send[1]()], [undefined, undefined])
  await one.expireCredentials()
  assert.deepEqual([await send[0](), await send[1]()], ['ExpiredProviderToken', undefined])
})

test('a sender signs in with the account of the app, without a certificate', async (t) => {
  const app = await pushApp(t)
  const phone = await app.device('android')
  const message = { token: phone.token, data: { a: 'b' } }
  const bearer = await accessToken(app)
  assert.equal((await sendFCM(app, message, { bearer })).status, 200)
  await app.expireCredentials()
  assert.equal((await sendFCM(app, message, { bearer })).status, 401)
  assert.equal((await sendFCM(app, message, { bearer: await accessToken(app) })).status, 200)
})

test('access tokens expire for one of two apps that share a project', async (t) => {
  const { id: project } = await pushApp(t)
  const send = []
  for (const name of ['one', 'other']) {
    const app = await pushApp(t, { id: `${project}.${name}`, project })
    const message = { token: (await app.device('android')).token, data: { a: 'b' } }
    const bearer = await accessToken(app)
    send.push({ app, push: async () => (await sendFCM(app, message, { bearer })).status })
  }
  await send[0].app.expireCredentials()
  assert.deepEqual([await send[0].push(), await send[1].push()], [401, 200])
})

test('a gateway that checks everything accepts the credentials of an app', async (t) => {
  const gateway = await Gateway.start({ options: ['--auth', 'strict'] })
  t.after(() => gateway.close())
  const app = gateway.app()
  const message = { token: (await app.device('android')).token, data: { a: 'b' } }
  assert.equal((await sendFCM(app, message, { bearer: await accessToken(app) })).status, 200)
  const authorization = `bearer ${await providerToken(app)}`
  assert.equal((await sendAPNs(app, (await app.device('ios')).token, { aps: { alert: 'Hello' } }, { authorization })).status, 200)
})

test('tokens of an app expire only if someone has its credentials', async (t) => {
  const app = await pushApp(t)
  await assert.rejects(app.expireCredentials(), (error) =>
    error instanceof PushpitError && /no sender has the credentials of com\.example\..*app\.credentials\(\).*'\/credentials\/expire'/.test(error.message))
  await app.gateway.call('POST', '/credentials/expire')
})

test('the clock is moved if no one else uses the gateway', async (t) => {
  const gateway = await Gateway.start({ options: [] })
  t.after(() => gateway.close())
  const app = gateway.app()
  const before = await app.clock.now()
  assert.ok(await app.clock.advance('2h') - before >= 7_200_000)
  await app.clock.freeze()
  assert.throws(() => gateway.app(), (error) => error instanceof SharedGateway && error.message.includes(`is used by ${app.id}, so no other app can be made`))
  await app.close()
  assert.equal(await gateway.clock.isFrozen(), false)
  const other = gateway.app()
  const third = gateway.app()
  assert.throws(() => other.clock, (error) => error instanceof SharedGateway && /other apps are open: com\.example\.test-\w+, so a test can't move it: start one.*Gateway\.start\(/.test(error.message))
  await third.close()
  assert.ok(await other.clock.now() - before < 7_200_000)
})

test('the clock of a gateway that others may use is refused', async (t) => {
  const shared = await Gateway.start({ url: (await sharedGateway()).url })
  t.after(() => shared.close())
  const app = shared.app()
  t.after(() => app.close())
  assert.throws(() => app.clock, (error) => error instanceof PushpitError && /belongs to everyone .*sharedClock moves it.* fixed hosts would then push to the real Apple/.test(error.message))
  await assert.rejects(shared.clock.advance('1h'), (error) => error instanceof SharedGateway && /'sharedClock' if no one else/.test(error.message))
  assert.equal(await shared.clock.isFrozen(), false)
  await shared.sharedClock.resume()
})
