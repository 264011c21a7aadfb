internal import Devices
internal import JSON
package import PushCore

/// Judging expectations.
extension PushEngine {
    /// Judges a new expectation by the messages in the log that match it, oldest first. The verdict is nil if it has to
    /// wait. The search for them began when `newest` was the newest event; later messages are added here.
    package mutating func judge(_ expectation: Expectation, _ found: [PushID], since newest: UInt64) -> (
        expectation: Expectation, verdict: Expectation.Verdict?
    ) {
        var expectation = expectation
        if expectations.isEmpty { expectations.position = events.newest }
        updateJournal()
        // Messages that were deleted since they were found do not count.
        for push in found where journal.row(of: push) != nil { expectation.note(push) }
        var later: [PushID] = []
        var search = search(expectation.filter)
        while !search.isDone, search.isAbove(newest) {
            if let message = nextMatch(&search, atMost: 1), message.event.seq > newest {
                later.append(message.record.id)
            }
        }
        for push in later.reversed() { expectation.note(push) }
        return (expectation, expectation.verdict ?? (expectation.within == 0 ? expectation.lastVerdict : nil))
    }

    package var hasExpectationsToEvaluate: Bool { !expectations.isEmpty && expectations.position < events.newest }

    /// Counts new pushes in the waiting expectations, until `isOver`. Returns true if one of them may be decided now.
    package mutating func evaluateExpectations(until isOver: () -> Bool = { false }) -> Bool {
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
                if isOver() { break }
                continue
            }
            if let event, let push = event.push, let row = journal.row(of: push),
                row.seq == next || event.device != nil
            {
                hasNew = true
                var current: Message?
                let isCounted = waiting.countPush(row, event.device, row.seq == next, until: isOver) { filter in
                    guard filter.mayMatch(row, events) else { return nil }
                    current = current ?? message(row.seq)
                    return current
                }
                if !isCounted { break }
            }
            waiting.position = next
            if isOver() { break }
        }
        return hasNew
    }

    /// The number of events that are added to the journal before the time is checked again.
    private static let journalSlice = 256
}
