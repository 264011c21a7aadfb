import { spawn } from 'node:child_process'
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { PushpitError } from './errors.js'

const startLimit = 30_000
const stopLimit = 10_000
const logTail = 2000
// Variables about another gateway. PUSHPIT_APNS_KEY is a path there, and no option with PUSHPIT_APNS_KEY_ID.
const others = ['PUSHPIT_URL', 'PUSHPIT_CERTS', 'PUSHPIT_LISTEN', 'PUSHPIT_READY_FILE', ...(process.env.PUSHPIT_APNS_KEY_ID ? ['PUSHPIT_APNS_KEY'] : [])]

/** The gateways that run. They end when this process ends, however that ends; a normal end also removes their files. */
const running = new Set()
process.on('exit', () => {
  for (const program of running) program.abandon()
})

/** A gateway on a free port of 127.0.0.1 with new credentials. */
export class RunningProgram {
  #child
  #ended
  #directory = mkdtempSync(join(tmpdir(), 'pushpit-'))

  /** @param {{ binary?: string, options?: string[] }} wish the program, and more options of `pushpit serve` */
  static async start({ binary = process.env.PUSHPIT_BINARY || 'pushpit', options = [] } = {}) {
    const program = new RunningProgram(binary, options)
    try {
      program.description = await program.#ready(binary)
    } catch (error) {
      await program.stop()
      throw error
    }
    return program
  }

  constructor(binary, options) {
    const log = openSync(join(this.#directory, 'log'), 'w')
    const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !others.includes(name)))
    // The gateway ends when its standard input ends, which happens when this process ends. A group of its own keeps
    // Ctrl-C for this process.
    this.#child = spawn(
      binary,
      ['serve', '--listen', '127.0.0.1:0', '--certs', this.certificates, '--ready-file', this.#readyFile, '--exit-on-stdin-eof', ...options],
      { stdio: ['pipe', 'ignore', log], env: environment, detached: true })
    closeSync(log)
    this.#ended = new Promise((resolve) => {
      this.#child.once('error', (error) => resolve({ error }))
      this.#child.once('exit', (code, signal) => resolve({ code: code ?? signal }))
    })
    this.#child.stdin.on('error', () => {})
    this.#child.unref()
    this.#child.stdin.unref()
    running.add(this)
  }

  get certificates() { return join(this.#directory, 'certs') }

  get directory() { return this.#directory }

  get pid() { return this.#child.pid }

  get log() { return readFileSync(join(this.#directory, 'log'), 'utf8') }

  get #readyFile() { return join(this.#directory, 'ready.json') }

  /** What the ready file says. A file has no event that comes on every system, so it is looked for often. */
  async #ready(binary) {
    const deadline = Date.now() + startLimit
    let end
    this.#ended.then((found) => { end = found })
    while (Date.now() < deadline) {
      if (existsSync(this.#readyFile)) return JSON.parse(readFileSync(this.#readyFile, 'utf8'))
      if (end) throw startFailure(binary, end, this.log)
      await pause(5)
    }
    throw startFailure(binary, { code: `no sign of life in ${startLimit / 1000} s` }, this.log)
  }

  /** Ends the gateway and removes its files. */
  async stop() {
    if (!running.delete(this)) return
    this.#child.kill('SIGTERM')
    this.#child.stdin.destroy()
    // The first end is orderly: open connections get time. The second one is not.
    const impatience = [setTimeout(() => this.#child.kill('SIGTERM'), 50), setTimeout(() => this.#child.kill('SIGKILL'), stopLimit)]
    await this.#ended
    impatience.forEach(clearTimeout)
    rmSync(this.#directory, { recursive: true, force: true })
  }

  /** The same without waiting, when the process ends. */
  abandon() {
    this.#child.kill('SIGKILL')
    rmSync(this.#directory, { recursive: true, force: true })
  }
}

function startFailure(binary, { error, code }, log) {
  if (error?.code === 'ENOENT') {
    return new PushpitError(
      `there is no program '${binary}'; put pushpit on the PATH, or set PUSHPIT_BINARY to its path, ` +
      'or set PUSHPIT_URL to use a gateway that runs already', { cause: error })
  }
  return new PushpitError(`'${binary} serve' did not start: ${error?.message ?? code}\n${log.slice(-logTail).trim()}`, { cause: error })
}
