package import PushCore

/// What an expectation has counted.
package struct Tally {
    /// The first pushes that were counted, or that are behind the counted events; at most `namedLimit`.
    package private(set) var pushes: [PushID] = []
    /// The first events that were counted, at most `namedLimit`; empty if pushes are counted.
    package private(set) var events: [UInt64] = []
    /// The counted pushes, without the pushes that only `unnamed` counts. In a sequence, the pushes that its filters for
    /// pushes have matched.
    private var counted = CountedPushes()
    /// How many were counted without a note which ones: events, or pushes that the log has forgotten.
    private var unnamed = 0
    private let isOfEvents: Bool
    /// The number of counted pushes from which on it is worth looking for forgotten ones.
    private var mostCounted = Self.fewCounted

    package var count: Int { unnamed &+ (isOfEvents ? 0 : counted.count) }
    /// How many of them the list of pushes, or of events, leaves out.
    package var unlisted: Int { count &- (isOfEvents ? events.count : pushes.count) }

    private static let namedLimit = 1000
    private static let fewCounted = 1024

    /// - Parameter isOfEvents: whether events are counted. They stay counted if their push is deleted.
    init(ofEvents isOfEvents: Bool = false) { self.isOfEvents = isOfEvents }

    /// Whether this push was counted.
    func hasPush(_ push: PushID) -> Bool { counted.contains(push) }

    /// Counts a push, if it was not counted before.
    mutating func add(_ push: PushID) {
        guard counted.insert(push) else { return }
        let end = pushes.last.map { $0.number < push.number } ?? true
        let index = end ? pushes.count : pushes.firstIndex { $0.number > push.number } ?? pushes.count
        guard index < Self.namedLimit else { return }
        pushes.insert(push, at: index)
        if pushes.count > Self.namedLimit { pushes.removeLast() }
    }

    /// Counts an event. Call it once for each event, in order.
    ///
    /// - Parameter countsPush: whether the event stands for its push, which then counts only once.
    mutating func add(event: UInt64, _ push: PushID?, countsPush: Bool) {
        unnamed &+= 1
        if events.count < Self.namedLimit { events.append(event) }
        guard let push else { return }
        if countsPush { _ = counted.insert(push) }
        if pushes.count < Self.namedLimit, !pushes.contains(push) { pushes.append(push) }
    }

    var mayHoldForgotten: Bool { !isOfEvents && counted.count >= mostCounted }

    mutating func releaseForgotten(outside rows: [Journal.Row]) {
        let before = counted.count
        counted.removeAll(outside: rows)
        unnamed &+= before &- counted.count
        mostCounted = max(Self.fewCounted, counted.count / 4 * 5)
    }

    func cost(ofForgetting removed: Set<PushID>) -> Int {
        isOfEvents ? 1 : 1 &+ min(removed.count, counted.count) &+ pushes.count
    }

    mutating func forget(_ removed: Set<PushID>) {
        if isOfEvents { return }
        if removed.count > counted.count { return forget(where: removed.contains) }
        for push in removed { counted.remove(push) }
        pushes.removeAll(where: removed.contains)
    }

    mutating func forget(where isRemoved: (PushID) -> Bool) {
        if isOfEvents { return }
        pushes.removeAll(where: isRemoved)
        counted.removeAll(where: isRemoved)
    }
}
