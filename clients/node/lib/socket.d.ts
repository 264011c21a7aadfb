import type { DeviceJson } from './device.js'
import type { EventKind } from './expectation.js'
import type { Duration } from './values.js'

/** A frame that the gateway sends: docs/devices.md has the types and their members. */
export interface Frame { type: string, [member: string]: any }

/** Watches a device. Frames that no call has asked for yet are kept. */
export class DeviceSocket implements AsyncIterable<Frame> {
  private constructor()
  readonly welcome: Frame
  readonly device: DeviceJson
  readonly ended: Promise<{ code: number, reason: string }>
  nextPush(options?: { within?: Duration }): Promise<Frame>
  nextEvent(kinds?: EventKind | EventKind[], options?: { within?: Duration }): Promise<Frame>
  nextFrame(matches?: (frame: Frame) => boolean, options?: { within?: Duration, what?: string }): Promise<Frame>
  request(type: string, members?: { [name: string]: unknown }): Promise<Frame>
  close(): Promise<{ code: number, reason: string }>
  [Symbol.asyncIterator](): AsyncIterator<Frame>
}
