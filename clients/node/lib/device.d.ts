import type { EventKind, Notification, PushEvent } from './expectation.js'
import type { DeviceSocket } from './socket.js'
import type { Duration, Platform, Provider } from './values.js'

export interface State {
  app?: 'foreground' | 'background' | 'suspended' | 'terminated' | 'forceQuit'
  permission?: 'notDetermined' | 'denied' | 'authorized' | 'provisional'
  online?: boolean
  locked?: boolean
  focus?: boolean
  doze?: boolean
  lowPower?: boolean
  backgroundRefresh?: boolean
  forceStopped?: boolean
  directBoot?: boolean
  locale?: string
}

/** What a new device may have: docs/devices.md. */
export interface DeviceSpec {
  app?: string
  id?: string
  name?: string
  project?: string
  environment?: 'production' | 'sandbox'
  locale?: string
  osVersion?: string
  state?: State
  tracking?: { profile?: 'none' | 'adobe', ecid?: string, privacy?: 'optedin' | 'optedout' | 'unknown' }
  extension?: { script?: 'none' | 'firebase' | 'adobe' | 'echo' | 'slow' | 'crash' | 'remote', seconds?: number, titleSuffix?: string, imageKey?: string }
  categories?: { id: string, customDismissAction?: boolean, actions?: { id: string, title: string, foreground?: boolean, text?: boolean }[] }[]
  channels?: { id: string, importance?: 'none' | 'min' | 'low' | 'default' | 'high' }[]
  texts?: { [language: string]: { [key: string]: string } }
  appConfig?: {
    entitlements?: ('critical' | 'timeSensitive')[]
    willPresent?: ('banner' | 'list' | 'sound' | 'badge')[]
    allowsHTTP?: boolean
    sounds?: string[]
    defaultChannel?: string
    icon?: string
    color?: string
    clickActions?: string[]
  }
  backgroundBudget?: number
  reportsCalls?: boolean
  tokens?: { [kind: string]: any }
}

export interface DeviceJson {
  id: string
  platform: Platform
  app: string
  name: string
  tokens: { [kind: string]: any }
  state: Required<State>
  badge: number
  shade: Notification[]
  connected: boolean
  installed: boolean
}

/** A simulated phone or browser. It receives pushes without any socket; `connect` also watches it. */
export class Device {
  private constructor()
  readonly id: string
  readonly platform: Platform
  readonly app: string
  readonly tokens: { [kind: string]: any }
  /** The token that an app gives to its backend: for an iPhone the APNs token, otherwise the FCM token. */
  readonly token: string
  readonly apnsToken: string
  readonly fcmToken: string
  /** The Firebase installation id, which FCM takes instead of the FCM token. */
  readonly fid: string
  /** The push subscription of a browser, as it gives it to a page: libraries for web push take it. */
  subscription(): Promise<{ endpoint: string; keys: { p256dh: string; auth: string } }>
  json(): Promise<DeviceJson>
  /** The notifications that it shows, newest first. Waits up to 5 s while it loads an image or its extension works. */
  shade(): Promise<Notification[]>
  /** Waits until it shows a notification (5 s unless `within` says otherwise), and resolves to the newest one. */
  notification(options?: { within?: Duration }): Promise<Notification>
  /** Why a notification, or without one the newest, has no image. Undefined if it has one, or if its push names none. */
  missingImage(notification?: Notification): Promise<{ rule: string, reason: string, remedy?: string } | undefined>
  badge(): Promise<number>
  state(): Promise<Required<State>>
  setState(state: State): Promise<void>
  pending(): Promise<{ id: string, since: string, expires: string | null, collapseId: string | null }[]>
  events(...kinds: EventKind[]): Promise<PushEvent[]>
  act(kind: string, notification?: Notification | string, more?: { actionId?: string, text?: string }): Promise<void>
  open(notification?: Notification | string): Promise<void>
  dismiss(notification?: Notification | string): Promise<void>
  tapAction(actionId: string, options?: { notification?: Notification | string, text?: string }): Promise<void>
  clearAll(): Promise<void>
  launch(): Promise<void>
  forceQuit(): Promise<void>
  install(): Promise<void>
  uninstall(): Promise<void>
  rotateToken(options?: { provider?: Provider, kind?: string }): Promise<string>
  deleteToken(options?: { provider?: Provider, kind?: string }): Promise<void>
  subscribe(topic: string): Promise<void>
  unsubscribe(topic: string): Promise<void>
  delete(): Promise<void>
  connect(options?: { wants?: ('push' | 'event' | 'raw')[], resumeAfter?: number, manualAck?: boolean, offlineWhenDisconnected?: boolean, exclusive?: boolean }): Promise<DeviceSocket>
  disconnect(): Promise<void>
}
