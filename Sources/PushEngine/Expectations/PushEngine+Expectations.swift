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
        !expectations.isEmpty && expectations.position < min(event, events.newest)
    }

    /// Counts new pushes in the waiting expectations, until the turn is over. Returns true if one of them may be
    /// decided now.
    package mutating func evaluateExpectations(until isTurnOver: () -> Bool = { false }) -> Bool {
        guard !expectations.isEmpty else {
            expectations.position = events.newest
            return false
        }
        // Moved out of the engine for the loop, because the closure calls the engine for messages.
        var waiting = Expectations()
        swap(&waiting, &expectations)
        defer { swap(&waiting, &expectations) }
        var hasNew = false
        while waiting.position < events.newest {
            let event = events.event(after: waiting.position)
            let next = event?.seq ?? events.newest
            guard updateJournal(to: next, atMost: Self.journalSlice) else {
                if isTurnOver() { break }
                continue
            }
            if let event, let push = event.push, let row = journal.row(of: push),
                row.seq == next || event.device != nil
            {
                hasNew = true
                var current: Message?
                let isCounted = waiting.countPush(row, event, until: isTurnOver) { filter in
                    guard filter.mayMatch(row, events) else { return nil }
                    current = current ?? message(row.seq)
                    return current
                }
                if !isCounted { break }
            }
            waiting.position = next
            if isTurnOver() { break }
        }
        return hasNew
    }

    /// The number of events that are added to the journal before the time is checked again.
    private static let journalSlice = 256
}
