internal import Devices
internal import PushCore

/// The push subscriptions of browsers (docs/evidence/fcm.md §5.4, observed). A browser unsubscribes by itself when the
/// site loses the permission to show notifications, so the token dies. If the person allows notifications again, the
/// page gets a new token.
extension PushEngine {
    /// Ends the subscription of a browser whose site may not show notifications. Does nothing to other devices.
    mutating func endForbiddenSubscription(_ slot: Int, at now: Timestamp) {
        guard let change = devices.endSubscription(slot, at: now) else { return }
        noteTokenChange(change, cause: "permission", slot, at: now)
        unsubscribe(devices[slot].subscription)
        devices.setSubscription(nil, slot)
    }

    /// Gives a browser a new endpoint in place of one that has ended.
    mutating func renewEndpoint(_ slot: Int) {
        guard let old = devices[slot].subscription else { return }
        unsubscribe(old)
        subscribe(slot, WebSubscriptionSpec(renewing: old))
    }

    /// Gives a browser a new token if its permission has just changed to `authorized`.
    mutating func renewSubscription(_ slot: Int, permissionBefore before: DeviceState.Permission, at now: Timestamp) {
        let device = devices[slot]
        guard device.platform == .web, before != .authorized, device.state.permission == .authorized,
            !device.isAppRemoved, device.fcmToken.isEmpty,
            let change = devices.rotate(.fcm, slot, at: now, using: &random)
        else { return }
        subscribe(slot, nil)
        noteTokenChange(change, cause: "permission", slot, at: now)
    }
}
