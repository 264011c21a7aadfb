internal import PushCore

/// An expectation whose call waits for an answer.
struct WaitingExpectation {
    var expectation: Expectation
    let replyTarget: ReplyTarget
    /// When its time is up, on the loop's clock.
    let due: UInt64
    /// Whether the others have been compared with later events already, so it is compared on its own until it has caught
    /// up. It is compared with every event in order, because the steps of a sequence have one.
    var isBehind: Bool
    /// Set when its time is up: the newest event at that time. It is decided when all events so far have been compared.
    private(set) var lastEvent: UInt64?
    /// Its call has ended without an answer. It is removed before the next event is compared.
    var isAbandoned = false

    init(_ expectation: Expectation, _ replyTarget: ReplyTarget, due: UInt64, isBehind: Bool) {
        self.expectation = expectation
        self.replyTarget = replyTarget
        self.due = due
        self.isBehind = isBehind
    }

    /// Whether it is behind with an event up to this one.
    func isBehind(upTo event: UInt64) -> Bool {
        isBehind && !isAbandoned && expectation.comparedUpTo < min(event, lastEvent ?? .max)
    }

    /// Whether it is compared with this event together with the others.
    func comparesNext(_ event: UInt64) -> Bool {
        !isBehind && expectation.comparedUpTo < event && isInTime(event)
    }

    /// Whether an event came before the time was up.
    func isInTime(_ event: UInt64) -> Bool { event <= lastEvent ?? .max }

    /// Whether its time is up, and `endWait` has not been called yet.
    func isDue(at now: UInt64) -> Bool { lastEvent == nil && due <= now }

    mutating func endWait(at newest: UInt64) { lastEvent = newest }

    /// The verdict, if there is one. `position` is the last event with which all have been compared.
    func verdict(at position: UInt64) -> Expectation.Verdict? {
        if let verdict = expectation.verdict { return verdict }
        guard let lastEvent, lastEvent <= (isBehind ? expectation.comparedUpTo : position) else { return nil }
        return expectation.lastVerdict
    }
}
