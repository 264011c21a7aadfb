package import PushCore

/// What an expectation has counted.
package struct Tally {
    /// The first pushes that were counted, or the pushes behind the counted events; at most `namedLimit`.
    package private(set) var pushes: [PushID] = []
    /// The first events that were counted, at most `namedLimit`; empty if pushes are counted.
    package private(set) var events: [UInt64] = []
    /// The counted pushes, apart from those in `anonymousCount`. In a sequence, the pushes that its filters for pushes have
    /// matched.
    private var counted = CountedPushes()
    /// How many matches are counted without their ids: events, and pushes that the log has forgotten.
    private var anonymousCount = 0
    private let countsEvents: Bool
    /// Once at least this many pushes are counted, it is worth searching them for pushes that the log has forgotten.
    private var releaseThreshold = Self.lowestReleaseThreshold

    package var count: Int { anonymousCount &+ (countsEvents ? 0 : counted.count) }
    /// How many of them the list of pushes, or of events, leaves out.
    package var unlisted: Int { count &- (countsEvents ? events.count : pushes.count) }

    private static let namedLimit = 1000
    private static let lowestReleaseThreshold = 1024

    /// - Parameter countsEvents: whether events are counted. They stay counted if their push is deleted.
    init(ofEvents countsEvents: Bool = false) { self.countsEvents = countsEvents }

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
        anonymousCount &+= 1
        if events.count < Self.namedLimit { events.append(event) }
        guard let push else { return }
        if countsPush { _ = counted.insert(push) }
        if pushes.count < Self.namedLimit, !pushes.contains(push) { pushes.append(push) }
    }

    var mayHoldForgotten: Bool { !countsEvents && counted.count >= releaseThreshold }

    mutating func releaseForgotten(outside rows: [Journal.Row]) {
        let before = counted.count
        counted.removeAll(outside: rows)
        anonymousCount &+= before &- counted.count
        releaseThreshold = max(Self.lowestReleaseThreshold, counted.count / 4 * 5)
    }

    func cost(ofForgetting removed: Set<PushID>) -> Int {
        countsEvents ? 1 : 1 &+ min(removed.count, counted.count) &+ pushes.count
    }

    mutating func forget(_ removed: Set<PushID>) {
        if countsEvents { return }
        if removed.count > counted.count { return forget(where: removed.contains) }
        for push in removed { counted.remove(push) }
        pushes.removeAll(where: removed.contains)
    }

    mutating func forget(where isRemoved: (PushID) -> Bool) {
        if countsEvents { return }
        pushes.removeAll(where: isRemoved)
        counted.removeAll(where: isRemoved)
    }
}
