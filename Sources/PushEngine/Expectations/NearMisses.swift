/// The search for the newest messages that differ from a filter in the fewest ways. A value that a message lacks counts
/// more than one that is different. The search can be interrupted.
package struct NearMisses {
    package typealias Miss = (message: Message, differences: [MessageFilter.Difference])

    private let filter: MessageFilter
    private var search: MessageSearch
    private var searched = 0
    /// The best so far, best first.
    package private(set) var found: [Miss] = []

    private static let maximumSearched = 1000
    private static let maximumFound = 3

    package init(_ filter: MessageFilter, _ engine: borrowing PushEngine) {
        self.filter = filter
        search = engine.search(MessageFilter())
    }

    /// Looks at one more message. Returns false if there are no more to look at.
    package mutating func next(_ engine: inout PushEngine) -> Bool {
        guard searched < Self.maximumSearched, !search.isDone else { return false }
        searched += 1
        guard let message = engine.nextMatch(&search, atMost: 1) else { return true }
        let differences = filter.differences(message)
        if differences.isEmpty { return true }
        // A newer message comes before an older one that is as near.
        let rank = Self.rank(differences)
        let index = found.firstIndex { Self.rank($0.differences) > rank } ?? found.count
        found.insert((message, differences), at: index)
        if found.count > Self.maximumFound { found.removeLast() }
        return true
    }

    private static func rank(_ differences: [MessageFilter.Difference]) -> (Int, Int) {
        (differences.count, differences.count { $0.got == nil })
    }
}
