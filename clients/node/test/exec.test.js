import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

/** Two tests with the same app and project, each with one push to a phone and one to a topic. */
const suite = `
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pushApp } from 'pushpit'
import { sendFCM } from './test/senders.js'

for (const title of ['Breakfast', 'Lunch']) test(title, async (t) => {
  const app = await pushApp(t, { id: 'com.acme.shop', project: 'acme' })
  const phone = await app.device('android')
  await sendFCM(app, { token: phone.token, notification: { title } })
  await sendFCM(app, { topic: 'news', notification: { title } })
  await app.expect({ count: 2 })
  assert.equal((await app.messages()).length, 2)
  await app.expect({ topic: 'news', count: 1, within: '0s' })
})`

test('exec expects and reports the pushes of tests that are over', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'pushpit-test-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const [expectations, report] = ['pushes.json', 'report.json'].map((name) => join(folder, name))
  const presented = { match: { app: 'com.acme.shop', event: { kind: 'presented' } }, count: 2 }
  writeFileSync(expectations, JSON.stringify([presented, { match: { topic: 'news', app: 'acme' }, count: 2 }]))
  const { NODE_TEST_CONTEXT, ...env } = process.env
  const words = ['exec', '--expect', expectations, '--report', 'json', report, '--', process.execPath, '--input-type=module', '-e', suite]
  const done = spawnSync(env.PUSHPIT_BINARY, words, { cwd: fileURLToPath(new URL('..', import.meta.url)), encoding: 'utf8', env })
  assert.equal(done.status, 0, done.stdout + done.stderr)
  assert.match(done.stderr, /4 pushes were caught/)
  const titles = JSON.parse(readFileSync(report, 'utf8')).messages.map(({ request }) => request.body.message.notification.title)
  assert.deepEqual(titles, ['Breakfast', 'Breakfast', 'Lunch', 'Lunch'])
})
