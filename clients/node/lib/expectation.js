import { ExpectationFailed, PushpitError } from './errors.js'
import { defined, durationText, idOf, timeText } from './values.js'

const amounts = ['count', 'atLeast', 'atMost', 'never']
const listed = 10

/** The `match` of POST /expect. */
export function matchOf(filters) {
  const match = defined(filters)
  if (match.device !== undefined && match.outcome === 'refused' && match.event === undefined) {
    throw new PushpitError("a refused push reaches no device, so 'device' and outcome 'refused' never match together: use token: phone.token instead of device")
  }
  if (match.device !== undefined) match.device = idOf(match.device)
  if (match.event?.device !== undefined) match.event = { ...match.event, device: idOf(match.event.device) }
  for (const name of ['since', 'until']) if (match[name] !== undefined) match[name] = timeText(match[name])
  return match
}

/** The query of GET /messages. JSON pointers are parameters there, with JSON values. */
export function queryOf(filters) {
  const { body = {}, ...match } = matchOf(filters)
  return { ...match, ...Object.fromEntries(Object.entries(body).map(([pointer, value]) => [pointer, JSON.stringify(value)])) }
}

/** The body of POST /expect; `scoped` adds the app to each match. */
export function requestOf(expected, scoped = (match) => match) {
  const { within, sequence, ...rest } = expected
  const request = within === undefined ? {} : { within: durationText(within) }
  if (sequence) return { ...defined(rest), ...request, sequence: sequence.map((match) => scoped(matchOf(match))) }
  for (const name of amounts) {
    if (rest[name] !== undefined) request[name] = rest[name]
    delete rest[name]
  }
  return { match: scoped(matchOf(rest)), ...request }
}

/** Waits until the expectation is met or not; throws ExpectationFailed. Returns the gateway's answer. */
export async function check(api, request) {
  const answer = await api.call('POST', '/expect', request, { accepted: [417] })
  if (!answer.met) throw new ExpectationFailed(await failureText(api, request, answer), answer)
  return answer
}

async function failureText(api, request, answer) {
  const nearest = answer.nearest ?? []
  const lines = [answer.why, `Expected: ${expectationText(request)}`]
  if (nearest.length > 0) lines.push('Nearest:')
  for (const { message: id = '', kind, device, differs } of nearest) {
    const message = id && await api.call('GET', `/messages/${encodeURIComponent(id)}`, undefined, { accepted: [404] })
    lines.push(`  ${kind ? `event ${kind} of ${device ?? 'no device'}, ` : ''}${message.id ? messageText(message) : id}`)
    for (const { at, expected, got } of differs) lines.push(`    ${at}: expected ${shown(expected)}, got ${shown(got)}`)
    for (const { severity, message: text } of message.findings ?? []) if (severity !== 'note') lines.push(`    ${severity}: ${text}`)
  }
  const matched = answer.messages ?? []
  if (nearest.length === 0 && matched.length > 0) {
    lines.push(`Pushes that match: ${matched.slice(0, listed).join(', ')}${matched.length > listed ? ' …' : ''}`)
  } else if (nearest.length === 0) lines.push(await nothingText(api))
  return lines.join('\n')
}

/** A push in one line. */
export function messageText({ id, provider, app, target, devices, outcome, status, reason }) {
  const places = Object.entries(target).filter(([, value]) => value !== null)
    .map(([name, value]) => `${name} ${value.length > 16 ? `${value.slice(0, 16)}…` : value}`)
  const reached = devices.length > 0 ? ` (${devices.slice(0, 3).join(', ')})` : ''
  const service = provider === 'apns' ? 'APNs' : 'FCM'
  return `${id}: ${service} push of ${app} to ${places.join(', ') || 'no target'}${reached}, ${outcome}: ${status}${reason ? ` ${reason}` : ''}`
}

function expectationText({ match, sequence, within = '5s', ...rest }) {
  const amount = [...Object.entries(rest).map(([name, value]) => `${name} ${shown(value)}`), `within ${within}`].join(', ')
  const what = sequence ? sequence.map(matchText).join(', then ') : matchText(match)
  return `${what} (${amount})`
}

function matchText({ body = {}, bodyText = {}, headers = {}, ...filters }) {
  const parts = [
    ...Object.entries(filters).map(([name, value]) => `${name}=${typeof value === 'string' ? value : shown(value)}`),
    ...Object.entries({ ...body, ...bodyText }).map(([pointer, value]) => `${pointer}=${shown(value)}`),
    ...Object.entries(headers).map(([name, value]) => `header ${name}=${shown(value)}`),
  ]
  return parts.join(' ') || 'any push'
}

async function nothingText(api) {
  const { accepted, refused } = await api.call('GET', '/stats')
  if (accepted + refused > 0) return 'No push comes near. The pushes that the gateway has are of other apps, or were sent earlier.'
  return `No push has reached the gateway at ${api.address}. Does the sender use its address, or does it run under ` +
    "'pushpit exec'? A connection that fails, for example because the sender does not trust the gateway, is in the gateway's log."
}

const shown = (value) => (value === null || value === undefined ? 'nothing' : JSON.stringify(value))
