import type { PushApp } from './app.js'
import type { Device, DeviceSpec } from './device.js'
import type { Expected, Filters, Message, PushEvent } from './expectation.js'
import type { Clock, Effect, Fault, FaultOptions } from './parts.js'
import type { Duration, Platform } from './values.js'

export interface MediaOptions { contentType?: string, status?: number, size?: number, content?: string | Uint8Array, delay?: Duration }

/** What a sender needs. All paths are absolute. */
export interface Credentials {
  ca: string
  /** The client certificate is only valid for the topic com.example.app. */
  apns: { key: string, keyId: string, teamId: string, topic: string, clientCertificate: string }
  fcm: { project: string, serviceAccount: string }
}

/** A gateway that this process starts, or one that runs already. */
export class Gateway {
  private constructor()
  /** Uses the gateway in PUSHPIT_URL; without the variable it starts one. With `url` it uses that one, and with `options` of `pushpit serve` it always starts one. */
  static start(options?: { url?: string, apiToken?: string, binary?: string, options?: string[] }): Promise<Gateway>
  /** Ends the gateway if it was started here. */
  close(): Promise<void>
  /** Whether others may use the gateway too. One that was started here belongs to this process alone. */
  readonly isShared: boolean
  /** For the control API and the gateway's pages. On this machine it is http, so no certificate is needed. */
  readonly url: string
  /** For senders that can be given another host: always https. They have to trust `credentials.ca`. */
  readonly pushURL: string
  readonly host: string
  readonly port: number
  /** Of a gateway that was started here. */
  readonly version: string | undefined
  readonly pid: number | undefined
  /** Its files; removed with the gateway. */
  readonly directory: string | undefined
  /** What a gateway that was started here has logged; "" for others. */
  readonly log: string
  /** For a gateway that was not started here, PUSHPIT_CREDENTIALS, PUSHPIT_CERTS, or else the gateway itself says where they are. */
  readonly credentials: Credentials
  /** If the gateway was not started here, its clock can only be read: changes are rejected with SharedGateway. */
  readonly clock: Clock
  /** Like `clock`, but it also moves the clock of everyone else who uses the gateway. */
  readonly sharedClock: Clock
  /** Any call of the control API: `gateway.call('GET', '/stats')`. Resolves to the JSON of the answer. */
  call(method: string, path: string, body?: unknown, options?: { query?: { [name: string]: string | number | boolean | undefined }, accepted?: number[] }): Promise<any>
  /** Waits for pushes, and resolves to those that match, oldest first. Rejects with ExpectationFailed. */
  expect(expected?: Expected): Promise<Message[]>
  message(id: string): Promise<Message>
  /** Pushes and what is wrong with them, for people. The list is newest first. */
  textOf(messages: Message[]): Promise<string>
  /** The accepted pushes that have warnings, and the warnings; empty if there are none. */
  warningsOf(messages: Message[]): Promise<string>
  /** The pushes that match, newest first. */
  messages(filters?: Filters): Promise<Message[]>
  /** What has happened so far, oldest first. */
  events(query?: { [name: string]: string | number | undefined }): Promise<PushEvent[]>
  device(platform: Platform, spec?: DeviceSpec): Promise<Device>
  devices(query?: { app?: string, platform?: Platform }): Promise<Device[]>
  topics(): Promise<{ name: string, project?: string, devices: number }[]>
  fault(effect: Effect, options?: FaultOptions): Promise<Fault>
  scenario(name: string, options?: { app?: string }): Promise<Fault>
  /** What a phone gets when it fetches this URL. Resolves to the URL. */
  media(url: string, what?: MediaOptions): Promise<string>
  removeMedia(url?: string): Promise<void>
  /** Deletes pushes, faults and devices, and without an app also media. */
  reset(app?: string, options?: { keepMessages?: boolean }): Promise<void>
  /** An app and a project that no other test has. Throws SharedGateway while another app uses the clock. */
  app(options?: { id?: string, project?: string }): PushApp
}
