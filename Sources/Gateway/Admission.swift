internal import Platform

/// Decides when connections are accepted. Until then, they wait in the kernel.
package final class Admission {
    private unowned let gateway: Gateway
    /// The largest number of open connections.
    private let maximum: Int
    /// Whether the maximum was reached. False again when fewer than 90 % of that many are open.
    private var isFull = false

    package init(_ gateway: Gateway, maximum: Int) {
        self.gateway = gateway
        self.maximum = maximum
    }

    /// Whether a connection may be accepted now. It may not if there are too many, or if the turn is over.
    package func admits() -> Bool {
        let open = gateway.openConnections
        if open >= maximum {
            noteFull()
            return false
        }
        if open < maximum - maximum / 10 { isFull = false }
        guard gateway.turn.isOver else { return true }
        gateway.scheduleMore?()
        return false
    }

    private func noteFull() {
        if isFull { return }
        isFull = true
        gateway.log(
            .warning, "accepting connections paused", at: gateway.clock.now,
            [
                "connections": gateway.openConnections,
                "because": "the process has reached its limit of open files, so new connections wait until others end. "
                    + "Raise the limit with ulimit -n",
            ])
    }
}

@available(*, unavailable) extension Admission: Sendable {}
