import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import * as kit from 'pushpit'

const root = fileURLToPath(new URL('..', import.meta.url))
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** A project with the package in its node_modules: only the files that the manifest names, as npm would pack them. */
function project(t, { asLink = false } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'pushpit-project-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const target = join(folder, 'node_modules', 'pushpit')
  if (asLink) {
    mkdirSync(join(folder, 'node_modules'))
    symlinkSync(root, target)
  } else {
    for (const file of ['package.json', ...manifest.files]) cpSync(join(root, file), join(target, file), { recursive: true })
  }
  return folder
}

// A test runner inside a test must not take part in the outer one.
const { NODE_TEST_CONTEXT, ...environment } = process.env

function run(folder, command, ...words) {
  const done = spawnSync(command, words, { cwd: folder, encoding: 'utf8', env: environment })
  return { code: done.status, text: done.stdout + done.stderr, error: done.error }
}

const prints = "import('pushpit').then((kit) => console.log(Object.keys(kit).sort().join(' ')))"

test('the package is complete without the files that it leaves out', (t) => {
  for (const asLink of [false, true]) {
    const folder = project(t, { asLink })
    assert.equal(run(folder, process.execPath, '--input-type=module', '-e', prints).text.trim(), Object.keys(kit).sort().join(' '))
    // CommonJS, as in a test file of Jest or Mocha.
    assert.equal(run(folder, process.execPath, '--input-type=commonjs', '-e', prints).text.trim(), Object.keys(kit).sort().join(' '))
    assert.match(run(folder, process.execPath, '--input-type=module', '-e', "import 'pushpit/lib/api.js'").text, /ERR_PACKAGE_PATH_NOT_EXPORTED/)
  }
})

test('the example of the README works as it is printed', (t) => {
  const folder = project(t, { asLink: true })
  const blocks = [...readFileSync(join(root, 'README.md'), 'utf8').matchAll(/^```js\n(.*?)^```$/gms)].map((match) => match[1])
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'welcome.js'), blocks[0])
  writeFileSync(join(folder, 'welcome.test.js'), blocks[1])
  const right = run(folder, process.execPath, '--test')
  assert.match(right.text, /^# pass 3$/m, right.text)
  writeFileSync(join(folder, 'welcome.js'), blocks[0].replace("'Welcome'", "'Welcom'"))
  writeFileSync(join(folder, 'welcome.test.js'), blocks[1].replaceAll('count: 1', "count: 1, within: '0s'"))
  assert.match(run(folder, process.execPath, 'welcome.test.js').text, /notification\/title: expected "Welcome", got "Welcom"/)
})

test('what the manifest names exists, and the version is that of the program', () => {
  for (const file of [...manifest.files, manifest.types, ...Object.values(manifest.exports['.'])]) assert.ok(existsSync(join(root, file)), file)
  const { stdout } = spawnSync(process.env.PUSHPIT_BINARY, ['--version'], { encoding: 'utf8' })
  assert.equal(stdout.trim(), `pushpit ${manifest.version}`)
})

/** The public names that a declaration gives a class, by class. */
function declared() {
  const classes = {}
  let names
  for (const line of sources('.d.ts').split('\n')) {
    const start = /^export class (\w+)/.exec(line)
    if (start) classes[start[1]] = names = new Set()
    else if (/^[^ ]/.test(line)) names = undefined
    const member = /^ {2}(?:static |readonly )*(\w+)[(?:]/.exec(line)
    if (member) names?.add(member[1])
  }
  return classes
}

const sources = (ending) => readdirSync(join(root, 'lib')).filter((name) => name.endsWith(ending)).map((name) => readFileSync(join(root, 'lib', name), 'utf8')).join('\n')

/** Methods that only the kit itself calls. */
const internal = ['DeviceSocket.open', 'Fault.together', 'Gateway.expectRequest', 'PushApp.ready']

test('the declarations have every class with every method', () => {
  const classes = declared()
  const exported = Object.entries(kit).filter(([, value]) => /^class /.test(String(value)))
  assert.deepEqual(Object.keys(classes).sort(), exported.map(([name]) => name).sort())
  for (const [name, value] of exported.filter(([, value]) => !(value.prototype instanceof Error))) {
    const real = [...Object.getOwnPropertyNames(value.prototype), ...Object.getOwnPropertyNames(value).filter((word) => typeof value[word] === 'function')]
    for (const word of real.filter((word) => word !== 'constructor' && !internal.includes(`${name}.${word}`))) {
      assert.ok(classes[name].has(word), `${name}.${word} is not declared`)
    }
    for (const word of classes[name]) assert.ok(real.includes(word) || new RegExp(`\\b(this|socket)\\.${word} = `).test(sources('.js')), `${name}.${word} is declared and does not exist`)
  }
})

const typed = `import { Gateway, pushApp, answer, ExpectationFailed, type Message, type Device, type PushApp } from 'pushpit'
export const project = (app: PushApp): string => app.project
declare const console: { log(...words: unknown[]): void }
export async function all(t: { after(end: () => unknown): void }): Promise<string> {
  const app = await pushApp(t)
  const phone: Device = await app.device('ios', { state: { online: false }, extension: { script: 'firebase' } })
  await app.fault(answer(503, 'ServiceUnavailable'), { times: 1, for: '1m', match: { provider: 'apns' } })
  const [message]: Message[] = await app.expect({ device: phone, reason: { prefix: 'Bad' }, body: { '/aps/badge': 3 }, count: 1, within: 500 })
  const socket = await phone.connect({ wants: ['push'] })
  await app.fault([{ answer: { status: 503 } }, { delay: '5s' }, { goAway: { code: 'NO_ERROR' } }])
  await app.expect({ event: { kind: 'presented' } })
  console.log((await phone.notification({ within: '1s' })).title, phone.fid, (await socket.nextEvent(['presented', 'suppressed'], { within: 100 })).type)
  for await (const frame of socket) console.log(frame.type, (await phone.shade())[0]!.title)
  const gateway = await Gateway.start({ options: ['--auth', 'strict'] })
  void (async () => {
    MISTAKES
  })
  return new ExpectationFailed().nearest[0]!.message + message!.id + (await gateway.clock.advance('1h')).toISOString()
}
`
const mistakes = [
  "app.device('windows')", "app.expect({ titel: 'x' })", "app.messages({ reason: { prefix: 'x' } })", 'phone.tokn', "phone.setState({ online: 'no' })",
  "app.fault({ delya: '5s' })", "app.expect({ event: { kind: 'presentd' } })", "socket.nextEvent('presentd')", "socket.nextEvent('presented', 100)",
]

test('the declarations are right for TypeScript', (t) => {
  if (spawnSync('tsc', ['--version']).error) return t.skip('there is no tsc; on Debian it is in the package node-typescript')
  const folder = project(t)
  const options = ['--noEmit', '--strict', '--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes', '--target', 'es2022', '--lib', 'es2022', '--module', 'nodenext']
  writeFileSync(join(folder, 'use.mts'), typed.replace('MISTAKES', mistakes.join('\n')))
  const found = run(folder, 'tsc', ...options, 'use.mts').text
  const first = typed.slice(0, typed.indexOf('MISTAKES')).split('\n').length
  const lines = new Set([...found.matchAll(/^use\.mts\((\d+),\d+\): error TS/gm)].map((match) => Number(match[1]) - first))
  assert.deepEqual([...lines].sort((one, other) => one - other), mistakes.map((_, index) => index), found)
  assert.doesNotMatch(found, /^(?!use\.mts|  ).*error TS/m)
})
