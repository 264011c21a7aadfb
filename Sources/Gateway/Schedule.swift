/// Things to be done later, in loop time.
struct Schedule {
    private var entries: [(due: UInt64, body: () -> Void)] = []

    /// When the next is due.
    var next: UInt64? { entries.first?.due }

    mutating func add(at due: UInt64, _ body: @escaping () -> Void) {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].due <= due { low = middle + 1 } else { high = middle }
        }
        entries.insert((due, body), at: low)
    }

    mutating func takeDue(at now: UInt64) -> [() -> Void] {
        let count = entries.prefix { $0.due <= now }.count
        defer { entries.removeFirst(count) }
        return entries.prefix(count).map(\.body)
    }
}

extension Gateway {
    /// Does something so many milliseconds later.
    func later(after milliseconds: UInt64, _ body: @escaping () -> Void) {
        schedule.add(at: loopNow + milliseconds, body)
        if let next = schedule.next { wakeAt?(next) }
    }

    /// To be called when the time has come that was asked for.
    package func runDue() {
        clock.tick()
        for body in schedule.takeDue(at: loopNow) { body() }
        if let next = schedule.next { wakeAt?(next) }
    }
}
