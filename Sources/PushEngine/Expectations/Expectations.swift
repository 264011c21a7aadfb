package import PushCore

/// The waiting expectations. They are checked only when a push arrives, and when one of them times out.
package struct Expectations: ~Copyable {
    private struct Entry {
        var expectation: Expectation
        let replyTarget: ReplyTarget
        /// When its time is up, on the loop's clock.
        let due: UInt64
        /// Its call has ended without an answer. It is removed before the next push is counted.
        var isAbandoned = false
    }

    private var entries: [Entry] = []
    /// How many entries are abandoned.
    private var abandoned = 0
    /// The prefilter of each entry, at the same index, in a compact array that is fast to search.
    private var prefilters: [MessageFilter.Prefilter] = []
    /// The index of the entry to compare the current push with next.
    private var nextEntry = 0
    /// Whether an entry has counted a push since the last `takeDecided(at:)`.
    private var hasChanged = false
    /// The number of the last event that was judged.
    package var position: UInt64 = 0
    /// Each push is compared with each waiting call, so the number of calls limits how long one push can take.
    package let capacity = 1000

    package var count: Int { entries.count - abandoned }
    package var isEmpty: Bool { count == 0 }
    package private(set) var nextDue: UInt64?

    package init() {}

    /// Adds an expectation that has been compared with the pushes up to its `comparedUpTo`. Later pushes are compared
    /// next, even if the other expectations have been compared with them before.
    package mutating func add(_ expectation: Expectation, _ replyTarget: ReplyTarget, at now: UInt64) {
        removeAbandoned()
        if entries.isEmpty {
            position = expectation.comparedUpTo
        } else if expectation.comparedUpTo < position {
            for index in entries.indices { entries[index].expectation.noteComparison(upTo: position) }
            (position, nextEntry) = (expectation.comparedUpTo, 0)
        }
        let due = now + min(expectation.within, 1 << 50)
        entries.append(Entry(expectation: expectation, replyTarget: replyTarget, due: due))
        prefilters.append(expectation.filter.prefilter)
        nextDue = min(nextDue ?? due, due)
    }

    /// Marks the entries whose calls have ended. They are removed later, all at once, because many calls may end in one
    /// turn, and each removal moves the entries behind it.
    package mutating func forget(where shouldRemove: (ReplyTarget) -> Bool) {
        for index in entries.indices where !entries[index].isAbandoned && shouldRemove(entries[index].replyTarget) {
            entries[index].isAbandoned = true
            abandoned += 1
            if entries[index].due == nextDue { nextDue = entries.lazy.filter { !$0.isAbandoned }.map(\.due).min() }
        }
    }

    private mutating func removeAbandoned() {
        guard abandoned > 0 else { return }
        entries.removeAll(where: \.isAbandoned)
        abandoned = 0
        updateIndex()
    }

    /// Updates `prefilters` and `nextDue`. Call it after removing entries.
    private mutating func updateIndex() {
        prefilters = entries.map(\.expectation.filter.prefilter)
        // Comparing a push again does no harm, because it is counted once.
        nextEntry = 0
        nextDue = entries.lazy.map(\.due).min()
    }

    /// Counts a push in each expectation that it matches. Returns false if the turn was over before all of them were
    /// compared. Then call this again for the same push; it continues where it stopped.
    ///
    /// A push has one event for itself and further events for devices. Expectations with a device filter are compared
    /// at the events of that device, all others at the push's own event.
    mutating func countPush(
        _ row: Journal.Row, _ event: Event, until isTurnOver: () -> Bool,
        _ message: (MessageFilter) -> Message?
    ) -> Bool {
        removeAbandoned()
        while nextEntry < prefilters.count {
            let index = nextEntry
            nextEntry += 1
            guard prefilters[index].mayMatch(row) else { continue }
            guard event.seq > entries[index].expectation.comparedUpTo else { continue }
            let wanted = entries[index].expectation.filter.device
            guard wanted == nil ? row.seq == event.seq : wanted == event.device?.description else { continue }
            if let message = message(entries[index].expectation.filter),
                entries[index].expectation.filter.matches(message)
            {
                entries[index].expectation.note(row.push)
                hasChanged = true
            }
            if isTurnOver(), nextEntry < prefilters.count { return false }
        }
        nextEntry = 0
        return true
    }

    package mutating func forget(_ gone: Set<PushID>) {
        for index in entries.indices { entries[index].expectation.forget(gone) }
    }

    package mutating func takeAll() -> [ReplyTarget] {
        removeAbandoned()
        defer {
            entries = []
            updateIndex()
        }
        return entries.map(\.replyTarget)
    }

    /// Removes and returns the expectations that are decided.
    package mutating func takeDecided(at now: UInt64) -> [(
        expectation: Expectation, verdict: Expectation.Verdict, replyTarget: ReplyTarget
    )] {
        removeAbandoned()
        guard hasChanged || nextDue ?? .max <= now else { return [] }
        hasChanged = false
        var decided: [(expectation: Expectation, verdict: Expectation.Verdict, replyTarget: ReplyTarget)] = []
        entries.removeAll { entry in
            guard let verdict = entry.expectation.verdict ?? (entry.due <= now ? entry.expectation.lastVerdict : nil)
            else { return false }
            decided.append((entry.expectation, verdict, entry.replyTarget))
            return true
        }
        if !decided.isEmpty { updateIndex() }
        return decided
    }
}
