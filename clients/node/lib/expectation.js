import { ExpectationFailed, PushpitError } from './errors.js'
import { failureText } from './failure.js'
import { defined, durationText, idOf, timeText } from './values.js'

const amounts = ['count', 'atLeast', 'atMost', 'never']

/** A filter that is undefined would match everything. */
function demandValues(filters, place = '') {
  for (const [name, value] of Object.entries(filters ?? {})) {
    if (value === undefined) throw new PushpitError(`${place}'${name}' is undefined: is a property misspelled? Leave the filter out if it may be anything`)
    if (typeof value?.then === 'function') throw new PushpitError(`${place}'${name}' is a promise: write await before it`)
    if (['body', 'headers', 'event'].includes(name) && typeof value === 'object') demandValues(value, `${name} `)
  }
}

/** The `match` of POST /expect. */
export function matchOf(filters) {
  demandValues(filters)
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

/** Waits until the expectation is met or not; throws ExpectationFailed with the text of `shown`. Returns the gateway's answer. */
export async function check(api, request, shown) {
  const answer = await api.call('POST', '/expect', request, { accepted: [417] })
  if (!answer.met) throw new ExpectationFailed(await failureText(api, shown, answer), answer)
  return answer
}
