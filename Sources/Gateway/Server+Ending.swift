internal import EventLoop
internal import Fetching
internal import Platform

/// How a server ends.
extension Server {
    enum Ending {
        case notYet
        /// All connections are closed. Something still has to be sent to the webhook or the postback collector.
        case sending
        case over
    }

    /// Stops accepting connections, gives running requests the drain time to finish, then sends what is left for the
    /// webhook and the postback collector in the rest of that time, then ends the server. Another call goes on to the
    /// next step at once.
    package func shutDown() {
        guard !gateway.isDraining else {
            if ending == .sending { ending = .over }
            return endConnections()
        }
        gateway.isDraining = true
        gateway.log(
            .info, "shutting down", at: gateway.clock.now, ["connections": gateway.openConnections])
        for listener in listeners { listener.close() }
        gateway.endWaiting()
        for connection in gateway.connections.all { connection.shutDown() }
        drainTimer = try? LoopTimer(on: loop) { [unowned self] in
            ending = .over
            endConnections()
        }
        drainTimer?.start(after: gateway.configuration.drainTimeout)
        sweep?.start(after: 10, every: 10)
        endIfDrained()
    }

    func endIfDrained() {
        if gateway.isDraining, gateway.openConnections == 0 { endConnections() }
    }

    /// Ends all connections, and the server if nothing is left to be sent.
    func endConnections() {
        gateway.saveAll()
        gateway.logSummary(isEnd: true)
        for listener in listeners { listener.close() }
        for connection in gateway.connections.all { connection.close() }
        guard ending == .over || gateway.hasSentOut else {
            if ending == .notYet { gateway.log(.info, "sending the last events and reports", at: gateway.clock.now) }
            return ending = .sending
        }
        gateway.outgoing?.close()
        for signal in signals { signal.close() }
        for timer in [sweep, nextDue, drainTimer] { timer?.close() }
        nextTurn?.close()
        mailbox?.close()
        lookup?.close()
    }
}
