import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Gateway, PushpitError, pushApp, sharedGateway } from 'pushpit'

const patience = 10_000

/** A process of Node that runs this module text, and the first line that it prints. */
async function started(source, environment = {}) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
    cwd: fileURLToPath(new URL('..', import.meta.url)), env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  for await (const chunk of child.stdout) {
    text += chunk
    if (text.includes('\n')) break
  }
  return { child, line: text.split('\n')[0] }
}

const exited = (child) => new Promise((resolve) => child.exitCode !== null || child.signalCode ? resolve() : child.once('exit', resolve))

const isRunning = (pid) => {
  try { return process.kill(pid, 0) } catch { return false }
}

/** Waits until the process and its directory are gone. Processes that are not children have no event, so this looks often. */
async function isGone([pid, directory]) {
  for (const deadline = Date.now() + patience; Date.now() < deadline; await pause(5)) {
    if (!isRunning(Number(pid)) && !existsSync(directory)) return true
  }
  return false
}

const prints = "import { sharedGateway } from 'pushpit'; const gateway = await sharedGateway(); " +
  'console.log(`${gateway.pid} ${gateway.directory}`);'

test('a misspelled option is refused', async (t) => {
  await assert.rejects(Gateway.start({ option: [] }), /Gateway\.start has no option 'option'; it has url, apiToken, binary, options/)
  await assert.rejects(pushApp(t, { ids: 'a.b' }), /pushApp has no option 'ids'; it has id, project, gateway/)
  const gateway = await sharedGateway()
  assert.throws(() => gateway.app({ name: 'a.b' }), /gateway\.app has no option 'name'/)
  assert.throws(() => gateway.app(t), /gateway\.app takes an object with id, project, not TestContext/)
  assert.throws(() => gateway.app('a.b'), /gateway\.app takes an object with id, project, not String/)
})

test('a gateway is started on a free port, and ends when it is closed', async () => {
  const gateway = await Gateway.start({ options: [] })
  assert.equal(gateway.isShared, false)
  assert.match(gateway.url, /^http:\/\/127\.0\.0\.1:\d+$/)
  assert.equal(gateway.pushURL, `https://localhost:${gateway.port}`)
  assert.match(gateway.version, /^\d+\.\d+/)
  assert.ok(existsSync(gateway.credentials.fcm.serviceAccount))
  assert.equal(typeof gateway.log, 'string')
  const { pid, directory } = gateway
  assert.ok(isRunning(pid) && existsSync(directory))
  await gateway.close()
  await gateway.close()
  assert.deepEqual([isRunning(pid), existsSync(directory), gateway.log], [false, false, ''])
  await assert.rejects(gateway.call('GET', '/stats'), /does not answer GET \/api\/v1\/stats: .*ECONNREFUSED.*; start it there, or unset PUSHPIT_URL/)
})

/** A program that does not end with its standard input. */
const stubborn = `#!/bin/sh
while [ "$1" != --ready-file ]; do shift; done
echo $$ >"$(dirname "$0")/pid"
printf '{"url":"http://127.0.0.1:1","pid":%s}' $$ >"$2.new" && mv "$2.new" "$2"
exec sleep 1000
`

test('a program that does not end with its input gets a signal', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'pushpit-stubborn-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const binary = join(folder, 'pushpit')
  writeFileSync(binary, stubborn, { mode: 0o700 })
  await assert.rejects(Gateway.start({ binary, options: [] }), /the gateway at http:\/\/127\.0\.0\.1:1 does not answer/)
  assert.equal(isRunning(Number(readFileSync(join(folder, 'pid'), 'utf8'))), false)
})

test('a running gateway and an open socket do not keep a process alive, and the gateway ends with it', async () => {
  const { child, line } = await started(`${prints} await (await gateway.device('android')).connect()`)
  await exited(child)
  assert.equal(child.exitCode, 0)
  assert.ok(await isGone(line.split(' ')))
})

for (const killed of ['the process is', 'the process and the gateway are']) {
  test(`a gateway ends and leaves no file if ${killed} killed`, async () => {
    const { child, line } = await started(`${prints} setInterval(() => {}, 1000)`)
    const pid = Number(line.split(' ')[0])
    assert.ok(isRunning(pid))
    if (killed !== 'the process is') process.kill(pid, 'SIGKILL')
    child.kill('SIGKILL')
    await exited(child)
    assert.ok(await isGone(line.split(' ')))
  })
}

