import { setTimeout as pause } from 'node:timers/promises'

/** How long the shade waits for extensions and images, and the time between two questions to the gateway. */
export const patience = 5000
export const interval = 10
/** How many of the newest pushes are looked at, and how many the text about an empty shade has. */
const newest = 20
const listed = 5

/** Waits until the device no longer works on a push, for example because it loads an image, or until the limit. */
export async function settle(api, device, limit) {
  const deadline = Date.now() + limit
  for (const push of await unfinished(api, device)) {
    while ((await report(api, push, device)).isWorking && Date.now() < deadline) await pause(interval)
  }
}

/** The newest pushes that have reached the device, and that it neither shows nor suppresses. */
async function unfinished(api, device) {
  const left = new Set()
  for (const { kind, push } of await api.events({ device, kind: 'delivered,presented,suppressed' })) {
    if (kind === 'delivered') left.add(push)
    else left.delete(push)
  }
  return [...left].slice(-newest)
}

/** What became of the push on each of its devices. */
async function reports(api, push) {
  const { devices = [] } = await api.call('GET', `/messages/${encodeURIComponent(push)}/events`, undefined, { query: { limit: 1000 }, accepted: [404] })
  return devices
}

/** What became of the push on the device. */
const report = async (api, push, device) => (await reports(api, push)).find((row) => row.device === device) ?? {}

/** What became of the push on the device, and what to do about it, for people. */
export async function reportLines(api, push, device) {
  const { did, remedy } = await report(api, push, device)
  return [did, remedy].filter(Boolean)
}

/** What is wrong with a push, and what to do about it, for people: errors first, notes left out. */
export async function problemLines(api, { findings, outcome, why }) {
  const problems = findings.filter(({ severity }) => severity !== 'note')
  if (outcome === 'refused' && why && !problems.some(({ rule }) => rule === why)) {
    problems.unshift({ severity: 'error', rule: why, message: (await api.rule(why)).checks ?? why })
  }
  problems.sort((one, other) => (other.severity === 'error') - (one.severity === 'error'))
  const lines = []
  for (const { severity, rule, message } of problems) {
    const { remedy } = await api.rule(rule)
    lines.push(`${severity}: ${message}`, ...(remedy && !message.includes(remedy) ? [`fix: ${remedy}`] : []))
  }
  return lines
}

/** Why the device shows the push without its image. */
export const missingImage = async (api, push, device) => (await report(api, push, device)).missingImage

/** A push in one line, and below it what became of it on the device. */
async function pushText(api, message, device) {
  const lines = await reportLines(api, message.id, device)
  return [messageText(message), ...(lines.length > 0 ? lines : await problemLines(api, message))].join('\n    ')
}

/** What became of the newest pushes to the device, for people. */
export async function emptyText(api, device, tokens) {
  const queries = [{ device }, ...tokens.map((token) => ({ token, outcome: 'refused' }))]
  const found = await Promise.all(queries.map((query) => api.pages('/messages', 'messages', { ...query, limit: listed })))
  const lines = await Promise.all(found.flat().map((message) => pushText(api, message, device)))
  return lines.length > 0 ? `Pushes to it, newest first:\n  ${lines.join('\n  ')}` : 'No push has been sent to its tokens.'
}

/** What went wrong on the first devices on which something did, and what to do about it, for people. */
async function deviceLines(api, { id, devices }) {
  if (devices.length === 0) return []
  const problems = (await reports(api, id)).flatMap(({ device, did, remedy, missingImage }) => [
    { text: `${device}: ${did}`, remedy }, { text: `${device}: no image: ${missingImage?.reason}`, remedy: missingImage?.remedy }])
  return problems.filter(({ remedy }) => remedy).slice(0, 3).flatMap(({ text, remedy }) => [text, `fix: ${remedy}`])
}

/** The newest pushes of a list, the oldest first, each with what is wrong with it. */
export async function listText(api, messages) {
  const lines = await Promise.all(messages.slice(0, newest).reverse().map(async (message) =>
    [messageText(message), ...await problemLines(api, message), ...await deviceLines(api, message)].join('\n    ')))
  if (messages.length > newest) lines.unshift(`(${messages.length - newest} earlier pushes)`)
  return lines.join('\n  ')
}

/** The accepted pushes of a list that have a warning, with their warnings. Their status does not show these. */
export async function warningsText(api, messages) {
  const warned = messages.filter(({ outcome, findings }) => outcome === 'accepted' && findings.some(({ severity }) => severity === 'warning'))
  return warned.length > 0 ? listText(api, warned) : ''
}

const mostOfATitle = 40
const services = { apns: 'APNs', fcm: 'FCM', webpush: 'web' }

/** The title of a push's notification, or an iPhone's alert that is one text. */
function titleOf({ body }) {
  const texts = [body?.aps?.alert?.title, body?.message?.notification?.title, body?.aps?.alert]
  return texts.find((text) => typeof text === 'string')
}

const shortened = (text, most) => (text.length > most ? `${text.slice(0, most)}…` : text)

/** A push in one line. */
export function messageText({ id, provider, app, target, devices, outcome, status, reason, request }) {
  // Deleted.
  if (!provider) return id
  const places = Object.entries(target).filter(([, value]) => value !== null).map(([name, value]) => `${name} ${shortened(value, 16)}`)
  const title = titleOf(request)
  const reached = devices.length > 0 ? ` (${devices.slice(0, 3).join(', ')})` : ''
  const what = `${services[provider]} push${title ? ` ${JSON.stringify(shortened(title, mostOfATitle))}` : ''}`
  return `${id}: ${what} of ${app} to ${places.join(', ') || 'no target'}${reached}, ${outcome}: ${status}${reason ? ` ${reason}` : ''}`
}
