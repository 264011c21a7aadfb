import type { Duration, Json, Provider, Time } from './values.js'

/** A time such as "5s", or a random one. */
export type Delay = string | { [distribution: string]: Json }

/** What a fault does: docs/faults.md. */
export type SingleEffect =
  | { answer: { status: number, reason?: string, headers?: { [name: string]: string }, body?: string, contentType?: string } | { recorded: string } }
  | { delay: Delay }
  | { silence: true }
  | { reset: string | string[] }
  | { resetAfterHeaders: string }
  | { truncate: number }
  | { goAway: { code?: string, debug?: string, last?: string | number, times?: number, keepOpen?: boolean } }
  | { close: 'end' | 'reset' }
  | { blackHole: true }
  | { streamLimit: number }
  | { window: number }
  | { deliver: number }
  | { deliverAfter: Delay }
  | { sticky: true }
  | { tls: 'alert' | 'rotated' | 'expired' }
  | { acceptDelay: Delay }
  | { connectionLimit: number }
  | { firstStreamLimit: number }
  | { wire: string }

/** One effect or several, or the name of a fault such as "503Shutdown". */
export type Effect = string | SingleEffect | SingleEffect[]

/** Which requests a fault hits, and when: docs/faults.md. */
export interface FaultOptions {
  match?: { provider?: Provider, app?: string, token?: string, topic?: string, pushType?: string, environment?: string, path?: string, reason?: string, headers?: { [name: string]: string }, body?: { [pointer: string]: Json } }
  times?: number
  nth?: number
  every?: number
  after?: number
  per?: 'gateway' | 'connection' | 'token'
  probability?: number
  seed?: number
  /** How long the fault lasts, by the gateway's clock. */
  for?: Duration
  idle?: Duration
}

/** The effect that the gateway gives this answer: `answer(503, 'UNAVAILABLE', { headers: { 'retry-after': '2' } })`. */
export function answer(status: number, reason?: string, more?: { headers?: { [name: string]: string }, body?: string, contentType?: string }): Effect

/** The gateway's clock. Each call resolves to the gateway's time. */
export class Clock {
  private constructor()
  now(): Promise<Date>
  isFrozen(): Promise<boolean>
  advance(duration: Duration): Promise<Date>
  set(time: Time): Promise<Date>
  freeze(): Promise<Date>
  resume(): Promise<Date>
  reset(): Promise<Date>
}

/** Faults that are set. */
export class Fault {
  private constructor()
  readonly ids: string[]
  rows(): Promise<{ [member: string]: any }[]>
  fired(): Promise<number>
  seen(): Promise<number>
  remove(): Promise<void>
}
