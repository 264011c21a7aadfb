internal import PushCore

/// Tokens that are no longer registered. Senders are told that they are gone. The oldest are forgotten first.
struct EndedTokens {
    private var known: Set<String> = []
    private var order = Queue<String>()

    static let most = 10_000

    func contains(_ token: String) -> Bool { known.contains(token) }

    /// Returns the oldest token if it had to be forgotten to make room.
    mutating func insert(_ token: String) -> String? {
        guard known.insert(token).inserted else { return nil }
        order.append(token)
        guard known.count > Self.most, let oldest = order.popFirst() else { return nil }
        known.remove(oldest)
        return oldest
    }
}
