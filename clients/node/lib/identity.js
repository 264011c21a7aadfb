import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const googleTokenURL = 'https://oauth2.googleapis.com/token'
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** A key and a service account of one app, which can expire without disturbing others. */
export class Identity {
  #gateway
  #project
  #account
  #folder
  #keyId = Array.from(randomBytes(10), (byte) => alphabet[byte & 31]).join('')

  constructor(gateway, project) {
    this.#gateway = gateway
    this.#project = project
  }

  static async register(gateway, project) {
    const made = new Identity(gateway, project)
    await made.#register()
    return made
  }

  /** The gateway knows the account and its project by this address. */
  get #email() { return `sender-${this.#keyId.toLowerCase()}@${this.#project}.iam.gserviceaccount.com` }

  /** Under `pushpit exec` it is Google's. Elsewhere a sender reaches this address, and on this machine without a certificate. */
  get #tokenURL() {
    const { token_uri: given } = this.#account
    return given === googleTokenURL ? given : `${this.#gateway.url}/token`
  }

  async #register() {
    const { apns, fcm } = this.#gateway.credentials
    this.#account = { ...JSON.parse(readFileSync(fcm.serviceAccount, 'utf8')), client_email: this.#email, project_id: this.#project }
    this.#account.token_uri = this.#tokenURL
    const key = { keyId: this.#keyId, teamId: apns.teamId, key: readFileSync(apns.key, 'utf8') }
    try {
      await this.#gateway.call('POST', '/credentials/apns-keys', key)
      await this.#gateway.call('POST', '/credentials/service-accounts', this.#account)
    } catch (error) {
      await this.#forget().catch(() => {})
      throw error
    }
    this.#folder = mkdtempSync(join(this.#gateway.directory ?? tmpdir(), 'pushpit-account-'))
    writeFileSync(this.#file, JSON.stringify(this.#account, null, 2), { mode: 0o600 })
  }

  get #file() { return join(this.#folder, 'service-account.json') }

  /** The gateway's credentials with this key, for the topic, and this account. */
  credentials(topic) {
    const { apns, fcm, ...common } = this.#gateway.credentials
    return {
      ...common, apns: { ...apns, keyId: this.#keyId, topic },
      fcm: { ...fcm, project: this.#project, serviceAccount: this.#file },
    }
  }

  async expire() { await this.#gateway.call('POST', '/credentials/expire', { keyId: this.#keyId, clientEmail: this.#email }) }

  async remove() {
    rmSync(this.#folder, { recursive: true, force: true })
    await this.#forget()
  }

  async #forget() {
    const paths = [`apns-keys/${this.#keyId}`, `service-accounts/${this.#email}`]
    const results = await Promise.allSettled(paths.map((path) => this.#gateway.call('DELETE', `/credentials/${path}`)))
    // 404: somebody has removed it, or the gateway was started again.
    const failed = results.find(({ reason }) => reason && reason.status !== 404)
    if (failed) throw failed.reason
  }
}
