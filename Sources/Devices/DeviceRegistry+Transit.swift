package import JSON
package import PushCore

/// Stored pushes, and the changes to a device that release them.
extension DeviceRegistry {
    /// A push that no longer has to wait, with its outcome.
    package struct Released: Sendable {
        package let push: StoredPush
        package let outcome: TransitOutcome
    }

    /// Stores a push for a device. Returns the push that had its slot before.
    package mutating func store(_ push: StoredPush, for place: Int) -> StoredPush? {
        waitingBytes += push.size
        if let index = devices[place].waitingPushes.firstIndex(where: { $0.slot == push.slot }) {
            let old = devices[place].waitingPushes[index]
            waitingBytes -= old.size
            devices[place].waitingPushes[index] = push
            return old
        }
        devices[place].waitingPushes.append(push)
        return nil
    }

    package mutating func patchState(
        _ place: Int, _ json: JSONView, at pointer: String, _ now: Timestamp
    ) throws(DeviceProblem) {
        try devices[place].state.patch(json, at: pointer)
        stateChanged(place, at: now)
    }

    package mutating func setOnline(_ place: Int, _ isOnline: Bool, at now: Timestamp) {
        devices[place].state.online = isOnline
        stateChanged(place, at: now)
    }

    private mutating func stateChanged(_ place: Int, at now: Timestamp) {
        devices[place].offlineSince = devices[place].state.online ? nil : devices[place].offlineSince ?? now
        deviceChanged(place)
    }

    /// Uninstalls the app. The service notices sooner or later, and then retires the token.
    package mutating func uninstall(_ place: Int) {
        devices[place].isAppRemoved = true
        deviceChanged(place)
    }

    /// Removes and returns the pushes that no longer have to wait, oldest first. Call this after every change to a
    /// device.
    package mutating func release(_ place: Int, at now: Timestamp) -> [Released] {
        if devices[place].isAppRemoved, devices[place].state.online, devices[place].unregisteredSince == nil {
            devices[place].unregisteredSince = now
            unsubscribeAll(place)
            deviceChanged(place)
        }
        var released: [Released] = []
        devices[place].waitingPushes = devices[place].waitingPushes.filter { push in
            guard let outcome = devices[place].outcome(ofStored: push, at: now) else { return true }
            released.append(Released(push: push, outcome: outcome))
            waitingBytes -= push.size
            return false
        }
        for lost in released where lost.outcome == .discardedUnregisteredFromStorage && lost.push.slot == .app {
            countLostPush(place)
        }
        return released
    }

    /// Removes and returns everything that waits for a device.
    package mutating func dropWaiting(_ place: Int) -> [StoredPush] {
        let dropped = devices[place].waitingPushes
        devices[place].waitingPushes = []
        for push in dropped { waitingBytes -= push.size }
        return dropped
    }

    /// Removes and returns the expired pushes that wait for any device.
    package mutating func dropExpired(at now: Timestamp) -> [(place: Int, push: StoredPush)] {
        var dropped: [(place: Int, push: StoredPush)] = []
        for place in devices.indices where !devices[place].waitingPushes.isEmpty {
            let expired = devices[place].waitingPushes.filter { $0.traits.expires.map { $0 <= now } ?? true }
            guard !expired.isEmpty else { continue }
            devices[place].waitingPushes.removeAll { $0.traits.expires.map { $0 <= now } ?? true }
            for push in expired {
                waitingBytes -= push.size
                dropped.append((place, push))
            }
        }
        return dropped
    }

    /// False if the device is already subscribed to this channel, or has reached its limit of channels.
    package mutating func subscribe(toChannel channel: String, _ place: Int) -> Bool {
        guard devices[place].channels.count < Self.channelLimit, !devices[place].channels.contains(channel) else {
            return false
        }
        devices[place].channels.append(channel)
        return true
    }

    /// False if the device was not subscribed to that channel.
    package mutating func unsubscribe(fromChannel channel: String, _ place: Int) -> Bool {
        guard let index = devices[place].channels.firstIndex(of: channel) else { return false }
        devices[place].channels.remove(at: index)
        return true
    }

    /// The maximum number of channels per device (ours).
    package static let channelLimit = 100
}
