import { setTimeout as pause } from 'node:timers/promises'
import { messageText } from './expectation.js'

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

/** What became of the push on the device. */
async function report(api, push, device) {
  const { devices = [] } = await api.call('GET', `/messages/${encodeURIComponent(push)}/events`, undefined, { query: { limit: 1000 }, accepted: [404] })
  return devices.find((row) => row.device === device) ?? {}
}

/** A push in one line, and below it what became of it on the device. */
async function pushText(api, message, device) {
  const { did = message.why, remedy } = await report(api, message.id, device)
  return [messageText(message), did, remedy].filter(Boolean).join('\n    ')
}

/** What became of the newest pushes to the device, for people. */
export async function emptyText(api, device, tokens) {
  const queries = [{ device }, ...tokens.map((token) => ({ token, outcome: 'refused' }))]
  const found = await Promise.all(queries.map((query) => api.pages('/messages', 'messages', { ...query, limit: listed })))
  const lines = await Promise.all(found.flat().map((message) => pushText(api, message, device)))
  return lines.length > 0 ? `Pushes to it, newest first:\n  ${lines.join('\n  ')}` : 'No push has been sent to its tokens.'
}
