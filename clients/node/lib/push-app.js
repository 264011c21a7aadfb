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
  atEnd?.call(test, async () => {
    if (test.passed === false || test.task?.result?.state === 'fail') await showPushes(test, app)
    await app.close()
  })
  return app
}

/** Shows what a failed test has pushed. Node says since 20.12 whether a test has failed. */
async function showPushes(test, app) {
  const messages = await app.messages()
  const text = `Pushes of ${app.id}:\n  ${messages.length > 0 ? await app.gateway.textOf(messages) : 'none'}`
  // In TAP, a line break within one diagnostic would be escaped.
  for (const line of text.split('\n')) test.diagnostic ? test.diagnostic(line) : console.error(line)
}
