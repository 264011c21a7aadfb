internal import PushCore

/// An expectation whose call waits for an answer.
struct WaitingExpectation {
    var expectation: Expectation
    let replyTarget: ReplyTarget
    /// When its time is up, on the loop's clock.
    let due: UInt64
    /// The last event that came before it was compared together with the others. It has been compared with earlier
    /// events up to `expectation.comparedUpTo`, and is compared with the rest on its own.
    let joinedAt: UInt64
    /// Set when its time is up: the newest event at that time. It is decided when all events so far have been compared.
    private(set) var lastEvent: UInt64?
    /// Its call has ended without an answer. It is removed before the next push is counted.
    var isAbandoned = false

    init(_ expectation: Expectation, _ replyTarget: ReplyTarget, due: UInt64, joinedAt: UInt64) {
        self.expectation = expectation
        self.replyTarget = replyTarget
        self.due = due
        self.joinedAt = joinedAt
    }

    /// Whether events up to this one, which came before it joined the others, are still to be compared.
    func isBehind(upTo event: UInt64 = .max) -> Bool {
        !isAbandoned && expectation.comparedUpTo < min(joinedAt, event)
    }

    /// Whether its time is up, and `endWait` has not been called yet.
    func isDue(at now: UInt64) -> Bool { lastEvent == nil && due <= now }

    mutating func endWait(at newest: UInt64) { lastEvent = newest }

    /// The verdict, if there is one. `position` is the last event with which all have been compared.
    func verdict(at position: UInt64) -> Expectation.Verdict? {
        if let verdict = expectation.verdict { return verdict }
        guard let lastEvent, lastEvent <= position, !isBehind() else { return nil }
        return expectation.lastVerdict
    }

    /// Whether a push counts at this event. A push has one event for itself and further events for devices. With a
    /// device filter, it counts at the events of that device, otherwise at its own event.
    func isFor(_ row: Journal.Row, _ event: Event) -> Bool {
        guard let wanted = expectation.filter.device else { return row.seq == event.seq }
        return wanted == event.device?.description
    }

    /// Counts a push if it matches. Returns whether it does. Once the expectation is decided, later pushes do not count.
    mutating func count(_ row: Journal.Row, _ message: Message?) -> Bool {
        guard let message, expectation.filter.matches(message) else { return false }
        guard expectation.verdict == nil else { return true }
        expectation.note(row.push)
        return true
    }
}
