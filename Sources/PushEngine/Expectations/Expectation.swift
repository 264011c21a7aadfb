internal import HTTPCore
internal import JSON
package import PushCore

/// An expected number of pushes that match a filter.
package struct Expectation {
    package enum Demand {
        /// Met at the N-th matching push, without waiting for more; fails if more have already arrived.
        case exactly(Int)
        /// Met at the N-th matching push.
        case atLeast(Int)
        /// Fails at the first push above the limit; otherwise met when the time is up.
        case atMost(Int)
    }

    package enum Verdict { case met, failed }

    package let filter: MessageFilter
    let demand: Demand
    /// How long to wait, in milliseconds of real time.
    package let within: UInt64
    /// The first matching pushes, at most `namedLimit`.
    package private(set) var pushes: [PushID] = []
    /// The number of the last event whose push it has been compared with. Earlier events are not compared again.
    private(set) var comparedUpTo: UInt64 = 0
    /// The matching pushes, without the pushes that only `forgotten` counts.
    private var counted = CountedPushes()
    /// How many matching pushes the log has forgotten. They still count, but it is not known any more which ones they
    /// were.
    private var forgotten = 0
    /// The number of counted pushes from which on it is worth looking for forgotten ones.
    private var mostCounted = Self.fewCounted
    package var count: Int { forgotten + counted.count }

    private static let namedLimit = 1000
    private static let fewCounted = 1024

    package init(_ filter: MessageFilter, _ demand: Demand, within: UInt64) {
        self.filter = filter
        self.demand = demand
        self.within = within
    }

    /// Counts a matching push. The same push counts only once.
    package mutating func note(_ push: PushID) {
        guard counted.insert(push) else { return }
        let end = pushes.last.map { $0.number < push.number } ?? true
        let index = end ? pushes.count : pushes.firstIndex { $0.number > push.number } ?? pushes.count
        guard index < Self.namedLimit else { return }
        pushes.insert(push, at: index)
        if pushes.count > Self.namedLimit { pushes.removeLast() }
    }

    /// Notes that this expectation has been compared with the pushes of all events up to this one.
    mutating func noteComparison(upTo event: UInt64) { comparedUpTo = max(comparedUpTo, event) }

    /// How many matching pushes `pushes` leaves out.
    package var unlisted: Int { count - pushes.count }

    /// One sentence about an expectation that is not met.
    package var whyNotMet: String {
        let found = count == 1 ? "1 push matches" : "\(count) pushes match"
        switch demand {
        case .exactly(let wanted): return "\(found), but exactly \(wanted) \(Self.were(wanted)) expected."
        case .atLeast(let wanted): return "\(found), but at least \(wanted) \(Self.were(wanted)) expected."
        case .atMost(0): return "\(found), but none was expected."
        case .atMost(let limit): return "\(found), but at most \(limit) \(Self.were(limit)) expected."
        }
    }

    /// There are more matching pushes than the expectation allows.
    package var isExceeded: Bool {
        switch demand {
        case .exactly(let limit), .atMost(let limit): count > limit
        case .atLeast: false
        }
    }

    private static func were(_ number: Int) -> String { number == 1 ? "was" : "were" }

    /// Whether to call `releaseForgotten`.
    var mayHoldForgotten: Bool { counted.count >= mostCounted }

    /// Keeps only the number of those pushes that the log has forgotten.
    mutating func releaseForgotten(outside rows: [Journal.Row]) {
        let before = counted.count
        counted.removeAll(outside: rows)
        forgotten += before - counted.count
        mostCounted = max(Self.fewCounted, counted.count / 4 * 5)
    }

    /// The steps that `forget(_:)` takes.
    func cost(ofForgetting removed: Set<PushID>) -> Int { 1 + min(removed.count, counted.count) + pushes.count }

    /// Deleted pushes no longer count.
    mutating func forget(_ removed: Set<PushID>) {
        if removed.count > counted.count { return forget(where: removed.contains) }
        for push in removed { counted.remove(push) }
        pushes.removeAll(where: removed.contains)
    }

    mutating func forget(where isRemoved: (PushID) -> Bool) {
        pushes.removeAll(where: isRemoved)
        counted.removeAll(where: isRemoved)
    }

    /// The verdict so far; nil if it depends on later pushes, or on the time running out.
    package var verdict: Verdict? {
        switch demand {
        case .exactly(let wanted): count == wanted ? .met : count > wanted ? .failed : nil
        case .atLeast(let wanted): count >= wanted ? .met : nil
        case .atMost(let limit): count > limit ? .failed : nil
        }
    }

    /// The verdict when the time is up.
    package var lastVerdict: Verdict {
        if case .atMost(let limit) = demand, count <= limit { return .met }
        return verdict ?? .failed
    }
}

extension MessageFilter.Difference: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("at", at)
            json.member("expected", expected)
            json.member("got", got)
        }
    }
}
