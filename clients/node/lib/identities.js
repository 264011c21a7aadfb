import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
let folder

/** A folder for service accounts, which is removed when the process ends. */
function accounts() {
  if (!folder) {
    folder = mkdtempSync(join(tmpdir(), 'pushpit-accounts-'))
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  }
  return folder
}

/** A key id and a service account that one user of a gateway has for a time, and can expire without disturbing others. */
class Identity {
  constructor(gateway) {
    this.gateway = gateway
    this.keyId = Array.from(randomBytes(10), (byte) => alphabet[byte & 31]).join('')
    this.project = `pushpit-${this.keyId.toLowerCase()}`
  }

  get email() { return `sender@${this.project}.iam.gserviceaccount.com` }

  async register() {
    const { apns, fcm } = this.gateway.credentials
    this.account = JSON.parse(readFileSync(fcm.serviceAccount, 'utf8'))
    await this.gateway.call('POST', '/credentials/apns-keys', { keyId: this.keyId, teamId: apns.teamId, key: readFileSync(apns.key, 'utf8') })
    await this.gateway.call('POST', '/credentials/service-accounts', { ...this.account, client_email: this.email })
  }

  /** The gateway's credentials for an app and a project. The account is a file with its project. */
  credentials(topic, project) {
    const { apns, fcm, ...common } = this.gateway.credentials
    const serviceAccount = join(accounts(), `${this.keyId}.json`)
    writeFileSync(serviceAccount, JSON.stringify({ ...this.account, client_email: this.email, project_id: project }, null, 2), { mode: 0o600 })
    return { ...common, apns: { ...apns, keyId: this.keyId, topic }, fcm: { ...fcm, project, serviceAccount } }
  }

  async expire() { await this.gateway.call('POST', '/credentials/expire', { keyId: this.keyId, project: this.project }) }
}

/** Lends identities, so that a gateway has only as many as there are apps at a time. */
export class Identities {
  #free = []

  constructor(gateway) { this.gateway = gateway }

  async borrow() {
    const free = this.#free.pop()
    if (free) return free
    const identity = new Identity(this.gateway)
    await identity.register()
    return identity
  }

  giveBack(identity) { this.#free.push(identity) }
}
