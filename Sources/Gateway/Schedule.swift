internal import Devices
internal import PushCore
internal import PushEngine

/// Actions to run later, ordered by their time on the gateway's clock.
struct Schedule {
    /// Sorted by `due`. Entries of a closed connection do nothing.
    private var entries: [(due: Timestamp, connection: ConnectionID?, body: () -> Void)] = []
    /// The number of entries at which those of closed connections are removed.
    private var purgeAt = 10_000

    /// When the next action is due.
    var next: Timestamp? { entries.first?.due }

    mutating func add(
        at due: Timestamp, on connection: ConnectionID?, isOpen: (ConnectionID) -> Bool, _ body: @escaping () -> Void
    ) {
        if entries.count >= purgeAt {
            entries.removeAll { entry in entry.connection.map { !isOpen($0) } ?? false }
            purgeAt = max(10_000, 2 * entries.count)
        }
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].due <= due { low = middle + 1 } else { high = middle }
        }
        entries.insert((due, connection, body), at: low)
    }

    mutating func takeDue(at now: Timestamp) -> [() -> Void] {
        let count = entries.prefix { $0.due <= now }.count
        defer { entries.removeFirst(count) }
        return entries.prefix(count).map(\.body)
    }
}

extension Gateway {
    /// Runs an action for a connection after a delay.
    func later(after milliseconds: UInt64, on connection: ConnectionID, _ body: @escaping () -> Void) {
        let due = clock.now + Int64(clamping: min(milliseconds, 1 << 50))
        schedule.add(at: due, on: connection, isOpen: { connections[$0] != nil }, body)
        wakeWhenDue()
    }

    /// Schedules the wake-ups that the engine asks for, and delayed pushes.
    func scheduleWakes() {
        for (due, device) in box.engine.pendingWork.wakes {
            schedule.add(at: due, on: nil, isOpen: { _ in true }) { [unowned self] in
                box.engine.wake(device, at: clock.now)
                scheduleWork()
            }
        }
        box.engine.pendingWork.wakes = []
        for delayed in box.engine.pendingWork.delayedFanOuts {
            schedule.add(at: delayed.due, on: nil, isOpen: { _ in true }) { [unowned self] in
                box.engine.startLatePush(delayed.key)
                scheduleWork()
            }
        }
        box.engine.pendingWork.delayedFanOuts = []
        wakeWhenDue()
    }

    /// Runs all due actions. Call it at the requested time, and after the clock was moved.
    package func runDue() {
        clock.tick()
        for body in schedule.takeDue(at: clock.now) { body() }
        if !box.engine.expectations.isEmpty { answerDecided() }
        wakeWhenDue()
    }

    /// Asks the loop to call `runDue()` when the next action or expectation is due.
    ///
    /// While the clock is frozen, no action becomes due. Expectations do, because they wait in real time.
    func wakeWhenDue() {
        let next =
            clock.isFrozen
            ? nil : schedule.next.map { loopNow + UInt64(max(0, $0.milliseconds - clock.now.milliseconds)) }
        guard let due = [next, box.engine.expectations.nextDue].compactMap(\.self).min() else { return }
        wakeAt?(due)
    }
}
