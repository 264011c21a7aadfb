import { readFileSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import { CallRefused, PushpitError } from './errors.js'
import { defined } from './values.js'

const base = '/api/v1'
const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/

/** The control API of a gateway. */
export class Api {
  #rules

  /**
   * @param {string} address A gateway on this machine is called in clear text, because faults can break its TLS.
   * @param {{ token?: string, ca?: string }} options the API token, and the path of the authority for https
   */
  constructor(address, { token, ca } = {}) {
    const url = parsed(address)
    if (loopback.test(url.hostname)) url.protocol = 'http:'
    this.url = url
    this.isSecure = url.protocol === 'https:'
    this.ca = this.isSecure && ca ? readFileSync(ca) : undefined
    this.token = token
    this.fields = token ? { authorization: `Bearer ${token}` } : {}
    // Sockets that wait for a request do not keep the process alive.
    this.agent = new (this.isSecure ? https : http).Agent({ keepAlive: true, ca: this.ca, autoSelectFamily: true })
  }

  /** The address without a slash at the end. */
  get address() { return this.url.origin }

  /** Calls the API, and returns the JSON of the answer. Statuses other than 2xx throw, unless they are in `accepted`. */
  async call(method, path, body, { query, accepted = [] } = {}) {
    const { status, text } = await this.request(method, `${base}${path}${queryText(query)}`, body)
    if (status >= 300 && !accepted.includes(status)) throw refusal(`${method} ${base}${path}`, status, text)
    return text ? JSON.parse(text) : undefined
  }

  /** The rows of a list from all of its pages. With a `limit` in the query, only those of the first page. */
  async pages(path, name, query = {}) {
    const rows = []
    let cursor
    do {
      const page = await this.call('GET', path, undefined, { query: { ...query, limit: query.limit ?? 1000, cursor } })
      rows.push(...page[name])
      cursor = page.next ?? undefined
    } while (cursor !== undefined && query.limit === undefined)
    return rows
  }

  /** What docs/rules.md has about a rule. Empty for an unknown one. */
  async rule(id) {
    this.#rules ??= new Map((await this.pages('/rules', 'rules')).map((row) => [row.id, row]))
    return this.#rules.get(id) ?? {}
  }

  /** The events so far. */
  async events(query) {
    const path = `${base}/events${queryText({ since: 0, ...query, follow: false })}`
    const { status, text } = await this.request('GET', path, undefined, { accept: 'application/x-ndjson' })
    if (status !== 200) throw refusal(`GET ${path}`, status, text)
    return text.split('\n').filter(Boolean).map((line) => JSON.parse(line)).filter((event) => event.seq !== undefined)
  }

  /** Ends the connections that wait for a request. */
  close() { this.agent.destroy() }

  /** One request. It is sent again if it used an idle connection that the gateway had closed. */
  async request(method, path, body, headers = {}) {
    try {
      return await this.#send(method, path, body, headers)
    } catch (error) {
      if (error.code === 'ECONNRESET' && error.wasReused) return this.#send(method, path, body, headers)
      throw new PushpitError(`the gateway at ${this.address} does not answer ${method} ${path}: ${error.message || error.code}${advice(error)}`, { cause: error })
    }
  }

  #send(method, path, body, headers) {
    const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
    const bodyHeaders = bytes ? { 'content-type': 'application/json', 'content-length': bytes.length } : {}
    return new Promise((resolve, reject) => {
      const request = (this.isSecure ? https : http).request(
        new URL(path, this.url), { method, agent: this.agent, headers: { ...this.fields, ...bodyHeaders, ...headers } },
        (answer) => {
          const chunks = []
          answer.on('data', (chunk) => chunks.push(chunk))
          answer.on('error', reject)
          answer.on('end', () => resolve({ status: answer.statusCode, text: Buffer.concat(chunks).toString() }))
        })
      request.on('error', (error) => reject(Object.assign(error, { wasReused: request.reusedSocket })))
      request.end(bytes)
    })
  }
}

function parsed(address) {
  let url
  try { url = new URL(address) } catch { /* The error below names the address. */ }
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new PushpitError(`'${address}' is not the address of a gateway: write it like http://127.0.0.1:2197`)
  }
  return url
}

function queryText(query = {}) {
  const pairs = Object.entries(defined(query)).map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

function refusal(call, status, text) {
  let error
  try { error = JSON.parse(text).error } catch { /* It is not JSON. */ }
  return new CallRefused(call, status, error ?? { message: text.slice(0, 200) })
}

const untrusted = ['SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'DEPTH_ZERO_SELF_SIGNED_CERT']

function advice(error) {
  if (error.code === 'ECONNREFUSED') return "; start it there, or unset PUSHPIT_URL, and the kit starts one"
  return untrusted.includes(error.code) ? '; set PUSHPIT_CA to the path of its ca.pem, or use its http:// address' : ''
}
