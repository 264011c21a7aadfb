/// The octets of unfinished bodies that all connections of a gateway hold together.
package final class BodyBudget {
    private var left: Int

    package init(_ limit: Int) { left = limit }

    /// False where that would be too much; nothing is taken then.
    package func take(_ count: Int) -> Bool {
        guard count <= left else { return false }
        left -= count
        return true
    }

    package func giveBack(_ count: Int) { left += count }
}

@available(*, unavailable) extension BodyBudget: Sendable {}
