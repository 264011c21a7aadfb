internal import Devices
internal import JSON
internal import PushCore

/// Judging expectations.
extension PushEngine {
    /// Judges a new expectation that has counted the matching messages in the log. The verdict is nil if the
    /// expectation has to wait.
    ///
    /// - Parameters:
    ///   - newest: the newest event when the call arrived. The pushes of later events are compared when the expectation
    ///     waits.
    ///   - removals: the value of `removals` when the first message was counted.
    package mutating func judge(_ expectation: Expectation, upTo newest: UInt64, since removals: UInt64) -> (
        expectation: Expectation, verdict: Expectation.Verdict?
    ) {
        var expectation = expectation
        // Messages that were deleted or forgotten after they were found do not count.
        if removals != self.removals { expectation.forget { journal.row(of: $0) == nil } }
        expectation.noteComparison(upTo: newest)
        return (expectation, expectation.verdict ?? (expectation.within == 0 ? expectation.lastVerdict : nil))
    }

    /// Changes whenever messages are deleted or forgotten.
    package var removals: UInt64 { journal.removals &+ journal.begunRemovals }

    /// Whether waiting expectations still have to be compared with pushes up to this event.
    package func hasExpectationsToEvaluate(upTo event: UInt64 = .max) -> Bool {
        !expectations.isEmpty
            && (expectations.position < min(event, events.newest) || expectations.isBehind(upTo: event))
    }

    /// Counts new pushes in the waiting expectations, until the turn is over. Expectations that are behind take turns
    /// with the others.
    package mutating func evaluateExpectations(until isTurnOver: () -> Bool = { false }) {
        guard !expectations.isEmpty else { return expectations.position = events.newest }
        // Moved out of the engine for the loop, because the closures call the engine for messages.
        var waiting = Expectations()
        swap(&waiting, &expectations)
        defer { swap(&waiting, &expectations) }
        while waiting.position < events.newest || waiting.isBehind() {
            compareNextEvent(&waiting, until: isTurnOver)
            catchUp(&waiting, until: isTurnOver)
            if isTurnOver() { break }
        }
        waiting.releaseForgotten(outside: journal.rows)
    }

    /// Removes and returns the expectations that are decided.
    package mutating func takeDecidedExpectations(at now: UInt64) -> [Expectations.Decided] {
        expectations.takeDecided(at: now, newest: events.newest)
    }

    private mutating func compareNextEvent(_ waiting: inout Expectations, until isTurnOver: () -> Bool) {
        guard waiting.position < events.newest, let next = nextEvent(after: waiting.position) else { return }
        if let row = next.row, let event = next.event {
            var current: Message?
            let isCounted = waiting.countPush(row, event, until: isTurnOver) { filter in
                guard filter.mayMatch(row, events) else { return nil }
                current = current ?? message(row.seq)
                return current
            }
            if !isCounted { return }
        }
        waiting.position = next.seq
    }

    /// Compares the first expectation that is behind with the next events.
    private mutating func catchUp(_ waiting: inout Expectations, until isTurnOver: () -> Bool) {
        for _ in 0..<Self.behindSlice {
            guard let position = waiting.nextBehind, let next = nextEvent(after: position) else { return }
            waiting.countBehind(next.row, next.event, upTo: next.seq) { filter in
                guard let row = next.row, filter.mayMatch(row, events) else { return nil }
                return message(row.seq)
            }
            if isTurnOver() { return }
        }
    }

    /// The next event, with the push if expectations are compared with it here. Nil if the journal has to read on first.
    private mutating func nextEvent(after position: UInt64) -> (seq: UInt64, event: Event?, row: Journal.Row?)? {
        let event = events.event(after: position)
        let next = event?.seq ?? events.newest
        guard updateJournal(to: next, atMost: Self.journalSlice) else { return nil }
        guard let event, let push = event.push, let row = journal.row(of: push), row.seq == next || event.device != nil
        else { return (next, nil, nil) }
        return (next, event, row)
    }

    /// The number of events that are added to the journal before the time is checked again.
    private static let journalSlice = 256
    /// The number of events with which an expectation that is behind is compared for each event of the others.
    private static let behindSlice = 32
}
