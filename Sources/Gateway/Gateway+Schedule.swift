internal import Devices
internal import HTTP2
internal import HTTPCore
internal import PushCore
internal import PushEngine

/// Running actions when the gateway's clock reaches their time.
extension Gateway {
    /// Runs an action for a connection or one of its streams after a delay. If too many actions wait, it is run in the
    /// next turn.
    func later(
        after milliseconds: UInt64, on connection: ConnectionID, _ stream: StreamID? = nil,
        _ body: @escaping () -> Void
    ) {
        var due = clock.now + Int64(clamping: min(milliseconds, 1 << 50))
        if schedule.isFull {
            due = clock.now
            hasDueActions = true
            scheduleMore?()
        }
        schedule.add(at: due, for: Schedule.Owner(connection: connection, stream: stream), isOpen: isOpen, body)
        wakeWhenDue()
    }

    private func isOpen(_ owner: Schedule.Owner) -> Bool {
        guard let connection = connections[owner.connection] else { return false }
        guard let stream = owner.stream, case .http2(let channel) = connection.layer else { return true }
        return channel.server.isOpen(stream)
    }

    /// Schedules the wake-ups that the engine asks for, and delayed pushes.
    func scheduleWakes() {
        for (due, device) in box.engine.pendingWork.wakes {
            schedule.add(at: due, for: nil, isOpen: isOpen) { [unowned self] in
                box.engine.wake(device, at: clock.now)
                scheduleWork()
            }
        }
        box.engine.pendingWork.wakes = []
        for delayed in box.engine.pendingWork.delayedFanOuts {
            schedule.add(at: delayed.due, for: nil, isOpen: isOpen) { [unowned self] in
                box.engine.startLatePush(delayed.key)
                scheduleWork()
            }
        }
        box.engine.pendingWork.delayedFanOuts = []
        wakeWhenDue()
    }

    /// The loop calls this at the time that was passed to `wakeAt`. What is due is done in the next turn.
    package func wake() {
        guard let scheduleMore else { return _ = runDue() }
        hasDueActions = true
        scheduleMore()
    }

    /// Runs due actions until the turn is over. Returns false if some are left for the next turn. Call it after the
    /// clock was moved.
    @discardableResult package func runDue() -> Bool {
        clock.tick()
        // An action may add others that are due at once.
        var left = schedule.count
        hasDueActions = false
        while left > 0, let body = schedule.takeDue(at: clock.now) {
            left -= 1
            body()
            if turn.isOver, let scheduleMore, left > 0, let next = schedule.next, next <= clock.now {
                hasDueActions = true
                scheduleMore()
                break
            }
        }
        if !box.engine.expectations.isEmpty { answerDecided() }
        wakeWhenDue()
        return !hasDueActions
    }

    /// Asks the loop to call `wake()` when the next action or expectation is due.
    ///
    /// While the clock is frozen, no action becomes due. Expectations do, because they wait in real time.
    func wakeWhenDue() {
        let next =
            clock.isFrozen || hasDueActions
            ? nil : schedule.next.map { loopNow + UInt64(max(0, $0.milliseconds - clock.now.milliseconds)) }
        guard let due = [next, box.engine.expectations.nextDue].compactMap(\.self).min() else { return }
        wakeAt?(due)
    }
}
