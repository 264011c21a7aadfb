import type { Device, DeviceSpec } from './device.js'
import type { Expected, Filters, Message } from './expectation.js'
import type { Credentials, Gateway, MediaOptions } from './gateway.js'
import type { Clock, Effect, Fault, FaultOptions } from './parts.js'
import type { Platform } from './values.js'

/** An app and a Firebase project that one test has to itself, with its devices, pushes, faults and media. */
export class PushApp {
  private constructor()
  readonly gateway: Gateway
  /** The bundle id and the package name. */
  readonly id: string
  readonly project: string
  /** The gateway's clock, if no one else uses the gateway; until this app is closed, no other app can be made. It is set to the real time when the test ends. */
  readonly clock: Clock
  /** What a sender needs to push to this app: a key and a service account that no other open app has. */
  credentials(): Promise<Credentials>
  /** The tokens that were made with `credentials()` are no longer valid, so the sender has to renew them. Rejects if no one has called `credentials()`. */
  expireCredentials(): Promise<void>
  device(platform: Platform, spec?: DeviceSpec): Promise<Device>
  /** Waits for pushes of this app, and resolves to them, oldest first. Rejects with ExpectationFailed. */
  expect(expected?: Expected): Promise<Message[]>
  messages(filters?: Filters): Promise<Message[]>
  /** Its pushes and what is wrong with them, for people. A failed test shows this. */
  report(): Promise<string>
  /** A line for each of its faults that no request has hit. */
  idleFaults(): Promise<string[]>
  /** The accepted pushes that have warnings, and the warnings; empty if there are none. A test that passes shows this. */
  warnings(): Promise<string>
  fault(effect: Effect, options?: FaultOptions): Promise<Fault>
  scenario(name: string): Promise<Fault>
  /** A file that phones can fetch until the test ends. A name such as "bread.png" gets a host. Resolves to the URL. */
  media(name: string, what?: MediaOptions): Promise<string>
  /** Deletes its pushes, faults and devices. Under `pushpit exec`, the pushes stay for the report, but no longer count. */
  reset(): Promise<void>
  /** Removes everything that the app has in the gateway. */
  close(): Promise<void>
}
