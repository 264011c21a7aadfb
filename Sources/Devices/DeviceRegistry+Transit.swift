package import JSON
package import PushCore

/// Stored pushes, and the changes to a device that release them.
extension DeviceRegistry {
    /// A push that no longer has to wait, with its outcome.
    package struct Released: Sendable {
        package let push: StoredPush
        package let outcome: TransitOutcome
    }

    /// Stores a push for a device. Returns the push that had its key before.
    package mutating func store(_ push: StoredPush, for slot: Int) -> StoredPush? {
        waitingBytes += push.size
        if let index = devices[slot].waitingPushes.firstIndex(where: { $0.key == push.key }) {
            let old = devices[slot].waitingPushes[index]
            waitingBytes -= old.size
            devices[slot].waitingPushes[index] = push
            return old
        }
        devices[slot].waitingPushes.append(push)
        return nil
    }

    package mutating func patchState(
        _ slot: Int, _ json: JSONView, at pointer: String, _ now: Timestamp
    ) throws(DeviceProblem) {
        try devices[slot].state.patch(json, at: pointer)
        stateChanged(slot, at: now)
    }

    package mutating func setOnline(_ slot: Int, _ isOnline: Bool, at now: Timestamp) {
        devices[slot].state.online = isOnline
        stateChanged(slot, at: now)
    }

    private mutating func stateChanged(_ slot: Int, at now: Timestamp) {
        devices[slot].offlineSince = devices[slot].state.online ? nil : devices[slot].offlineSince ?? now
        deviceChanged(slot)
    }

    /// Uninstalls the app. The service notices sooner or later, and the token is then unregistered.
    package mutating func uninstall(_ slot: Int) {
        devices[slot].isAppRemoved = true
        deviceChanged(slot)
    }

    /// Removes and returns the pushes that no longer have to wait, oldest first. Call this after every change to a
    /// device.
    package mutating func release(_ slot: Int, at now: Timestamp) -> [Released] {
        if devices[slot].isAppRemoved, devices[slot].state.online, devices[slot].unregisteredSince == nil {
            devices[slot].unregisteredSince = now
            unsubscribeAll(slot)
            deviceChanged(slot)
        }
        var released: [Released] = []
        devices[slot].waitingPushes = devices[slot].waitingPushes.filter { push in
            guard let outcome = devices[slot].outcome(ofStored: push, at: now) else { return true }
            released.append(Released(push: push, outcome: outcome))
            waitingBytes -= push.size
            return false
        }
        for lost in released where lost.outcome == .discardedUnregisteredFromStorage && !lost.push.isBroadcast {
            countLostPush(slot)
        }
        return released
    }

    /// Removes and returns everything that waits for a device.
    package mutating func dropWaiting(_ slot: Int) -> [StoredPush] {
        let dropped = devices[slot].waitingPushes
        devices[slot].waitingPushes = []
        for push in dropped { waitingBytes -= push.size }
        return dropped
    }

    /// Removes and returns the expired pushes that wait for any device.
    package mutating func dropExpired(at now: Timestamp) -> [(slot: Int, push: StoredPush)] {
        var dropped: [(slot: Int, push: StoredPush)] = []
        for slot in devices.indices { for push in dropExpired(slot, at: now) { dropped.append((slot, push)) } }
        return dropped
    }

    /// Removes and returns the expired pushes that wait for a device.
    package mutating func dropExpired(_ slot: Int, at now: Timestamp) -> [StoredPush] {
        guard devices[slot].waitingPushes.contains(where: { !$0.isAlive(at: now) }) else { return [] }
        let expired = devices[slot].waitingPushes.filter { !$0.isAlive(at: now) }
        devices[slot].waitingPushes.removeAll { !$0.isAlive(at: now) }
        for push in expired { waitingBytes -= push.size }
        return expired
    }

    /// False if the device is already subscribed to this channel, or has reached its limit of channels.
    package mutating func subscribe(toChannel channel: String, _ slot: Int) -> Bool {
        guard devices[slot].channels.count < Self.channelLimit, !devices[slot].channels.contains(channel) else {
            return false
        }
        devices[slot].channels.append(channel)
        return true
    }

    /// False if the device was not subscribed to that channel.
    package mutating func unsubscribe(fromChannel channel: String, _ slot: Int) -> Bool {
        guard let index = devices[slot].channels.firstIndex(of: channel) else { return false }
        devices[slot].channels.remove(at: index)
        return true
    }

    /// The maximum number of channels per device (ours).
    package static let channelLimit = 100
}
