internal import Devices
internal import JSON
internal import PushCore

/// Judging expectations.
extension PushEngine {
    /// Judges a new expectation that has counted the matches in the log. The verdict is nil if the expectation has to wait.
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
        expectation.endComparison(at: newest)
        return (expectation, expectation.verdict ?? (expectation.within == 0 ? expectation.lastVerdict : nil))
    }

    /// Changes whenever messages are deleted or forgotten.
    package var removals: UInt64 { journal.removals &+ journal.begunRemovals }

    /// Whether waiting expectations still have to be compared with events up to this one.
    package func hasExpectationsToEvaluate(upTo event: UInt64 = .max) -> Bool {
        !expectations.isEmpty
            && (expectations.position < min(event, events.newest) || expectations.isBehind(upTo: event))
    }

    /// Compares the waiting expectations with new events, until the turn is over. Expectations that are behind take turns
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

    /// Compares a new expectation with the next event that the log has already. Returns true when it has been compared
    /// with all of them up to `newest`, or when later ones make no difference.
    package mutating func comparePast(_ expectation: inout Expectation, upTo newest: UInt64) -> Bool {
        if expectation.isSequence, expectation.verdict != nil { return true }
        guard expectation.comparedUpTo < newest else { return true }
        guard let next = nextEvent(after: expectation.comparedUpTo) else { return false }
        if let logged = next.logged, next.seq <= newest, expectation.prefilter.mayMatch(logged) {
            let matches = expectation.compare(with: logged, isPast: true) { filter in
                mayMatch(logged, filter) ? subject(of: logged, for: filter) : nil
            }
            if matches == nil { return false }
        }
        expectation.noteComparison(upTo: min(next.seq, newest))
        return expectation.comparedUpTo >= newest
    }

    private mutating func compareNextEvent(_ waiting: inout Expectations, until isTurnOver: () -> Bool) {
        guard waiting.position < events.newest, let next = nextEvent(after: waiting.position) else { return }
        if let logged = next.logged {
            var current = CurrentSubject()
            let isCompared = waiting.compareAll(with: logged, until: isTurnOver) { logged, filter in
                guard mayMatch(logged, filter) else { return nil }
                return current.subject(for: filter) { subject(of: logged, for: filter) }
            }
            if !isCompared { return }
        }
        waiting.position = next.seq
    }

    /// Compares the first expectation that is behind with the next events.
    private mutating func catchUp(_ waiting: inout Expectations, until isTurnOver: () -> Bool) {
        for _ in 0..<Self.behindSlice {
            guard let position = waiting.nextBehind, let next = nextEvent(after: position) else { return }
            waiting.compareBehind(next.logged, upTo: next.seq) { logged, filter in
                mayMatch(logged, filter) ? subject(of: logged, for: filter) : nil
            }
            if isTurnOver() { return }
        }
    }

    private func mayMatch(_ logged: LoggedEvent, _ filter: MessageFilter) -> Bool {
        guard let row = logged.row else { return true }
        return filter.mayMatch(row, events)
    }

    /// What a filter is compared with at this event; nil if the push is no longer in the log.
    private func subject(of logged: LoggedEvent, for filter: MessageFilter) -> FilterSubject? {
        let message = logged.row.flatMap { self.message($0.seq) }
        if filter.isAboutEvents { return FilterSubject(logged.event, of: message) }
        return message.map { FilterSubject($0, on: logged.event.device.map { [$0] } ?? []) }
    }

    /// The next event; its number alone if expectations are not compared with it. Nil if the journal has to read on first.
    private mutating func nextEvent(after position: UInt64) -> (seq: UInt64, logged: LoggedEvent?)? {
        let event = events.event(after: position)
        let next = event?.seq ?? events.newest
        guard updateJournal(to: next, atMost: Self.journalSlice) else { return nil }
        guard let event, event.push.map(journal.isDeleted) != true else { return (next, nil) }
        return (next, LoggedEvent(event, event.push.flatMap { journal.row(of: $0) }))
    }

    /// The number of events that are added to the journal before the time is checked again.
    private static let journalSlice = 256
    /// The number of events with which an expectation that is behind is compared for each event of the others.
    private static let behindSlice = 32
}

/// What filters are compared with at the current event. It is made once for all filters of the same kind.
private struct CurrentSubject {
    private var push: FilterSubject?
    private var event: FilterSubject?

    mutating func subject(for filter: MessageFilter, _ make: () -> FilterSubject?) -> FilterSubject? {
        if filter.isAboutEvents {
            event = event ?? make()
            return event
        }
        push = push ?? make()
        return push
    }
}
