internal import PushEngine
internal import Devices
internal import PushCore

/// Things to be done later, by the gateway's clock.
struct Schedule {
    /// Those of a connection are over with it.
    private var entries: [(due: Timestamp, connection: ConnectionID?, body: () -> Void)] = []
    /// How many there may be before those of closed connections are thrown away.
    private var purgeAt = 10_000

    /// When the next is due.
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
    /// Does something on a connection so many milliseconds later.
    func later(after milliseconds: UInt64, on connection: ConnectionID, _ body: @escaping () -> Void) {
        let due = clock.now + Int64(clamping: min(milliseconds, 1 << 50))
        schedule.add(at: due, on: connection, isOpen: { connections[$0] != nil }, body)
        wakeWhenDue()
    }

    /// Gives devices what was held back for them, when its time has come.
    func scheduleWakes() {
        for (due, device) in engine.wakes {
            schedule.add(at: due, on: nil, isOpen: { _ in true }) { [unowned self] in
                engine.wake(device, at: clock.now)
                workLater()
            }
        }
        engine.wakes = []
        for late in engine.late {
            schedule.add(at: late.due, on: nil, isOpen: { _ in true }) { [unowned self] in
                engine.fanOuts.append(late.fanOut)
                workLater()
            }
        }
        engine.late = []
        wakeWhenDue()
    }

    /// To be called when the time has come that was asked for, or the clock was moved.
    package func runDue() {
        clock.tick()
        for body in schedule.takeDue(at: clock.now) { body() }
        if !engine.expectations.isEmpty { answerDecided() }
        wakeWhenDue()
    }

    /// A clock that stands still wakes nobody but those who wait in real time.
    func wakeWhenDue() {
        let next =
            clock.isFrozen
            ? nil : schedule.next.map { loopNow + UInt64(max(0, $0.milliseconds - clock.now.milliseconds)) }
        guard let due = [next, engine.expectations.nextDue].compactMap(\.self).min() else { return }
        wakeAt?(due)
    }
}
