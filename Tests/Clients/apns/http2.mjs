// client: Node, http2
// package: deb:nodejs
// version: node --version
// proxy: ignores HTTPS_PROXY
// set: `NODE_EXTRA_CA_CERTS=certs/ca.pem`; `connect("https://localhost:2197")`
// trap: After a GOAWAY, every open request ends with ERR_HTTP2_STREAM_ERROR, and none is repeated.
// trap: `ca` in the options of `connect` replaces the certificates of `NODE_EXTRA_CA_CERTS`.
// trap: Opens a stream before it reads the first SETTINGS. If these allow no stream, the next request waits without end.
// 
// accepted       | ok | 1
// bad token      | 400 BadDeviceToken | 1
// unregistered   | 410 Unregistered | 1
// expired        | 403 ExpiredProviderToken; ok | 3
// too large      | 413 PayloadTooLarge | 1
// quota          | 429 TooManyRequests | 1
// unavailable    | 503 ServiceUnavailable | 1
// GOAWAY         | 49 ok, 51 ERR_HTTP2_STREAM_ERROR | 51
// concurrent     | 500 ok | 501
// unknown reason | 410 ExpiredToken; 403 BadEnvironmentKeyInToken | 2
// first SETTINGS | ok; no end within 8 s on 1 connection | 1
import { createPrivateKey, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { connect } from 'node:http2'
import { createInterface } from 'node:readline'

const env = process.env
const key = createPrivateKey(readFileSync(env.PUSHPIT_APNS_KEY))
const base64url = (value) => Buffer.from(value).toString('base64url')
let session
let bearer

function makeBearer() {
  const header = base64url(JSON.stringify({ alg: 'ES256', kid: env.PUSHPIT_APNS_KEY_ID }))
  const claims = base64url(JSON.stringify({ iss: env.PUSHPIT_APNS_TEAM_ID, iat: Math.floor(Date.now() / 1000) }))
  const signature = sign('sha256', Buffer.from(`${header}.${claims}`), { key, dsaEncoding: 'ieee-p1363' })
  return `${header}.${claims}.${base64url(signature)}`
}

/** The open connection, or a new one. */
function connection() {
  if (session && !session.closed && !session.destroyed) return session
  session = connect('https://api.push.apple.com')
  session.on('error', () => {})
  return session
}

function push(token, body) {
  return new Promise((resolve) => {
    bearer ??= makeBearer()
    const stream = connection().request({
      ':method': 'POST', ':path': `/3/device/${token}`, authorization: `bearer ${bearer}`,
      'apns-topic': env.PUSHPIT_APNS_TOPIC, 'apns-push-type': 'alert',
    })
    let status, text = '', failure
    stream.setEncoding('utf8')
    stream.on('response', (fields) => { status = fields[':status'] })
    stream.on('data', (piece) => { text += piece })
    stream.on('error', (error) => { failure = error.code })
    stream.on('close', () => {
      if (status === 403) bearer = undefined
      resolve(failure ?? (status === undefined ? 'no answer' : status === 200 ? 'ok' : `${status} ${JSON.parse(text).reason}`))
    })
    stream.end(body)
  })
}

console.log(`= ready ${env.PUSHPIT_URL} ${env.PUSHPIT_CA}`)
for await (const line of createInterface({ input: process.stdin })) {
  const [order, size, ...tokens] = line.split(' ')
  if (order === 'new') session = undefined
  if (order !== 'send') continue
  const body = JSON.stringify({ aps: { alert: 'Hello' + 'x'.repeat(Number(size)) } })
  for (const outcome of await Promise.all(tokens.map((token) => push(token, body)))) console.log(`= ${outcome}`)
}
process.exit()
