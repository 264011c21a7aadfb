package import PushCore

/// What a call expects: a number of pushes or events that match a filter, or a sequence with a filter for each step.
package struct Expectation {
    package enum Demand {
        /// Met at the N-th match, without waiting for more; fails if more have already come.
        case exactly(Int)
        /// Met at the N-th match.
        case atLeast(Int)
        /// Fails at the first match above the limit; otherwise met when the time is up.
        case atMost(Int)
    }

    package enum Verdict { case met, failed }

    /// The filter, or the filters of a sequence. In a sequence, the match of each filter must come after that of
    /// the filter before it.
    package let filters: [MessageFilter]
    package let isSequence: Bool
    let demand: Demand
    /// How long to wait, in milliseconds of real time.
    package let within: UInt64
    /// What it has counted.
    package private(set) var tally: Tally
    /// The number of the last event that it has been compared with.
    package private(set) var comparedUpTo: UInt64 = 0
    /// The comparison with the next event, if it takes several turns.
    private var comparison: (event: UInt64, filter: FilterComparison)?

    package init(_ filter: MessageFilter, _ demand: Demand, within: UInt64) {
        filters = [filter]
        isSequence = false
        self.demand = demand
        self.within = within
        tally = Tally(ofEvents: filter.isAboutEvents)
        // Earlier events need no comparison.
        if filter.isAboutEvents { comparedUpTo = filter.start }
    }

    /// A sequence.
    package init(inOrder filters: [MessageFilter], within: UInt64) {
        precondition(!filters.isEmpty, "a sequence without filters")
        self.filters = filters
        isSequence = true
        demand = .atLeast(filters.count)
        self.within = within
        tally = Tally(ofEvents: true)
        comparedUpTo = filters[0].start
    }

    /// The filter for what is expected next.
    package var filter: MessageFilter { filters[index] }

    /// The prefilter of `filter`, without a copy of the rest.
    var prefilter: MessageFilter.Prefilter { filters[index].prefilter }

    private var index: Int { isSequence ? min(tally.count, filters.count &- 1) : 0 }

    /// The filter for what is missing. In a sequence, it has to come after what was matched last.
    package var wanted: MessageFilter { tally.events.last.map { isSequence ? filter.after($0) : filter } ?? filter }

    /// Whether it is compared with each event in order. If not, a search finds the matches that are already in the log.
    package var followsEvents: Bool { isSequence || filters[0].isAboutEvents }

    package var count: Int { tally.count }

    /// Counts a matching push. The same push counts only once.
    package mutating func note(_ push: PushID) { tally.add(push) }

    /// Notes that this expectation has been compared with all events up to this one.
    mutating func noteComparison(upTo event: UInt64) { comparedUpTo = max(comparedUpTo, event) }

    /// Notes that it has counted all matches up to the newest event.
    mutating func endComparison(at newest: UInt64) { comparedUpTo = newest }

    /// Compares it with an event, and counts a match. Returns whether it has matched, or nil if that takes longer; then
    /// call it again with the same event.
    ///
    /// - Parameters:
    ///   - isPast: whether the event came before the call. Then a match counts even if there are already enough.
    ///   - subject: what the filter is compared with at this event; nil if it cannot match.
    mutating func compare(
        with logged: borrowing LoggedEvent, isPast: Bool = false, _ subject: (MessageFilter) -> FilterSubject?
    ) -> Bool? {
        let filter = filter
        if comparison?.event != logged.seq {
            comparison = nil
            guard mayCount(logged, isPast: isPast), let subject = subject(filter) else {
                noteComparison(upTo: logged.seq)
                return false
            }
            comparison = (logged.seq, FilterComparison(subject))
        }
        var steps = FilterComparison.portion
        guard let matches = comparison?.filter.advance(filter, steps: &steps) else { return nil }
        comparison = nil
        noteComparison(upTo: logged.seq)
        if matches { count(logged, filter) }
        return matches
    }

    /// Whether a match at this event would count: the expectation is not decided, and each push counts once.
    private func mayCount(_ logged: borrowing LoggedEvent, isPast: Bool) -> Bool {
        guard verdict == nil || isPast && !isSequence else { return false }
        guard !filter.isAboutEvents, let push = logged.row?.push else { return true }
        return !tally.hasPush(push)
    }

    private mutating func count(_ logged: borrowing LoggedEvent, _ filter: MessageFilter) {
        if followsEvents {
            tally.add(event: logged.seq, logged.event.push, countsPush: !filter.isAboutEvents)
        } else if let push = logged.row?.push {
            tally.add(push)
        }
    }

    /// Whether to call `releaseForgotten`.
    var mayHoldForgotten: Bool { tally.mayHoldForgotten }

    /// Releases the counted pushes that the log has forgotten, and keeps only their number.
    mutating func releaseForgotten(outside rows: [Journal.Row]) { tally.releaseForgotten(outside: rows) }

    /// About how many steps `forget(_:)` takes.
    func cost(ofForgetting removed: Set<PushID>) -> Int { tally.cost(ofForgetting: removed) }

    /// Deleted pushes no longer count.
    mutating func forget(_ removed: Set<PushID>) { tally.forget(removed) }

    mutating func forget(where isRemoved: (PushID) -> Bool) { tally.forget(where: isRemoved) }
}
