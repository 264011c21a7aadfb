package import APNs
package import Devices
package import FCM
package import PushCore
package import Receivers

/// How each service answers, and how the signatures that its clients send are checked.
package struct Dialects {
    package private(set) var apns: APNsDialect
    /// Checks the pushes that Google sends to Apple for messages.
    private(set) var relay: APNsDialect
    private(set) var broadcasts: BroadcastDialect
    package let fcm: FCMDialect
    let oauth: OAuth
    package let verifyProviderToken: APNsSession.Verifier
    let verifyServiceAccount: OAuth.Verifier

    init(_ settings: EngineSettings) {
        let policy = settings.apns
        apns = APNsDialect(policy, verify: settings.verifyProviderToken)
        relay = APNsDialect(relaying: policy)
        broadcasts = BroadcastDialect(policy, verify: settings.verifyProviderToken)
        verifyProviderToken = settings.verifyProviderToken
        verifyServiceAccount = settings.verifyServiceAccount
        let google = FCMPolicy(
            requiresCredentials: policy.auth != .off, requiresKnownBearers: policy.auth == .strict,
            isStrict: policy.validation == .strict, acceptsUnknownDevices: policy.acceptsUnknownDevices,
            choices: settings.fcmChoices, answers: settings.fcmAnswers)
        fcm = FCMDialect(google)
        oauth = OAuth(google)
    }

    mutating func setPolicy(_ policy: APNsPolicy) {
        apns = APNsDialect(policy, verify: verifyProviderToken)
        relay = APNsDialect(relaying: policy)
        broadcasts = BroadcastDialect(policy, verify: verifyProviderToken)
    }
}

/// What the engine remembers of earlier pushes to save work (docs/notes/repeated-pushes.md). No answer depends on it.
struct EngineCaches {
    var apns = PushCheckCache()
    var fcm = FCMRequestCache()
    var lastRendered = RenderedPush([], .apns, addsMutableContent: false)
}

/// Work that the gateway takes out of the engine after each call.
package struct PendingWork {
    /// Pushes that have not reached all of their devices.
    package var fanOuts: [PushEngine.FanOut] = []
    /// When to call `startLatePush(_:)`, and with which keys.
    package var delayedFanOuts: [(due: Timestamp, key: String)] = []
    /// When to call `wake(_:at:)` for which device.
    package var wakes: [(due: Timestamp, device: DeviceRef)] = []
    /// Files to fetch for devices. Call `fetched(_:_:at:)` with each result.
    package var fetches = Queue<DeviceFetch>()
    /// Reports of simulated apps to send to the user's collector.
    package var hits = Queue<TrackingHit>()
    /// FCM messages to encrypt for real receivers.
    package var receiverPushes = Queue<ReceiverPush>()

    package var isEmpty: Bool { fanOuts.isEmpty && !hasMoreThanFanOuts }
    package var hasMoreThanFanOuts: Bool {
        !wakes.isEmpty || !delayedFanOuts.isEmpty || !fetches.isEmpty || !hits.isEmpty || !receiverPushes.isEmpty
    }
}
