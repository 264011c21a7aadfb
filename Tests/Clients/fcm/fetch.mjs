// client: Node, fetch
// package: deb:nodejs
// version: node --version
// proxy: uses HTTPS_PROXY only since Node 24
// set: `NODE_EXTRA_CA_CERTS=certs/ca.pem`; `https://localhost:2197` in the URL
// trap: Uses HTTP/1.1, and opens a connection for each request that it sends at the same time.
// trap: An error has the reason in `error.cause.code`; its text is only `fetch failed`.
// 
// accepted     | ok | 1
// bad token    | 400 INVALID_ARGUMENT | 1
// unregistered | 404 NOT_FOUND | 1
// expired      | 401 UNAUTHENTICATED; ok | 3
// too large    | 400 INVALID_ARGUMENT | 1
// quota        | 429 RESOURCE_EXHAUSTED | 1
// unavailable  | 503 UNAVAILABLE | 1
// GOAWAY       | - | HTTP/1.1 has no GOAWAY
// concurrent   | 500 ok | 501
import { createSign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const env = process.env
const account = JSON.parse(readFileSync(env.GOOGLE_APPLICATION_CREDENTIALS))
const url = `https://fcm.googleapis.com/v1/projects/${env.PUSHPIT_FCM_PROJECT}/messages:send`
const scope = 'https://www.googleapis.com/auth/firebase.messaging'
const encode = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')
let bearer

async function newBearer() {
  const now = Math.floor(Date.now() / 1000)
  const claims = { iss: account.client_email, scope, aud: account.token_uri, iat: now, exp: now + 3600 }
  const text = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(claims)}`
  const signature = createSign('RSA-SHA256').update(text).sign(account.private_key, 'base64url')
  const body = new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: `${text}.${signature}` })
  const answer = await fetch(account.token_uri, { method: 'POST', body })
  return (await answer.json()).access_token
}

async function push(token, text) {
  try {
    bearer ??= newBearer()
    const answer = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${await bearer}`, 'content-type': 'application/json' },
      body: JSON.stringify({ message: { token, notification: { body: text } } }),
    })
    const said = await answer.json()
    if (answer.status === 401) bearer = undefined
    return answer.ok ? 'ok' : `${answer.status} ${said.error.status}`
  } catch (error) {
    return error.cause?.code ?? error.message
  }
}

console.log(`= ready ${env.PUSHPIT_URL} ${env.PUSHPIT_CA}`)
for await (const line of createInterface({ input: process.stdin })) {
  const [order, size, ...tokens] = line.split(' ')
  if (order !== 'send') continue
  const text = 'Hello' + 'x'.repeat(Number(size))
  for (const outcome of await Promise.all(tokens.map((token) => push(token, text)))) console.log(`= ${outcome}`)
}
process.exit()
