internal import PushCore
internal import PushEngine

/// What is done every half second, and more often while the server shuts down.
extension Gateway {
    /// Closes connections of silent peers, drops old events, and updates the journal.
    package func sweep() {
        clock.tick()
        turn.beginWork()
        // A sweep of many connections may take longer than the time between two sweeps.
        if unswept.isEmpty { unswept = connections.all.map(\.id)[...] }
        continueSweep()
        keepStreamsAlive()
        logPushes()
        logSummary()
        box.engine.updateJournalWhileIdle()
        while !turn.isOver, box.engine.trimDevices() {}
        if let age = configuration.eventLifetime { _ = box.engine.events.forget(before: clock.now + -age) }
        scheduleWork()
    }

    /// Checks the timeouts of the next connections, until the turn is over.
    func continueSweep() {
        let now = loopNow
        while let id = unswept.popFirst() {
            connections[id]?.sweep(at: now)
            guard turn.isOver, let scheduleMore else { continue }
            if !unswept.isEmpty { scheduleMore() }
            return
        }
    }
}
