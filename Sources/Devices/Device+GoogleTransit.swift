internal import PushCore

/// Google's way from an accepted message to a device (facts/device.md §3.2, documented).
extension Device {
    static let keyLimit = 4
    static let pendingLimit = 100

    func googleOutcome(of push: PushTraits, at now: Timestamp) -> TransitOutcome {
        if isReachableByGoogle(push) { return .fcmDelivered }
        guard let expires = push.expires, expires > now else { return .fcmExpired }
        return .fcmPending
    }

    func googleOutcome(ofStored push: PushTraits, at now: Timestamp) -> TransitOutcome? {
        guard isReachableByGoogle(push) else { return nil }
        if let expires = push.expires, expires <= now { return .fcmExpired }
        return .fcmDeliveredLate
    }

    /// Normal priority waits for Doze's end; nothing reaches an app that was stopped by force.
    private func isReachableByGoogle(_ push: PushTraits) -> Bool {
        state.online && !state.forceStopped && !isGone && (!state.doze || push.priority == 10)
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
