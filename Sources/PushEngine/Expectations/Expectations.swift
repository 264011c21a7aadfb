internal import PushCore

/// The waiting expectations. They are checked only when something happens, and when one of them times out.
package struct Expectations: ~Copyable {
    package typealias Decided = (expectation: Expectation, verdict: Expectation.Verdict, replyTarget: ReplyTarget)

    private var entries: [WaitingExpectation] = []
    /// How many entries are abandoned.
    private var abandoned = 0
    /// The prefilter of each entry, at the same index, in a compact array that is fast to search.
    private var prefilters: [MessageFilter.Prefilter] = []
    /// The event that the entries are compared with, and the index of the next one to compare with it.
    private var current = (event: UInt64(0), entry: 0)
    /// No entry before this index is behind.
    private var firstBehind = 0
    /// Whether an entry has counted something since the last `takeDecided`.
    private var hasChanged = false
    /// Whether the time of an entry is up, although it has not been compared with all events yet.
    private var hasEnded = false
    /// The last event with which all entries have been compared, apart from the entries that are behind.
    package var position: UInt64 = 0
    /// Each event is compared with each waiting call, so the number of calls limits how long one event can take.
    package let capacity = 1000

    package var count: Int { entries.count - abandoned }
    package var isEmpty: Bool { count == 0 }
    /// The number of entries, including the abandoned ones.
    var entryCount: Int { entries.count }
    /// When the time of the next entry is up, on the loop's clock.
    package private(set) var nextDue: UInt64?

    package init() {}

    /// Adds an expectation that has been compared with the events up to its `comparedUpTo`. If others have been compared
    /// with later events already, it is behind.
    package mutating func add(_ expectation: Expectation, _ replyTarget: ReplyTarget, at now: UInt64) {
        removeAbandoned()
        if entries.isEmpty { position = expectation.comparedUpTo }
        let due = now + min(expectation.within, 1 << 50)
        let isBehind = expectation.comparedUpTo < position
        entries.append(WaitingExpectation(expectation, replyTarget, due: due, isBehind: isBehind))
        prefilters.append(expectation.prefilter)
        nextDue = min(nextDue ?? due, due)
        skipUpToDate()
    }

    /// Marks the entries whose calls have ended. They are removed later, all at once, because many calls may end in one
    /// turn, and each removal moves the entries behind it.
    package mutating func forget(where shouldRemove: (ReplyTarget) -> Bool) {
        let before = abandoned
        for index in entries.indices where !entries[index].isAbandoned && shouldRemove(entries[index].replyTarget) {
            entries[index].isAbandoned = true
            abandoned += 1
        }
        guard abandoned > before else { return }
        skipUpToDate()
        updateNextDue()
    }

    private mutating func removeAbandoned() {
        guard abandoned > 0 else { return }
        entries.removeAll(where: \.isAbandoned)
        abandoned = 0
        updateIndex()
    }

    /// Updates what depends on the indices of entries. Call it after removing entries.
    private mutating func updateIndex() {
        prefilters = entries.map(\.expectation.prefilter)
        // An entry that has been compared with the current event already is not compared again.
        current.entry = 0
        firstBehind = 0
        skipUpToDate()
        updateNextDue()
    }

    private mutating func updateNextDue() {
        nextDue = entries.lazy.filter { !$0.isAbandoned && $0.lastEvent == nil }.map(\.due).min()
    }

    private mutating func skipUpToDate() {
        while firstBehind < entries.count, !entries[firstBehind].isBehind(upTo: .max) { firstBehind += 1 }
    }

    /// Whether an entry still has to be compared on its own with events up to this one.
    func isBehind(upTo event: UInt64 = .max) -> Bool {
        entries[firstBehind...].contains { $0.isBehind(upTo: event) }
    }

    /// The event after which the first entry that is behind goes on.
    var nextBehind: UInt64? {
        firstBehind < entries.count ? entries[firstBehind].expectation.comparedUpTo : nil
    }

    /// Compares the first entry that is behind with the event after `nextBehind`. If the comparison takes longer, call
    /// this again with the same event.
    mutating func compareBehind(
        _ logged: LoggedEvent?, upTo seq: UInt64, _ subject: (LoggedEvent, MessageFilter) -> FilterSubject?
    ) {
        let index = firstBehind
        if let logged, entries[index].isInTime(seq), prefilters[index].mayMatch(logged),
            !compare(index, logged, subject)
        {
            return
        }
        entries[index].expectation.noteComparison(upTo: seq)
        // The entries before `current.entry` have been compared with the current event.
        let goal = index < current.entry ? max(position, current.event) : position
        if seq >= goal { entries[index].isBehind = false }
        skipUpToDate()
    }

    /// Compares all entries with an event. Returns false if the turn was over before that was done. Then call this again
    /// for the same event; it continues where it stopped.
    mutating func compareAll(
        with logged: LoggedEvent, until isTurnOver: () -> Bool,
        _ subject: (LoggedEvent, MessageFilter) -> FilterSubject?
    ) -> Bool {
        removeAbandoned()
        if current.event != logged.seq { current = (logged.seq, 0) }
        while current.entry < prefilters.count {
            let index = current.entry
            guard prefilters[index].mayMatch(logged), entries[index].comparesNext(logged.seq) else {
                current.entry += 1
                continue
            }
            if compare(index, logged, subject) { current.entry += 1 }
            if isTurnOver(), current.entry < prefilters.count { return false }
        }
        return true
    }

    /// Compares an entry with an event. Returns false if the comparison has to go on.
    private mutating func compare(
        _ index: Int, _ logged: LoggedEvent, _ subject: (LoggedEvent, MessageFilter) -> FilterSubject?
    ) -> Bool {
        guard let matches = entries[index].expectation.compare(with: logged, { subject(logged, $0) }) else {
            return false
        }
        guard matches else { return true }
        hasChanged = true
        // In a sequence, the next filter comes now.
        prefilters[index] = entries[index].expectation.prefilter
        return true
    }

    /// Releases the pushes that an entry has counted and the log has forgotten, and keeps only their number. Does this for
    /// one entry that may have many of them.
    mutating func releaseForgotten(outside rows: [Journal.Row]) {
        guard let index = entries.firstIndex(where: \.expectation.mayHoldForgotten) else { return }
        entries[index].expectation.releaseForgotten(outside: rows)
    }

    /// Removes deleted pushes from the entries before `end`, the last one first, in about `count` steps. Returns the
    /// new end: 0 when all are done. Entries that join meanwhile have not counted these pushes.
    mutating func forget(_ removed: Set<PushID>, before end: Int, atMost count: Int) -> Int {
        var (index, left) = (min(end, entries.count), count)
        while index > 0, left > 0 {
            index -= 1
            left -= entries[index].expectation.cost(ofForgetting: removed)
            entries[index].expectation.forget(removed)
        }
        return index
    }

    package mutating func takeAll() -> [ReplyTarget] {
        removeAbandoned()
        defer {
            entries = []
            updateIndex()
        }
        return entries.map(\.replyTarget)
    }

    /// Removes and returns the expectations that are decided. An expectation whose time is up now is decided only when it
    /// has been compared with all events up to `newest`.
    mutating func takeDecided(at now: UInt64, newest: UInt64) -> [Decided] {
        removeAbandoned()
        if let nextDue, nextDue <= now {
            for index in entries.indices where entries[index].isDue(at: now) { entries[index].endWait(at: newest) }
            hasEnded = true
            skipUpToDate()
            updateNextDue()
        }
        guard hasChanged || hasEnded else { return [] }
        hasChanged = false
        var decided: [Decided] = []
        entries.removeAll { entry in
            guard let verdict = entry.verdict(at: position) else { return false }
            decided.append((entry.expectation, verdict, entry.replyTarget))
            return true
        }
        hasEnded = entries.contains { $0.lastEvent != nil }
        if !decided.isEmpty { updateIndex() }
        return decided
    }
}
