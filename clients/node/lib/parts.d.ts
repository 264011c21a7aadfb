import type { Duration, Json, Provider, Time } from './values.js'

/** An effect of docs/faults.md, such as `{ delay: '5s' }`, or the name of a fault such as "503Shutdown". */
export type Effect = string | { [effect: string]: any } | { [effect: string]: any }[]

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
