import { Gateway } from './gateway.js'

let shared

/** The gateway that all tests of this process use: the one in PUSHPIT_URL, or one that ends with the process. */
export function sharedGateway() {
  shared ??= Gateway.start().catch((error) => {
    shared = undefined
    throw error
  })
  return shared
}

/**
 * An app for one test, on the gateway that all tests of this process use. `test` is the context of node:test or Vitest:
 * the app ends with the test. With other runners, call `close` at the end of the test.
 */
export async function pushApp(test, options) {
  const app = await (await sharedGateway()).app(options).ready()
  const atEnd = test?.after ?? test?.onTestFinished
  atEnd?.call(test, () => app.close())
  return app
}
