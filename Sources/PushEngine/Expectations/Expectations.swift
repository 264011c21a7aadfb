package import PushCore

/// Those who wait for something to be so. Nothing is looked at but when a push has come, or a time is over.
package struct Expectations: ~Copyable {
    private struct Entry {
        var expectation: Expectation
        let replyTarget: ReplyTarget
        /// On the loop's clock.
        let due: UInt64
    }

    private var entries: [Entry] = []
    /// Of each entry, what decides nearly always.
    private var quick: [MessageFilter.Quick] = []
    /// One of them has counted a push since they were last looked through.
    private var hasChanged = false
    /// Up to here the log was judged by.
    package var position: UInt64 = 0
    package let capacity = 20_000

    package var count: Int { entries.count }
    package var isEmpty: Bool { entries.isEmpty }
    package private(set) var nextDue: UInt64?

    package init() {}

    package mutating func add(_ expectation: Expectation, _ replyTarget: ReplyTarget, at now: UInt64) {
        let due = now + min(expectation.within, 1 << 50)
        entries.append(Entry(expectation: expectation, replyTarget: replyTarget, due: due))
        quick.append(expectation.filter.quick)
        nextDue = min(nextDue ?? due, due)
    }

    package mutating func forget(where isMeant: (ReplyTarget) -> Bool) {
        guard entries.contains(where: { isMeant($0.replyTarget) }) else { return }
        entries.removeAll { isMeant($0.replyTarget) }
        sortOut()
    }

    /// To be called when entries have gone.
    private mutating func sortOut() {
        quick = entries.map(\.expectation.filter.quick)
        nextDue = entries.lazy.map(\.due).min()
    }

    /// Shows a push to all; where it was on its way to a device, to those who ask for that one.
    package mutating func show(_ row: Journal.Row, _ device: DeviceID?, _ isFirst: Bool, _ message: () -> Message?) {
        var made: Message?
        for index in quick.indices where quick[index].mayMatch(row) {
            let wanted = entries[index].expectation.filter.device
            guard wanted == nil ? isFirst : wanted == device?.description else { continue }
            made = made ?? message()
            guard let made, entries[index].expectation.filter.matches(made) else { continue }
            entries[index].expectation.note(row.push)
            hasChanged = true
        }
    }

    package mutating func forget(_ gone: Set<PushID>) {
        for index in entries.indices { entries[index].expectation.forget(gone) }
    }

    package mutating func takeAll() -> [ReplyTarget] {
        defer {
            entries = []
            sortOut()
        }
        return entries.map(\.replyTarget)
    }

    /// Takes out those that are decided.
    package mutating func takeDecided(at now: UInt64) -> [(
        expectation: Expectation, verdict: Expectation.Verdict, replyTarget: ReplyTarget
    )] {
        guard hasChanged || nextDue ?? .max <= now else { return [] }
        hasChanged = false
        var decided: [(expectation: Expectation, verdict: Expectation.Verdict, replyTarget: ReplyTarget)] = []
        entries.removeAll { entry in
            guard let verdict = entry.expectation.verdict ?? (entry.due <= now ? entry.expectation.lastVerdict : nil)
            else { return false }
            decided.append((entry.expectation, verdict, entry.replyTarget))
            return true
        }
        sortOut()
        return decided
    }
}
