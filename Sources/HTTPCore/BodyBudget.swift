/// Limits the bytes of unfinished request bodies and unsent answers that all connections of a gateway together may
/// hold.
///
/// Shared by the connections of one loop; every `take` must be matched by a `giveBack`.
package final class BodyBudget {
    /// The bytes that are not reserved.
    package private(set) var left: Int

    package init(_ limit: Int) { left = limit }

    /// Reserves `count` bytes. Returns false, and reserves nothing, if fewer are left.
    package func take(_ count: Int) -> Bool {
        guard count <= left else { return false }
        left -= count
        return true
    }

    /// Releases bytes reserved by `take`.
    package func giveBack(_ count: Int) { left += count }
}

@available(*, unavailable) extension BodyBudget: Sendable {}
