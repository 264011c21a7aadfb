import type { Device } from './device.js'
import type { Duration, Json, Provider, Text, Time } from './values.js'

/** What can happen: docs/api.md. */
export type EventKind =
  | 'accepted' | 'refused' | 'stored' | 'delivered' | 'dropped' | 'collapsed' | 'callback' | 'extension' | 'attachment'
  | 'presented' | 'suppressed' | 'replaced' | 'removed' | 'badge' | 'opened' | 'dismissed' | 'action' | 'tracking'
  | 'registered' | 'unregistered' | 'state' | 'token' | 'subscribed' | 'unsubscribed' | 'fault' | 'clock'

/** Which pushes. All filters have to match; docs/api.md explains them. In an expectation, `Texts` may also be patterns. */
export interface Filters<Texts = string> {
  provider?: Provider
  app?: Texts
  pushType?: Texts
  outcome?: 'accepted' | 'refused'
  status?: number
  reason?: Texts
  apnsId?: Texts
  apnsUniqueId?: Texts
  name?: Texts
  token?: Texts
  topic?: Texts
  device?: Device | string
  rule?: Texts
  text?: Texts
  /** A time, or the number of an event. */
  since?: Time | number
  until?: Time | number
  /** JSON pointers into the body as it was sent, with their values: `{ '/aps/badge': 3 }`. */
  body?: { [pointer: string]: Json | Texts }
}

/** Filters that only an expectation has. */
export interface Match extends Filters<Text> {
  headers?: { [name: string]: Text }
  /** Like `body`, but "7" also matches the number 7. */
  bodyText?: { [pointer: string]: Text }
  /** What a device did: `{ kind: 'presented' }`. The other filters apply to the push behind the event. */
  event?: { kind: EventKind | { prefix: string } | { regex: string }, device?: Device | Text, why?: Text, data?: { [pointer: string]: Json | Text }, dataText?: { [pointer: string]: Text } }
}

/** Without a number, at least one push is expected. */
export interface Expected extends Match {
  count?: number
  atLeast?: number
  atMost?: number
  never?: boolean
  /** How long to wait; 5 s by default. */
  within?: Duration
  /** Pushes that come one after the other, instead of the filters above. */
  sequence?: Match[]
}

export interface Finding { rule: string, severity: 'error' | 'warning' | 'note', path: string, message: string }

/** A push that was sent to the gateway. */
export interface Message {
  id: string
  seq: number
  time: string
  provider: Provider
  apnsId?: string | null
  apnsUniqueId?: string | null
  name?: string | null
  app: string
  project?: string | null
  environment: 'production' | 'sandbox'
  target: { token?: string | null, fid?: string | null, topic?: string | null, condition?: string | null, channel?: string | null }
  devices: string[]
  pushType: string | null
  priority: string | null
  expiration: string | null
  collapseId: string | null
  outcome: 'accepted' | 'refused'
  /** 0 if the sender got no answer. */
  status: number
  reason: string | null
  why?: string | null
  findings: Finding[]
  /** The body is the JSON value, or a string if it is not JSON. */
  request: { method: string, path: string, headers: [name: string, value: string][], body: any }
}

/** An entry of a shade: what a person sees on the phone. */
export interface Notification {
  key: string
  push: string
  time: string
  title: string
  subtitle: string
  body: string
  image?: string | null
  group?: string | null
  category?: string | null
  icon?: string | null
  color?: string | null
  actions: { id: string, title: string }[]
}

/** Something that happened: docs/api.md lists the kinds. */
export interface PushEvent {
  seq: number
  time: string
  kind: EventKind
  app?: string
  device?: string
  push?: string
  why?: string
  data: { [name: string]: any }
}
