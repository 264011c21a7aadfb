import { messageText, problemLines, reportLines } from './pushes.js'

/** How many pushes that match have a line, and how many characters a value may have. */
const listed = 10
const mostCharacters = 200

/** The text of an expectation that is not met: what was expected, and how the nearest pushes differ. */
export async function failureText(api, request, answer) {
  const { why, nearest = [], messages = [] } = answer
  const lines = [why, `Expected: ${expectationText(request)}`]
  if (nearest.length > 0) {
    lines.push('Nearest:')
    const told = new Set()
    for (const miss of own(nearest)) lines.push(...await missLines(api, miss, told))
  } else if (messages.length > 0) {
    lines.push('Pushes that match:')
    for (const id of messages.slice(0, listed)) lines.push(`  ${messageText(await message(api, id) ?? { id })}`)
    if (messages.length > listed) lines.push(`  and ${messages.length - listed} more`)
  } else lines.push(await nothingText(api))
  return lines.join('\n')
}

/** Without the pushes of other apps and earlier tests, unless there are no others. */
function own(nearest) {
  const found = nearest.filter(({ differs }) => differs.every(({ at }) => at !== 'app' && at !== 'since'))
  return found.length > 0 ? found : nearest
}

/** What became of a push on a device is told once. */
async function missLines(api, { message: id, kind, device, differs }, told) {
  const push = id ? await message(api, id) : undefined
  const event = kind && `event ${kind} of ${device ?? 'no device'}`
  const lines = [`  ${[event, push ? messageText(push) : id].filter(Boolean).join(', ')}`]
  for (const row of differs) lines.push(`    ${row.at}: expected ${shown(row.expected)}, got ${shown(gotOf(row, push))}${row.note ? ` (${row.note})` : ''}`)
  if (event && push && device && !told.has(`${id} ${device}`)) {
    told.add(`${id} ${device}`)
    lines.push(...(await reportLines(api, id, device)).map((line) => `    ${line}`))
  }
  if (push) lines.push(...(await problemLines(api, push)).map((line) => `    ${line}`))
  return lines
}

/** What the push has. Its token is no text that a person reads. */
function gotOf({ at, got }, push) {
  if (at !== 'text' || !Array.isArray(got) || !push) return got
  return got.filter((text) => !Object.values(push.target).includes(text))
}

/** A push; undefined if it was deleted. */
async function message(api, id) {
  const found = await api.call('GET', `/messages/${encodeURIComponent(id)}`, undefined, { accepted: [404] })
  return found.id ? found : undefined
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
  return `No push has reached the gateway at ${api.address}. ${hint}.`
}

const hint = "Does the sender use its address, or does it run under 'pushpit exec'? A connection that fails, for example because the " +
  "sender does not trust the gateway, is in the gateway's log"

/** Why no push may have come, with the last lines of the log about connections that failed. */
export function noPushText({ url, log }) {
  const lines = log.split('\n').filter((line) => /info (tls failed|tls ended|http\/1\.1) /.test(line)).slice(-3)
  return `The gateway is at ${url}. ${hint}${lines.length > 0 ? `:\n  ${lines.join('\n  ')}` : '.'}`
}

function shown(value) {
  const text = value === null || value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text
}
