package import HTTPCore
package import PushCore

/// A push that waits for its device.
package struct StoredPush: Sendable {
    package let id: PushID
    package let request: Request
    package let traits: PushTraits
    package let since: Timestamp
    package let slot: Slot
    /// What kept it, with Google.
    package let obstacle: Device.Obstacle?

    /// Where it waits; there is room for one in each (facts/apns.md §6 and §7.1, documented).
    package enum Slot: Sendable, Hashable {
        /// What was sent to the device's own token.
        case app
        /// The newest of a broadcast channel.
        case channel(String)
        /// The newest with that collapse key; Google keeps four (facts/device.md §3.2, documented).
        case collapseKey([UInt8])
        /// One of those without a key; Google keeps a hundred.
        case pending(PushID)
    }

    package init(
        id: PushID, request: Request, traits: PushTraits, slot: Slot, since: Timestamp, obstacle: Device.Obstacle? = nil
    ) {
        self.id = id
        self.request = request
        self.traits = traits
        self.slot = slot
        self.since = since
        self.obstacle = obstacle
    }

    /// What it holds in memory; the requests of a channel's slots are shared.
    package var size: Int {
        var isChannels = false
        if case .channel = slot { isChannels = true }
        let own = !isChannels ? request.headers.storage.count + request.body.count : 0
        return own + request.headers.count * MemoryLayout<HeaderBlock.Place>.size + MemoryLayout<Self>.size
    }
}
