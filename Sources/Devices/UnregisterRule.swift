internal import PushCore

/// When a service notices that an app is gone. Apple's own rule is fuzzy by intent (facts/apns.md §6, observed).
package struct UnregisterRule: Sendable {
    /// Milliseconds that have to pass after the app has gone, and pushes that have to be lost.
    package var delay: Int64
    package var pushes: Int

    /// At once.
    package init(delay: Int64 = 0, pushes: Int = 0) {
        self.delay = delay
        self.pushes = pushes
    }

    /// The moment from which the token counts as dead; nil while nobody has noticed.
    func unregistered(since gone: Timestamp, lostPushes: Int, at now: Timestamp) -> Timestamp? {
        let noticed = gone + delay
        return lostPushes >= pushes && noticed <= now ? noticed : nil
    }
}
