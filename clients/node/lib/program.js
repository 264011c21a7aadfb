import { spawn } from 'node:child_process'
import { closeSync, existsSync, fstatSync, mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { PushpitError } from './errors.js'

const startLimit = 30_000
/** How long open connections may take to finish, and after how long a gateway that does not end is killed. */
const patience = [50, 10_000]
const logTail = 2000
/** Runs a program, removes a directory however the program has ended, and ends like the program. */
const script = '"$@"; code=$?; rm -rf -- "$0"; exit $code'
const notFound = 127

/**
 * A gateway on a free port of 127.0.0.1 with new credentials. Its standard input is a pipe that ends with this process,
 * however that ends. Then the gateway ends too, and a shell removes its files.
 */
export class RunningProgram {
  #shell
  #ended
  #log
  #directory = mkdtempSync(join(tmpdir(), 'pushpit-'))

  /** @param {{ binary?: string, options?: string[] }} wish the program, and more options of `pushpit serve` */
  static async start({ binary = process.env.PUSHPIT_BINARY || 'pushpit', options = [] } = {}) {
    const program = new RunningProgram(binary, options)
    program.description = await program.#ready(binary)
    return program
  }

  constructor(binary, options) {
    const command = [
      binary, 'serve', '--listen', '127.0.0.1:0', '--certs', join(this.#directory, 'certs'), '--ready-file', this.#readyFile,
      '--exit-on-stdin-eof', ...options]
    // Most of the variables PUSHPIT_… are options of `pushpit serve`, for another gateway.
    const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('PUSHPIT_')))
    // Open until the end, because the shell may remove the file at any time.
    this.#log = openSync(join(this.#directory, 'log'), 'w+')
    // Ctrl-C is for this process alone, so the gateway is in a group that the terminal does not signal.
    this.#shell = spawn('/bin/sh', ['-c', script, this.#directory, ...command], { stdio: ['pipe', 'ignore', this.#log], env: environment, detached: true })
    this.#ended = new Promise((resolve) => {
      this.#shell.once('error', () => resolve(notFound))
      this.#shell.once('exit', resolve)
    })
    this.#shell.stdin.on('error', () => {})
    this.#shell.stdin.unref()
    this.#shell.unref()
  }

  /** The gateway's directory. Its users may write files there too; it is removed when the gateway ends. */
  get directory() { return this.#directory }

  get log() {
    if (this.#log === undefined) return ''
    const bytes = Buffer.alloc(fstatSync(this.#log).size)
    return bytes.toString('utf8', 0, readSync(this.#log, bytes, 0, bytes.length, 0))
  }

  get #readyFile() { return join(this.#directory, 'ready.json') }

  /** What the ready file says. A file has no event that comes on every system, so it is looked for often. */
  async #ready(binary) {
    const deadline = Date.now() + startLimit
    let code
    this.#ended.then((found) => { code = found })
    while (code === undefined && Date.now() < deadline) {
      if (existsSync(this.#readyFile)) return JSON.parse(readFileSync(this.#readyFile, 'utf8'))
      await pause(5)
    }
    const log = this.log.slice(-logTail).trim()
    await this.stop()
    if (code === notFound) {
      throw new PushpitError(
        `there is no program '${binary}'; put pushpit on the PATH, or set PUSHPIT_BINARY to its path, ` +
        'or set PUSHPIT_URL to use a gateway that runs already')
    }
    throw new PushpitError(`'${binary} serve' did not start (${code ?? `not ready after ${startLimit / 1000} s`}): ${log}`)
  }

  /** Ends the gateway, and removes its files. */
  async stop() {
    const timers = ['SIGTERM', 'SIGKILL'].map((signal, index) => setTimeout(() => this.#signal(signal), patience[index]))
    this.#shell.stdin.destroy()
    await this.#ended
    timers.forEach(clearTimeout)
    rmSync(this.#directory, { recursive: true, force: true })
    if (this.#log !== undefined) closeSync(this.#log)
    this.#log = undefined
  }

  /** Before the gateway is ready, its process is not known, and the group gets the signal. */
  #signal(signal) {
    try {
      process.kill(this.description?.pid ?? -this.#shell.pid, signal)
    } catch { /* It has ended, and the shell removes the files. */ }
  }
}

/** The value of --api-token in these options of `pushpit serve`. */
export function tokenIn(options = []) {
  const words = options.flatMap((option) => option.split(/=(.*)/s, 2))
  return words[words.lastIndexOf('--api-token') + 1 || words.length]
}
