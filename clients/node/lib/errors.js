/** The gateway can't be started or reached, or a call makes no sense. */
export class PushpitError extends Error {
  constructor(message, options) {
    super(message, options)
    this.name = new.target.name
  }
}

/** The gateway refused a call of its control API, or a message of a device's socket. */
export class CallRefused extends PushpitError {
  constructor(call, status, { code = '', message = '', pointer = '' }) {
    super(`${call} was refused with ${status} ${code}: ${message}${pointer ? ` (at ${pointer})` : ''}`)
    this.status = status
    this.code = code
    this.pointer = pointer
  }
}

/** A test wants to change something that belongs to all users of a gateway. */
export class SharedGateway extends PushpitError {}

/** The socket of a device is closed. */
export class SocketClosed extends PushpitError {
  constructor(code, reason) {
    super(`the socket was closed with code ${code}${reason ? ` (${reason})` : ''}`)
    this.code = code
    this.reason = reason
  }
}

/** A device did not get the frame that a test waited for. */
export class NoFrame extends PushpitError {}

/** An expectation that is not met. The message shows how the nearest pushes differ; `answer` is the gateway's. */
export class ExpectationFailed extends PushpitError {
  constructor(message, answer) {
    super(message)
    this.answer = answer
    this.nearest = answer.nearest ?? []
  }
}
