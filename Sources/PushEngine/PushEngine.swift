package import APNs
package import Devices
package import FCM
internal import HTTPCore
package import PushCore

/// The state of a gateway as one value: devices, the event log, faults, counters. It decides about every push and call.
///
/// It does no I/O and reads no clock: time, random seeds and signature checks come from outside, and what viewers of
/// devices are to be sent goes to a `DeviceNotifier`. The gateway calls it once for each push.
package struct PushEngine: ~Copyable {
    package var events: EventLog
    package var journal = Journal()
    /// The newest event when the gateway last looked around.
    var newestSwept: UInt64 = 0
    package var devices: DeviceRegistry
    package var metrics = Metrics()
    /// The sockets that watch each device, and what they have received.
    package var watches = DeviceTable(default: Watch())
    let notifier: any DeviceNotifier
    /// Broadcasts that have not reached all of their devices.
    package var fanOuts: [FanOut] = []
    /// What faults hold back, for whoever keeps the time to take.
    package var late: [(due: Timestamp, fanOut: FanOut)] = []
    package var random: Random
    package var idGenerator: IDGenerator
    var channels = ChannelRegistry()
    package var faults = FaultBook()
    let waitingCapacity: Int
    /// The second in which waiting pushes were last looked through.
    var lastPurge: Int64 = 0
    var memo = PushMemo()
    /// The push that was rendered last.
    var lastRendered = RenderedPush([], .apns, addsMutableContent: false)
    package var tracking = TrackingBook()
    /// What devices get when they fetch a URL.
    package var media: [String: Media] = [:]
    var googleMemo = FCMMemo()
    let unregisterRule: UnregisterRule
    package private(set) var apns: APNsDialect
    var broadcasts: BroadcastDialect
    package let fcm: FCMDialect
    let oauth: OAuth
    let verifyAccount: OAuth.Verifier
    package var bearers = BearerBook()
    /// Nil: anybody may send as much as he likes.
    var quotas: FCMQuotas?
    /// Devices for which something is held back, and until when: for whoever keeps the time to take.
    package var wakes: [(due: Timestamp, device: DeviceRef)] = []
    package let verify: APNsSession.Verifier
    let digest: @Sendable ([UInt8]) -> [UInt8]
    var pushes: UInt64 = 0
    /// Those who wait for pushes.
    package var expectations = Expectations()
    /// What was deleted since the log was last saved.
    package var deletions = Deletions()
    static let longestApp = 255

    package init(_ settings: EngineSettings, notifier: any DeviceNotifier) {
        self.notifier = notifier
        events = EventLog(capacity: settings.logCapacity, byteCapacity: settings.logByteCapacity)
        devices = DeviceRegistry(capacity: settings.deviceCapacity)
        waitingCapacity = settings.waitingByteCapacity
        random = Random(seed: settings.seed)
        idGenerator = IDGenerator(using: &random)
        unregisterRule = settings.unregisterRule
        let policy = settings.apns
        apns = APNsDialect(policy)
        broadcasts = BroadcastDialect(policy)
        verify = settings.verifyProviderToken
        let google = FCMPolicy(
            asksForCredentials: policy.auth != .off, asksForKnownBearers: policy.auth == .strict,
            isStrict: policy.validation == .strict, acceptsUnknownDevices: policy.acceptsUnknownDevices,
            choices: settings.fcmChoices)
        fcm = FCMDialect(google)
        oauth = OAuth(google)
        quotas = settings.hasQuotas ? FCMQuotas() : nil
        verifyAccount = settings.verifyServiceAccount
        digest = settings.digest
    }

    /// Whether something waits to be scheduled or passed on.
    package var hasWork: Bool { !wakes.isEmpty || !late.isEmpty || !fanOuts.isEmpty }

    /// Replaces what is configured of Apple's service.
    package mutating func setPolicy(_ policy: APNsPolicy) {
        apns = APNsDialect(policy)
        broadcasts = BroadcastDialect(policy)
    }

    /// The number of the next request.
    mutating func takeNumber() -> PushID {
        pushes += 1
        return PushID(pushes)
    }
}
