package import PushCore

/// How an accepted FCM message gets to a device (docs/evidence/device.md §3.2, documented).
extension Device {
    /// The maximum number of collapse keys that wait for one device.
    static let collapseKeyLimit = 4
    /// The maximum number of messages without a collapse key that wait for one device.
    static let pendingLimit = 100

    /// Milliseconds without a connection after which messages are no longer stored for the device (documented; the time
    /// is assumed).
    static let inactiveAfter: Int64 = 30 * 86_400_000
    /// Milliseconds without a connection after which the device's token is unregistered (documented).
    static let unregisteredAfter: Int64 = 270 * 86_400_000

    /// Why a message can't reach the device now.
    package enum Obstacle: Sendable, Equatable {
        case offline, directBoot, stopped, doze
        /// Too many messages with the same collapse key were sent to it (docs/evidence/fcm.md §4, documented).
        case throttled(until: Timestamp)
    }

    /// A browser that is not running has no connection to its push service (docs/evidence/fcm.md §5.4, reported).
    var isClosedBrowser: Bool { platform == .web && state.isAppEnded }

    /// Why a message can't reach this Android phone or browser now; nil if it can. Normal priority waits until Doze
    /// ends. Nothing reaches an app that was force-stopped.
    func obstacle(to push: PushTraits) -> Obstacle? {
        if !state.online || isAppRemoved || isClosedBrowser { return .offline }
        if state.directBoot, !push.worksInDirectBoot { return .directBoot }
        if state.forceStopped { return .stopped }
        return state.doze && push.priority != 10 ? .doze : nil
    }

    func fcmOutcome(of push: PushTraits, at now: Timestamp) -> TransitOutcome {
        guard let obstacle = obstacle(to: push) else { return .fcmDelivered }
        if let offlineSince, now.milliseconds - offlineSince.milliseconds > Self.inactiveAfter { return .fcmInactive }
        guard let expires = push.expires, expires > now else {
            return obstacle == .stopped ? .fcmForceStopped : .fcmExpired
        }
        return .fcmPending
    }

    func fcmOutcome(ofStored push: StoredPush, at now: Timestamp) -> TransitOutcome? {
        guard obstacle(to: push.traits) == nil else { return nil }
        if case .throttled(let end)? = push.obstacle, now < end { return nil }
        if !push.isAlive(at: now) { return push.expiredOutcome }
        switch push.obstacle {
        case .doze: return .fcmDeliveredAfterDoze
        case .stopped: return .fcmDeliveredAfterStop
        case .throttled: return .fcmDeliveredAfterThrottle
        case .offline, .directBoot, nil: return .fcmDeliveredLate
        }
    }
}

extension DeviceRegistry {
    /// Stores a message for a device. Returns the messages that it displaced, each with its outcome.
    package mutating func storeGoogle(_ push: StoredPush, for slot: Int) -> [Released] {
        var displaced: [Released] = []
        if case .collapseKey = push.key {
            if let old = store(push, for: slot) { displaced.append(Released(push: old, outcome: .fcmCollapsed)) }
            let keys = devices[slot].waitingPushes.filter { if case .collapseKey = $0.key { true } else { false } }
            if keys.count > Device.collapseKeyLimit, let oldest = keys.first {
                remove(slot) { $0.id == oldest.id }
                displaced.append(Released(push: oldest, outcome: .fcmCollapsed))
            }
            return displaced
        }
        _ = store(push, for: slot)
        let pending = devices[slot].waitingPushes.filter { if case .pending = $0.key { true } else { false } }
        guard pending.count > Device.pendingLimit else { return [] }
        remove(slot) { waiting in pending.contains { $0.id == waiting.id } }
        devices[slot].deletedMessages += pending.count
        return pending.map { Released(push: $0, outcome: .fcmTooManyPending) }
    }

    /// Counts a message that was dropped because the device is inactive. Its app gets the count when the device is back
    /// online.
    package mutating func countInactiveDrop(_ slot: Int) { devices[slot].deletedMessages += 1 }

    /// Why a message can't reach the device now; nil if it can.
    package func obstacle(to push: PushTraits, at slot: Int) -> Device.Obstacle? { devices[slot].obstacle(to: push) }

    /// What a send needs to know about the device that a registration token belongs to.
    package struct Registration {
        package let slot: Int
        package let platform: Device.Platform
        /// The token is unregistered: it was replaced, the app is gone, or the device was offline for too long.
        package let isUnregistered: Bool
        package let project: String?
    }

    package func registration(ofFCM token: String, at now: Timestamp) -> Registration? {
        guard let slot = slot(ofFCM: token) else {
            return retired.owner(of: token).flatMap { self.slot(of: $0) }.map {
                Registration(slot: $0, platform: devices[$0].platform, isUnregistered: true, project: nil)
            }
        }
        let isForgotten =
            devices[slot].offlineSince.map { now.milliseconds - $0.milliseconds > Device.unregisteredAfter } ?? false
        return Registration(
            slot: slot, platform: devices[slot].platform,
            isUnregistered: devices[slot].unregisteredSince != nil || isForgotten,
            project: devices[slot].project)
    }

    /// How many messages were dropped since the last call. While the device is offline, this returns 0 and keeps the
    /// count.
    package mutating func takeDeletedMessages(_ slot: Int) -> Int {
        guard devices[slot].state.online else { return 0 }
        defer { devices[slot].deletedMessages = 0 }
        return devices[slot].deletedMessages
    }

    private mutating func remove(_ slot: Int, where matches: (StoredPush) -> Bool) {
        for push in devices[slot].waitingPushes where matches(push) { waitingBytes -= push.size }
        devices[slot].waitingPushes.removeAll(where: matches)
    }
}
