/// How a command ended, or why it did not start.
package enum CommandEnd: Equatable, Sendable {
    case exited(Int32)
    case killed(signal: Int32)
    /// The command was not found or can't be executed. `error` is the errno, as in the next two cases.
    case notExecuted(error: Int32)
    /// The kernel, a container or a tracer does not allow the supervisor.
    case notSupervised(error: Int32)
    /// There are no processes, sockets or memory left.
    case notStarted(error: Int32)
    /// Somebody killed the process that watches the command. The command has been ended too.
    case lost

    /// Whether the command has run until it ended, by itself or by a signal.
    package var commandHasRun: Bool {
        switch self {
        case .exited, .killed: true
        case .notExecuted, .notSupervised, .notStarted, .lost: false
        }
    }

    /// - Parameter status: the status that `waitpid` gives.
    init(status: Int32) {
        let signal = status & 0x7F
        self = signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal: signal)
    }
}
