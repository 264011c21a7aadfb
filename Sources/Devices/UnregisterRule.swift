internal import PushCore

/// When a push service notices that an app was removed from a device. Apple makes this fuzzy on purpose
/// (docs/evidence/apns.md §6, observed).
package struct UnregisterRule: Sendable {
    /// Milliseconds that must pass after the removal (default: 0).
    package var delay: Int64
    /// Pushes that must be lost after the removal (default: 0).
    package var pushes: Int

    package init(delay: Int64 = 0, pushes: Int = 0) {
        self.delay = delay
        self.pushes = pushes
    }

    /// When the token became invalid; nil while the service has not noticed the removal.
    func unregistered(since gone: Timestamp, lostPushes: Int, at now: Timestamp) -> Timestamp? {
        let noticed = gone + delay
        return lostPushes >= pushes && noticed <= now ? noticed : nil
    }
}
