package import APNs
package import Devices
package import FCM
package import Faults
internal import HTTPCore
package import PushCore
package import Receivers

/// The state of a gateway as one value: devices, the event log, faults and counters. It decides on every push and call.
///
/// It does no I/O and reads no clock: time, random seeds and signature checks come from outside, and events for the
/// viewers of devices go to a `DeviceNotifier`. The gateway calls it once for each push.
package struct PushEngine: ~Copyable {
    package var events: EventLog
    package var journal: Journal
    /// The newest event at the last call to `updateJournalWhileIdle()`.
    var newestWhenIdle: UInt64 = 0
    package var devices: DeviceRegistry
    package var metrics = Metrics()
    /// The viewers of each device, and what they have received.
    package var watches = DeviceTable(default: Watch())
    let notifier: any DeviceNotifier
    package var pendingWork = PendingWork()
    /// The earliest requested wake-up of each device that has one.
    var pendingWakes: [DeviceRef: Timestamp] = [:]
    /// Pushes that faults deliver later, by key.
    var latePushes: [String: LatePush] = [:]
    package var random: Random
    package var idGenerator: IDGenerator
    var channels = ChannelRegistry()
    package var faults = FaultBook()
    let waitingCapacity: Int
    /// The second in which expired pushes were last dropped.
    var lastPurge: Int64 = 0
    var caches = EngineCaches()
    package var tracking = TrackingBook()
    /// The responses that devices get when they fetch a URL, by URL.
    package internal(set) var media = MediaTable()
    /// Whether the gateway fetches what is not in `media` (`pendingWork.fetches`).
    package var fetchesMedia = false
    /// Whether reports of simulated apps are sent on (`pendingWork.hits`).
    package var forwardsHits = false
    package internal(set) var addedCredentials = AddedCredentials()
    /// Nil if the clock is the system's.
    package internal(set) var clockSetting: ClockSetting?
    /// Real receivers: browsers and apps that take their pushes from the gateway.
    package var realReceivers: RealReceivers
    /// The devices of subscriptions, real and simulated, by the tokens in their endpoints.
    var subscribers: [String: DeviceID] = [:]
    let verifyWebPush: VAPID.Verify
    let openWebPush: WebPushOpener
    let makeWebPushKeys: @Sendable () -> WebPushKeys?
    let unregisterRule: UnregisterRule
    package private(set) var dialects: Dialects
    /// The provider tokens that connections accepted.
    var acceptedTokens = AcceptedTokens()
    package var bearers = BearerBook()
    /// Nil if rate limits are not enforced.
    var quotas: FCMQuotas?
    let digest: @Sendable ([UInt8]) -> [UInt8]
    /// The number of the newest request (`nextRequestID`).
    var lastRequestNumber: UInt64 = 0
    /// The `expect` calls that wait for pushes.
    package var expectations = Expectations()
    /// Whether events or tracking hits were deleted since the log was last saved.
    package var deletions = Deletions()
    /// The deletion of messages that has begun.
    var deletion: Deletion?
    /// The records that have changed since they were last saved, except faults (`FaultBook.changes`).
    var changes = RecordChanges()
    /// The longest name of an app, in bytes.
    static let maxAppNameLength = 255

    package init(_ settings: EngineSettings, notifier: any DeviceNotifier) {
        self.notifier = notifier
        events = EventLog(capacity: settings.logCapacity, byteCapacity: settings.logByteCapacity)
        // A push that reaches a device has four events, so this is about the number of pushes.
        journal = Journal(capacity: settings.logCapacity / 4)
        devices = DeviceRegistry(
            capacity: settings.deviceCapacity, discardsExpired: settings.apns.choices.contains(.expiredPush))
        waitingCapacity = settings.waitingByteCapacity
        random = Random(seed: settings.seed)
        idGenerator = IDGenerator(using: &random)
        unregisterRule = settings.unregisterRule
        dialects = Dialects(settings)
        quotas = settings.enforcesQuotas ? FCMQuotas() : nil
        digest = settings.digest
        verifyWebPush = settings.verifyWebPush
        openWebPush = settings.openWebPush
        makeWebPushKeys = settings.makeWebPushKeys
        realReceivers = RealReceivers(
            seed: settings.seed, waitingByteCapacity: settings.waitingByteCapacity, isPoint: settings.isPoint)
    }

    /// Gives back memory that only removed devices have used, in portions. Returns false if there is nothing more to do.
    package mutating func trimDevices() -> Bool {
        defer { watches.shrink(to: devices.slots.upperBound) }
        return devices.trim(atMost: Self.trimmedAtOnce)
    }

    private static let trimmedAtOnce = 1024

    /// Replaces the configuration of the APNs dialect.
    package mutating func setPolicy(_ policy: APNsPolicy) { dialects.setPolicy(policy) }

    /// Returns the number for a new request.
    mutating func nextRequestID() -> PushID {
        lastRequestNumber += 1
        return PushID(lastRequestNumber)
    }
}
