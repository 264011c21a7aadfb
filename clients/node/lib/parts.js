import { SharedGateway } from './errors.js'
import { durationText, timeText } from './values.js'

/** The gateway's clock, which decides ages, expirations and delays. Each call resolves to the gateway's time. */
export class Clock {
  #api
  #refusal

  /** With a refusal, the clock can be read, but an attempt to change it is rejected with this text. */
  constructor(api, refusal) {
    this.#api = api
    this.#refusal = refusal
  }

  async now() { return new Date((await this.#api.call('GET', '/clock')).now) }

  async isFrozen() { return (await this.#api.call('GET', '/clock')).frozen }

  /** Moves it forward. Everything that the new time makes due is done when the call ends. */
  advance(duration) { return this.#change({ advance: durationText(duration) }) }

  /** Sets it to a Date or a time such as "2027-01-01T00:00:00Z". */
  set(time) { return this.#change({ set: timeText(time) }) }

  /** Stops it. It can still be moved. */
  freeze() { return this.#change({ freeze: true }) }

  resume() { return this.#change({ resume: true }) }

  /** Sets it to the real time, and lets it go on. */
  async reset() {
    await this.#change({ set: 'now' })
    return this.resume()
  }

  async #change(wish) {
    if (this.#refusal) throw new SharedGateway(this.#refusal)
    return new Date((await this.#api.call('POST', '/clock', wish)).now)
  }
}

/** Faults that are set. They end with `remove()`. */
export class Fault {
  #api

  constructor(api, ids) {
    this.#api = api
    this.ids = ids
  }

  /** All of these as one. */
  static together(faults) { return new Fault(faults[0].#api, faults.flatMap(({ ids }) => ids)) }

  /** What the gateway says about them. Faults that were removed are missing. */
  async rows() { return (await this.#api.pages('/faults', 'faults')).filter(({ id }) => this.ids.includes(id)) }

  /** How many requests they have hit. */
  async fired() { return (await this.rows()).reduce((sum, { fired }) => sum + fired, 0) }

  /** How many requests matched. */
  async seen() { return (await this.rows()).reduce((sum, { seen }) => sum + seen, 0) }

  /** Does nothing for faults that are gone. */
  async remove() {
    for (const id of this.ids) await this.#api.call('DELETE', `/faults/${encodeURIComponent(id)}`, undefined, { accepted: [404] })
  }
}

/** Sets a fault: the name of one such as "503Shutdown", an effect, or a list of effects. */
export async function setFault(api, effect, { for: lasts, idle, ...when }) {
  const durations = { ...(lasts === undefined ? {} : { for: durationText(lasts) }), ...(idle === undefined ? {} : { idle: durationText(idle) }) }
  const { id } = await api.call('POST', '/faults', { ...when, ...durations, effect: typeof effect === 'string' ? { wire: effect } : effect })
  return new Fault(api, [id])
}

/** Sets a scenario. The fault has only what this call sets, because others may have set the same scenario. */
export async function setScenario(api, name, app) {
  const before = new Set((await api.pages('/faults', 'faults')).map(({ id }) => id))
  const made = await api.call('POST', `/scenarios/${encodeURIComponent(name)}`, app === undefined ? undefined : { app })
  return new Fault(api, made.set.filter((id) => !before.has(id)))
}

/** The effect that the gateway gives this answer: `answer(503, 'ServiceUnavailable', { headers: { 'retry-after': '2' } })`. */
export const answer = (status, reason, more = {}) => ({ answer: { status, ...(reason === undefined ? {} : { reason }), ...more } })
