internal import Devices
internal import JSON
internal import PushCore

/// Judging expectations.
extension PushEngine {
    /// Judges a new expectation from the messages in the log. The verdict is nil if it has to wait.
    package mutating func judge(_ expectation: Expectation) -> (
        expectation: Expectation, verdict: Expectation.Verdict?
    ) {
        var expectation = expectation
        _ = evaluateExpectations()
        for message in messages(expectation.filter, before: nil, limit: .max).messages.reversed() {
            expectation.note(message.record.id)
        }
        expectations.position = events.newest
        return (expectation, expectation.verdict ?? (expectation.within == 0 ? expectation.lastVerdict : nil))
    }

    package var hasExpectationsToEvaluate: Bool { !expectations.isEmpty && expectations.position < events.newest }

    /// Counts new pushes in the waiting expectations. Returns true if one of them may be decided now.
    package mutating func evaluateExpectations() -> Bool {
        guard !expectations.isEmpty else {
            expectations.position = events.newest
            return false
        }
        updateJournal()
        // Moved out of the engine for the loop, because the closure calls the engine for messages.
        var waiting = Expectations()
        swap(&waiting, &expectations)
        var position = max(waiting.position, events.newest - UInt64(events.count))
        var hasNew = false
        while position < events.newest {
            position += 1
            guard let event = events.event(position), let push = event.push, let row = journal.row(of: push)
            else { continue }
            let isFirst = row.seq == event.seq
            guard isFirst || event.device != nil else { continue }
            hasNew = true
            waiting.countPush(row, event.device, isFirst) { message(row.seq) }
        }
        waiting.position = events.newest
        swap(&waiting, &expectations)
        return hasNew
    }

    private static let nearestSearched = 1000
    private static let nearestLimit = 3

    /// The newest messages that differ from a filter in the fewest ways, and how they differ.
    package mutating func nearest(to filter: MessageFilter) -> [(
        message: Message, differences: [MessageFilter.Difference]
    )] {
        let messages = messages(MessageFilter(), before: nil, limit: Self.nearestSearched).messages
        let misses = messages.map { (message: $0, differences: filter.differences($0)) }
            .filter { !$0.differences.isEmpty }
        let sorted = misses.enumerated().sorted {
            ($0.element.differences.count, $0.offset) < ($1.element.differences.count, $1.offset)
        }
        return Array(sorted.prefix(Self.nearestLimit).map(\.element))
    }
}
