package import PushCore

/// The search for the newest pushes or events that differ from a filter in the fewest ways. A value that is missing counts
/// more than one that is different. The search can be interrupted.
package struct NearMisses {
    package struct Miss {
        /// Nil if the filter is for pushes.
        package let event: Event?
        /// The push, or the one behind the event.
        package let push: PushID?
        package var differences: [MessageFilter.Difference]

        /// 0 if it only came too early in a sequence, 2 if it came before everything that counts, otherwise 1.
        package let timeRank: Int

        /// A miss with a lower rank is nearer. A wrong kind of event counts less than other differences, because such an
        /// event says what happened instead. If a rule explains the event, it is nearer still.
        fileprivate var rank: (Int, Int, Int, Int, Int) {
            (
                differences.count, timeRank, differences.count { $0.got == nil },
                differences.count { !$0.isOfEventKind },
                event != nil && event?.why == nil ? 1 : 0
            )
        }
    }

    private enum Source {
        case messages(MessageSearch)
        /// The events with this number and lower ones.
        case events(UInt64)
    }

    private let filter: MessageFilter
    /// The filter without the condition that it must come after the last match. Equal to `filter` outside of sequences.
    private let original: MessageFilter
    private var source: Source
    /// Only events with higher numbers are looked at.
    private let end: UInt64
    private var searched = 0
    private var comparison: FilterComparison?
    /// The nearest misses so far, the nearest one first.
    package var found: [Miss] = []

    private static let maximumSearched = 1000
    private static let searchedEventNumbers: UInt64 = 10_000
    private static let maximumFound = 3

    package init(_ expectation: Expectation, _ engine: borrowing PushEngine) {
        (filter, original) = (expectation.wanted, expectation.filter)
        let newest = engine.events.newest
        source = filter.isAboutEvents ? .events(newest) : .messages(engine.search(MessageFilter()))
        end = newest &- min(newest, Self.searchedEventNumbers)
    }

    /// Looks at one more push or event, or goes on with the current one. Returns false if there are no more to look at.
    package mutating func next(_ engine: inout PushEngine) -> Bool {
        if comparison == nil {
            guard searched < Self.maximumSearched else { return false }
            switch step(&engine) {
            case .found(let subject): comparison = FilterComparison(subject, findsAll: true)
            case .skipped: return true
            case .ended: return false
            }
        }
        var steps = FilterComparison.portion
        guard let matches = comparison?.advance(filter, steps: &steps) else { return true }
        if let comparison, !matches { keep(comparison) }
        comparison = nil
        return true
    }

    private enum Step {
        case found(FilterSubject)
        /// There is no push or event with this number.
        case skipped
        case ended
    }

    /// Goes to the next push or event.
    private mutating func step(_ engine: inout PushEngine) -> Step {
        switch source {
        case .messages(var search):
            if search.isDone { return .ended }
            searched += 1
            let message = engine.nextMatch(&search, atMost: 1)
            source = .messages(search)
            return message.map { .found(FilterSubject($0, on: $0.devices)) } ?? .skipped
        case .events(let number):
            guard number > end else { return .ended }
            source = .events(number &- 1)
            guard let event = engine.event(number) else { return .skipped }
            searched += 1
            return .found(FilterSubject(event, of: event.push.flatMap { engine.message(of: $0) }))
        }
    }

    private mutating func keep(_ comparison: FilterComparison) {
        let subject = comparison.subject
        let differences = comparison.differences(from: filter)
        // Something outside of since/until that also differs in another way is no near miss.
        let isWithin = filter.isWithin(subject.event)
        if differences.count > 1, !isWithin { return }
        let miss = Miss(
            event: filter.isAboutEvents ? subject.event : nil, push: subject.event.push, differences: differences,
            timeRank: isWithin ? 1 : original.isWithin(subject.event) ? 0 : 2)
        // Of two that are equally near, the newer one comes first.
        let index = found.firstIndex { $0.rank > miss.rank } ?? found.count
        found.insert(miss, at: index)
        if found.count > Self.maximumFound { found.removeLast() }
    }
}
