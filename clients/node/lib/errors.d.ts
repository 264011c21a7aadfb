export class PushpitError extends Error {}
export class CallRefused extends PushpitError { readonly status: number; readonly code: string; readonly pointer: string }
export class SharedGateway extends PushpitError {}
export class SocketClosed extends PushpitError { readonly code: number; readonly reason: string }
export class NoFrame extends PushpitError {}
export class ExpectationFailed extends PushpitError {
  readonly answer: { met: false, count: number, why: string }
  readonly nearest: { message?: string, event?: number, kind?: string, device?: string, why?: string, differs: { at: string, expected?: any, got?: any }[] }[]
}
