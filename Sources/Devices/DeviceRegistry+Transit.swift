package import JSON
package import PushCore

/// Pushes on their way to devices, and what changes that.
extension DeviceRegistry {
    /// What became of a push that waited.
    package struct Released: Sendable {
        package let push: StoredPush
        package let outcome: TransitOutcome
    }

    /// Keeps a push for a device. Returns the one whose place it took.
    package mutating func store(_ push: StoredPush, for place: Int) -> StoredPush? {
        waitingBytes += push.size
        if let index = devices[place].waiting.firstIndex(where: { $0.slot == push.slot }) {
            let old = devices[place].waiting[index]
            waitingBytes -= old.size
            devices[place].waiting[index] = push
            return old
        }
        devices[place].waiting.append(push)
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

    /// The app is taken off the device: sooner or later its token is retired.
    package mutating func uninstall(_ place: Int) {
        devices[place].isGone = true
        deviceChanged(place)
    }

    /// To be called after every change of a device: takes the pushes that wait no longer, the oldest first.
    package mutating func release(_ place: Int, at now: Timestamp) -> [Released] {
        if devices[place].isGone, devices[place].state.online, devices[place].uninstalled == nil {
            devices[place].uninstalled = now
            unsubscribeAll(place)
            deviceChanged(place)
        }
        var released: [Released] = []
        devices[place].waiting = devices[place].waiting.filter { push in
            guard let outcome = devices[place].outcome(ofStored: push, at: now) else { return true }
            released.append(Released(push: push, outcome: outcome))
            waitingBytes -= push.size
            return false
        }
        for lost in released where lost.outcome == .discardedUnregisteredFromStorage && lost.push.slot == .app {
            losePush(place)
        }
        return released
    }

    /// Takes all that waits for a device.
    package mutating func dropWaiting(_ place: Int) -> [StoredPush] {
        let dropped = devices[place].waiting
        devices[place].waiting = []
        for push in dropped { waitingBytes -= push.size }
        return dropped
    }

    /// Takes the waiting pushes that have expired, of every device.
    package mutating func dropExpired(at now: Timestamp) -> [(place: Int, push: StoredPush)] {
        var dropped: [(place: Int, push: StoredPush)] = []
        for place in devices.indices where !devices[place].waiting.isEmpty {
            let expired = devices[place].waiting.filter { $0.traits.expires.map { $0 <= now } ?? true }
            guard !expired.isEmpty else { continue }
            devices[place].waiting.removeAll { $0.traits.expires.map { $0 <= now } ?? true }
            for push in expired {
                waitingBytes -= push.size
                dropped.append((place, push))
            }
        }
        return dropped
    }

    /// False where it hears as many channels as it may, or this one already.
    package mutating func subscribe(toChannel channel: String, _ place: Int) -> Bool {
        guard devices[place].channels.count < Self.channelLimit, !devices[place].channels.contains(channel) else {
            return false
        }
        devices[place].channels.append(channel)
        return true
    }

    /// False where it did not hear that channel.
    package mutating func unsubscribe(fromChannel channel: String, _ place: Int) -> Bool {
        guard let index = devices[place].channels.firstIndex(of: channel) else { return false }
        devices[place].channels.remove(at: index)
        return true
    }

    /// Channels of one device (ours).
    package static let channelLimit = 100
}
