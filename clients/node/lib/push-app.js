import { Gateway } from './gateway.js'
import { knownOptions } from './values.js'

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
 * An app for one test, on the gateway that all tests of this process use, or on `gateway`. `test` is the context of
 * node:test or Vitest: the app ends with the test. With other runners, call `close` at the end of the test.
 */
export async function pushApp(test, options = {}) {
  knownOptions('pushApp', options, ['id', 'project', 'gateway'])
  const { gateway = await sharedGateway(), ...names } = options
  const app = await gateway.app(names).ready()
  const atEnd = test?.after ?? test?.onTestFinished
  atEnd?.call(test, async () => {
    // Node says since 20.12 whether a test has failed.
    const isBad = test.passed === false || test.task?.result?.state === 'fail'
    const text = isBad ? await app.report() : await app.warnings()
    const lines = [...text.split('\n').filter(Boolean), ...await app.idleFaults()]
    // In TAP, a line break within one diagnostic would be escaped.
    for (const line of lines) test.diagnostic ? test.diagnostic(line) : console.error(line)
    await app.close()
  })
  return app
}
