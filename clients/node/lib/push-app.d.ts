import type { PushApp } from './app.js'
import type { Gateway } from './gateway.js'

/** An app for one test, on the gateway that all tests of this process use, or on `gateway`. It ends with the test of node:test or Vitest; with other runners, call `close`. */
export function pushApp(test?: { after?: Function, onTestFinished?: Function }, options?: { id?: string, project?: string, gateway?: Gateway }): Promise<PushApp>
/** The gateway that all tests of this process use: the one in PUSHPIT_URL, or one that ends with the process. */
export function sharedGateway(): Promise<Gateway>