test('a gateway that is started ignores the options of another one', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'pushpit-options-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const { line } = await started("import { Gateway } from 'pushpit'; const g = await Gateway.start(); console.log(g.isShared); await g.close()", {
    PUSHPIT_DATA: join(folder, 'data'), PUSHPIT_API_TOKEN_FILE: join(folder, 'token'), PUSHPIT_SEED: join(folder, 'seed'), PUSHPIT_LISTEN: 'nonsense' })
  assert.equal(line, 'false')
  assert.deepEqual(readdirSync(folder), [])
})

test('PUSHPIT_URL names a gateway that runs already', async (t) => {
  const own = await Gateway.start({ options: ['--api-token=secret'] })
  t.after(() => own.close())
  writeFileSync(join(own.directory, 'token'), 'secret\n')
  const source = "import { Gateway } from 'pushpit'; const g = await Gateway.start(); console.log(JSON.stringify([g.isShared, g.url, g.pid ?? null, g.credentials.ca])); await g.close()"
  const { line } = await started(source, {
    PUSHPIT_URL: own.pushURL, PUSHPIT_API_TOKEN_FILE: join(own.directory, 'token'), PUSHPIT_CERTS: own.credentials.ca.replace(/\/ca\.pem$/, '') })
  assert.deepEqual(JSON.parse(line), [true, own.url.replace('127.0.0.1', 'localhost'), null, own.credentials.ca])
  assert.ok((await own.call('GET', '/stats')).accepted === 0, 'it still runs')
  await assert.rejects(Gateway.start({ url: own.url }), /401 noToken/)
  await assert.rejects(Gateway.start({ url: own.url, options: [] }), PushpitError)
})

test('the credentials of a gateway in another directory are found', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'pushpit-elsewhere-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const ready = join(folder, 'ready.json')
  const program = spawn(process.env.PUSHPIT_BINARY, ['serve', '--listen', '127.0.0.1:0', '--certs', 'certs', '--ready-file', ready], { cwd: folder, stdio: 'ignore' })
  t.after(() => program.kill())
  while (!existsSync(ready)) await pause(5)
  const shared = await Gateway.start({ url: JSON.parse(readFileSync(ready, 'utf8')).url })
  t.after(() => shared.close())
  assert.equal(shared.credentials.ca, join(folder, 'certs', 'ca.pem'))
})

test('credentials that are not there are an error that says what to set', async () => {
  const { url } = await sharedGateway()
  const { line } = await started("import { Gateway } from 'pushpit'; const g = await Gateway.start(); try { g.credentials } catch (error) { console.log(error.message) }", {
    PUSHPIT_URL: url, PUSHPIT_CERTS: '/none' })
  assert.match(line, /no credentials in \/none\/pushpit\.json: set PUSHPIT_CREDENTIALS to the path of the pushpit\.json/)
})

test('what can go wrong at the start is one sentence', async () => {
  await assert.rejects(Gateway.start({ binary: '/none/pushpit', options: [] }), /there is no program '\/none\/pushpit'; put pushpit on the PATH, or set PUSHPIT_BINARY/)
  await assert.rejects(Gateway.start({ options: ['--auth', 'loose'] }), /serve' did not start \(64\): .*loose/s)
  await assert.rejects(Gateway.start({ url: 'localhost:2197' }), /'localhost:2197' is not the address of a gateway: write it like http:/)
  await assert.rejects(Gateway.start({ url: 'http://127.0.0.1:1' }), /the gateway at http:\/\/127\.0\.0\.1:1 does not answer/)
})

test('the tests of a process share one gateway', async (t) => {
  const [one, other] = [await pushApp(t), await pushApp(t)]
  assert.equal(one.gateway, other.gateway)
  assert.notEqual(one.id, other.id)
  assert.match(one.id, /^com\.example\.test-[0-9a-f]{12}$/)
})

test('a remote gateway is called over TLS, which needs its authority', async (t) => {
  const { Api } = await import('../lib/api.js')
  const gateway = await sharedGateway()
  // The certificate also has Apple's names. Only the name decides whether a gateway counts as one of this machine.
  const api = new Api(`https://[::ffff:127.0.0.1]:${gateway.port}`)
  t.after(() => api.close())
  await assert.rejects(api.call('GET', '/stats'), /; set PUSHPIT_CA to the path of its ca\.pem/)
  const { request } = await import('node:https')
  const status = await new Promise((resolve, reject) => request(`${gateway.pushURL}/livez`, { ca: readFileSync(gateway.credentials.ca) }, (answer) => {
    answer.resume()
    resolve(answer.statusCode)
  }).on('error', reject).end())
  assert.equal(status, 200)
})
