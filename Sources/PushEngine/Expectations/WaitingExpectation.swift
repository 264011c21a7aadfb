internal import PushCore

/// An expectation whose call waits for an answer.
struct WaitingExpectation {
    var expectation: Expectation
    let replyTarget: ReplyTarget
    /// When its time is up, on the loop's clock.
    let due: UInt64
    /// Whether the other expectations have already been compared with later events. Until this one has caught up, it is
    /// compared on its own. It must not skip events, because a sequence needs them in order.
    var isBehind: Bool
    /// The newest event when its time was up; nil before that. It is decided once it has been compared with all events up
    /// to this one.
    private(set) var lastEvent: UInt64?
    /// Whether its call has ended without an answer. It is removed before the next event is compared.
    var isAbandoned = false

    init(_ expectation: Expectation, _ replyTarget: ReplyTarget, due: UInt64, isBehind: Bool) {
        self.expectation = expectation
        self.replyTarget = replyTarget
        self.due = due
        self.isBehind = isBehind
    }

    /// Whether it still has to be compared on its own with an event up to this one.
    func isBehind(upTo event: UInt64) -> Bool {
        isBehind && !isAbandoned && expectation.comparedUpTo < min(event, lastEvent ?? .max)
    }

    /// Whether it is compared with this event at the same time as the other expectations.
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
