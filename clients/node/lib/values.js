import { PushpitError } from './errors.js'

const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** A duration as the gateway writes it: "5s" as it is, and a number of milliseconds as "…ms". */
export const durationText = (value) => (typeof value === 'number' ? `${Math.round(value)}ms` : value)

/** A duration in milliseconds. */
export function milliseconds(value) {
  if (typeof value === 'number') return value
  const found = /^(\d{1,9})(ms|s|m|h)$/.exec(value)
  if (!found) throw new PushpitError(`'${value}' is not a duration: write it like '250ms', '5s', '1m' or '1h', or as a number of milliseconds`)
  return Number(found[1]) * units[found[2]]
}

/** A time as the gateway writes it. */
export const timeText = (value) => (value instanceof Date ? value.toISOString() : value)

/** A device's id, for the device itself or its id. */
export const idOf = (device) => (typeof device === 'object' && device !== null ? device.id : device)

/** Refuses a misspelled option: `knownOptions('pushApp', { ids: 'x' }, ['id'])`. */
export function knownOptions(name, options, known) {
  const wrong = options === null || typeof options !== 'object' || ![Object.prototype, null].includes(Object.getPrototypeOf(options))
  const unknown = wrong ? undefined : Object.keys(options).find((key) => !known.includes(key))
  if (wrong) throw new PushpitError(`${name} takes an object with ${known.join(', ')}, not ${wrong && options?.constructor?.name || typeof options}`)
  if (unknown !== undefined) throw new PushpitError(`${name} has no option '${unknown}'; it has ${known.join(', ')}`)
}

/** A copy without the members that are undefined. */
export const defined = (object) => Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))
