package import PushCore

/// Google's way from an accepted message to a device (facts/device.md §3.2, documented).
extension Device {
    static let keyLimit = 4
    static let pendingLimit = 100

    /// Milliseconds without a connection: then nothing is kept for it any more (documented; how long is assumed), and
    /// later its token is dead (documented).
    static let inactiveAfter: Int64 = 30 * 86_400_000
    static let deadAfter: Int64 = 270 * 86_400_000

    /// What keeps a message from it.
    package enum Obstacle: Sendable, Equatable {
        case offline, directBoot, stopped, doze
        /// Too many that replace each other came for it (facts/fcm.md §4, documented).
        case throttled(until: Timestamp)
    }

    /// Normal priority waits for Doze's end; nothing reaches an app that was stopped by force.
    func obstacle(to push: PushTraits) -> Obstacle? {
        if !state.online || isGone { return .offline }
        if state.directBoot, !push.worksInDirectBoot { return .directBoot }
        if state.forceStopped { return .stopped }
        return state.doze && push.priority != 10 ? .doze : nil
    }

    func googleOutcome(of push: PushTraits, at now: Timestamp) -> TransitOutcome {
        guard let obstacle = obstacle(to: push) else { return .fcmDelivered }
        if let offlineSince, now.milliseconds - offlineSince.milliseconds > Self.inactiveAfter { return .fcmInactive }
        guard let expires = push.expires, expires > now else {
            return obstacle == .stopped ? .fcmForceStopped : .fcmExpired
        }
        return .fcmPending
    }

    func googleOutcome(ofStored push: StoredPush, at now: Timestamp) -> TransitOutcome? {
        guard obstacle(to: push.traits) == nil else { return nil }
        if case .throttled(let end)? = push.obstacle, now < end { return nil }
        if let expires = push.traits.expires, expires <= now {
            return push.obstacle == .stopped ? .fcmForceStopped : .fcmExpired
        }
        switch push.obstacle {
        case .doze: return .fcmDeliveredAfterDoze
        case .stopped: return .fcmDeliveredAfterStop
        case .throttled: return .fcmDeliveredAfterThrottle
        case .offline, .directBoot, nil: return .fcmDeliveredLate
        }
    }
}

extension DeviceRegistry {
    /// Keeps a message for a device. Returns those that it displaced, each with what became of it.
    package mutating func storeGoogle(_ push: StoredPush, for place: Int) -> [Released] {
        var displaced: [Released] = []
        if case .collapseKey = push.slot {
            if let old = store(push, for: place) { displaced.append(Released(push: old, outcome: .fcmCollapsed)) }
            let keys = devices[place].waiting.filter { if case .collapseKey = $0.slot { true } else { false } }
            if keys.count > Device.keyLimit, let oldest = keys.first {
                remove(place) { $0.id == oldest.id }
                displaced.append(Released(push: oldest, outcome: .fcmCollapsed))
            }
            return displaced
        }
        _ = store(push, for: place)
        let pending = devices[place].waiting.filter { if case .pending = $0.slot { true } else { false } }
        guard pending.count > Device.pendingLimit else { return [] }
        remove(place) { waiting in pending.contains { $0.id == waiting.id } }
        devices[place].deletedMessages += pending.count
        return pending.map { Released(push: $0, outcome: .fcmTooManyPending) }
    }

    /// A message came for a device that is inactive: its app is told on its return.
    package mutating func dropInactive(_ place: Int) { devices[place].deletedMessages += 1 }

    /// What keeps a message from a device now.
    package func obstacle(to push: PushTraits, at place: Int) -> Device.Obstacle? { devices[place].obstacle(to: push) }

    /// What sending to a token has to know of its device.
    package struct Registration {
        package let place: Int
        package let platform: Device.Platform
        /// Its token is dead: the app is gone, or was offline for so long that Google knows it no more.
        package let isGone: Bool
        package let project: String?
    }

    package mutating func registration(ofFCM token: String, at now: Timestamp) -> Registration? {
        guard let place = find(token) else {
            return retired.owner(of: token).map {
                Registration(place: $0, platform: devices[$0].platform, isGone: true, project: nil)
            }
        }
        let isDead = devices[place].offlineSince.map { now.milliseconds - $0.milliseconds > Device.deadAfter } ?? false
        return Registration(
            place: place, platform: devices[place].platform, isGone: devices[place].uninstalled != nil || isDead,
            project: devices[place].project)
    }

    /// How many were dropped since the device last asked.
    package mutating func takeDeletedMessages(_ place: Int) -> Int {
        guard devices[place].state.online else { return 0 }
        defer { devices[place].deletedMessages = 0 }
        return devices[place].deletedMessages
    }

    private mutating func remove(_ place: Int, where isWanted: (StoredPush) -> Bool) {
        for push in devices[place].waiting where isWanted(push) { waitingBytes -= push.size }
        devices[place].waiting.removeAll(where: isWanted)
    }
}
