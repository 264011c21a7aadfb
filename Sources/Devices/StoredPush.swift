package import HTTPCore
package import PushCore

/// A push that is stored until its device can get it.
package struct StoredPush: Sendable {
    package let id: PushID
    package let request: Request
    package let traits: PushTraits
    package let since: Timestamp
    package let key: Key
    /// Why it could not be delivered (FCM only).
    package let obstacle: Device.Obstacle?

    /// Pushes with equal keys replace each other, so at most one waits for each key (docs/evidence/apns.md §6 and §7.1,
    /// documented).
    package enum Key: Sendable, Hashable {
        /// An APNs push to the device's own token.
        case app
        /// An APNs push to a token of this kind. We assume that it can wait together with a push to the app's own
        /// token.
        case kind(TokenKind)
        /// The newest broadcast of a channel.
        case channel(String)
        /// The newest message with that collapse key. Google stores four keys (docs/evidence/device.md §3.2,
        /// documented).
        case collapseKey([UInt8])
        /// A message without a collapse key. Google stores a hundred.
        case pending(PushID)

        /// The key of a push to a device token.
        package init(for push: PushTraits) { self = push.kind.map(Key.kind) ?? .app }
    }

    package init(
        id: PushID, request: Request, traits: PushTraits, key: Key, since: Timestamp, obstacle: Device.Obstacle? = nil
    ) {
        self.id = id
        self.request = request
        self.traits = traits
        self.key = key
        self.since = since
        self.obstacle = obstacle
    }

    /// Whether it may still be delivered. An expired push is removed when its device changes, another push is stored
    /// for the device, or the memory for waiting pushes is full.
    package func isAlive(at now: Timestamp) -> Bool { traits.expires.map { $0 > now } ?? false }

    /// The outcome if it expires while it waits.
    package var expiredOutcome: TransitOutcome {
        guard traits.provider == .fcm else { return .discardedExpired }
        return obstacle == .stopped ? .fcmForceStopped : .fcmExpired
    }

    var isBroadcast: Bool { if case .channel = key { true } else { false } }

    /// Its memory in bytes. The header bytes and the body of a broadcast are shared by all devices and not counted.
    package var size: Int {
        let own = !isBroadcast ? request.headers.storage.count + request.body.count : 0
        return own + request.headers.count * MemoryLayout<HeaderBlock.Place>.size + MemoryLayout<Self>.size
    }
}
