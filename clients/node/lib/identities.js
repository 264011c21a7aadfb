import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const googleTokenURL = 'https://oauth2.googleapis.com/token'
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** A key id and a service account that one app has for a time, and can expire without disturbing others. */
class Identity {
  #gateway
  #account
  #folder
  #keyId = Array.from(randomBytes(10), (byte) => alphabet[byte & 31]).join('')
  #project = `pushpit-${this.#keyId.toLowerCase()}`

  constructor(gateway) { this.#gateway = gateway }

  get #email() { return `sender@${this.#project}.iam.gserviceaccount.com` }

  /** Under `pushpit exec` it is Google's. Elsewhere a sender reaches this address, and on this machine without a certificate. */
  get #tokenURL() {
    const { token_uri: given } = this.#account
    return given === googleTokenURL ? given : `${this.#gateway.url}/token`
  }

  async register() {
    const { apns, fcm } = this.#gateway.credentials
    this.#account = JSON.parse(readFileSync(fcm.serviceAccount, 'utf8'))
    const key = { keyId: this.#keyId, teamId: apns.teamId, key: readFileSync(apns.key, 'utf8') }
    await this.#gateway.call('POST', '/credentials/apns-keys', key)
    await this.#gateway.call('POST', '/credentials/service-accounts', { ...this.#account, client_email: this.#email })
  }

  /** The gateway's credentials for an app and a project. The account is a file with its project. */
  credentials(topic, project) {
    const { apns, fcm, ...common } = this.#gateway.credentials
    this.#folder ??= mkdtempSync(join(this.#gateway.directory ?? tmpdir(), 'pushpit-account-'))
    const serviceAccount = join(this.#folder, 'service-account.json')
    const account = { ...this.#account, client_email: this.#email, project_id: project, token_uri: this.#tokenURL }
    writeFileSync(serviceAccount, JSON.stringify(account, null, 2), { mode: 0o600 })
    return { ...common, apns: { ...apns, keyId: this.#keyId, topic }, fcm: { ...fcm, project, serviceAccount } }
  }

  async expire() { await this.#gateway.call('POST', '/credentials/expire', { keyId: this.#keyId, project: this.#project }) }

  removeFiles() {
    if (this.#folder) rmSync(this.#folder, { recursive: true, force: true })
    this.#folder = undefined
  }
}

/** Lends identities, so that a gateway has only as many as there are apps at a time. */
export class Identities {
  #free = []
  #gateway

  constructor(gateway) { this.#gateway = gateway }

  async borrow() {
    const free = this.#free.pop()
    if (free) return free
    const identity = new Identity(this.#gateway)
    await identity.register()
    return identity
  }

  giveBack(identity) {
    identity.removeFiles()
    this.#free.push(identity)
  }
}
