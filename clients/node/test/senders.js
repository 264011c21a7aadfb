import { createPrivateKey, createSign, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { connect } from 'node:http2'

/** Sends a message over FCM as a backend would, and returns the status and the body. */
export async function sendFCM(app, message, { bearer = 'any' } = {}) {
  const answer = await fetch(`${app.gateway.url}/v1/projects/${app.project}/messages:send`, {
    method: 'POST', headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' }, body: JSON.stringify({ message }),
  })
  return { status: answer.status, retryAfter: answer.headers.get('retry-after'), body: await answer.json() }
}

/** An access token for the app's service account. */
export async function accessToken(app) {
  const { fcm } = await app.credentials()
  const account = JSON.parse(readFileSync(fcm.serviceAccount, 'utf8'))
  const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const now = Math.floor(Date.now() / 1000)
  const claims = { iss: account.client_email, aud: account.token_uri, iat: now, exp: now + 3600, scope: 'https://www.googleapis.com/auth/firebase.messaging' }
  const signed = `${part({ alg: 'RS256', typ: 'JWT', kid: account.private_key_id })}.${part(claims)}`
  const assertion = `${signed}.${createSign('RSA-SHA256').update(signed).sign(account.private_key, 'base64url')}`
  const body = new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion })
  return (await (await fetch(account.token_uri, { method: 'POST', body })).json()).access_token
}

/** A provider token of the app's key. */
export async function providerToken(app) {
  const { apns } = await app.credentials()
  const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = `${part({ alg: 'ES256', kid: apns.keyId })}.${part({ iss: apns.teamId, iat: Math.floor(Date.now() / 1000) })}`
  const key = createPrivateKey(readFileSync(apns.key))
  return `${signed}.${sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
}

/** Sends a push over APNs with TLS, and returns the status and the reason. */
export async function sendAPNs(app, token, payload, { authorization, ...fields } = {}) {
  const bearer = authorization ?? `bearer ${await providerToken(app)}`
  const session = connect(app.gateway.pushURL, { ca: readFileSync(app.gateway.credentials.ca) })
  try {
    return await new Promise((resolve, reject) => {
      session.on('error', reject)
      const request = session.request({
        ':method': 'POST', ':path': `/3/device/${token}`, authorization: bearer, 'apns-topic': app.id, ...fields })
      let status
      let text = ''
      request.on('response', (headers) => { status = headers[':status'] })
      request.on('data', (chunk) => { text += chunk })
      request.on('error', reject)
      request.on('end', () => resolve({ status, reason: text ? JSON.parse(text).reason : undefined }))
      request.end(JSON.stringify(payload))
    })
  } finally {
    session.close()
  }
}
