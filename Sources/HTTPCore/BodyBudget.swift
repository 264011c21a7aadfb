/// Limits the bytes of unfinished request bodies and unsent answers that all connections of a gateway together may
/// hold.
///
/// Shared by the connections of one loop; every `take` must be matched by a `giveBack`.
package final class BodyBudget {
    /// Private, so that the compiler knows all accesses and needs no checks of exclusive access: each would cost 63
    /// instructions.
    private var room: Int
    /// The bytes that are not reserved.
    package var left: Int { room }

    package init(_ limit: Int) { room = limit }

    /// Reserves `count` bytes. Returns false, and reserves nothing, if fewer are left.
    package func take(_ count: Int) -> Bool {
        guard count <= room else { return false }
        room -= count
        return true
    }

    /// Releases bytes reserved by `take`.
    package func giveBack(_ count: Int) { room += count }
}

@available(*, unavailable) extension BodyBudget: Sendable {}
