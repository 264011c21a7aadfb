internal import Devices
internal import PushCore

/// Pushes that don't reach their device.
extension PushEngine {
    /// Whether another push may wait. At the limit, expired pushes are dropped first. This happens at most once a
    /// second, because it visits every device.
    mutating func hasRoomForWaiting(at now: Timestamp) -> Bool {
        if devices.waitingBytes >= waitingCapacity, now.seconds != lastPurge {
            lastPurge = now.seconds
            for (slot, push) in devices.dropExpired(at: now) { noteExpiry(of: push, slot, at: now) }
        }
        return devices.waitingBytes < waitingCapacity
    }

    /// Records that a push expired while it waited.
    mutating func noteExpiry(of push: StoredPush, _ slot: Int, at now: Timestamp) {
        append(
            DeviceEvent(.dropped, push: push.id, why: push.expiredOutcome.rule),
            detail: .stored(milliseconds: max(0, now.milliseconds - push.since.milliseconds)), slot, at: now)
        noteAbsence(of: push.id, push.traits, why: push.expiredOutcome.rule, slot)
    }

    /// Drops an accepted push on its way to a device.
    mutating func drop(_ traits: PushTraits, why: DropRule, _ slot: Int, _ context: borrowing PushContext) {
        drop(traits, why: why.rule, slot, context)
    }

    mutating func drop(_ traits: PushTraits, why rule: RuleID, _ slot: Int, _ context: borrowing PushContext) {
        append(DeviceEvent(.dropped, push: context.id, why: rule), slot, at: context.now)
        noteAbsence(of: context.id, traits, why: rule, slot)
    }

    /// Notes for `GET /tracking` that a push has not reached an app that would report it.
    mutating func noteAbsence(of push: PushID, _ traits: PushTraits, why: RuleID, _ slot: Int) {
        if traits.kind == nil, devices.isTracking(slot) { tracking.missed(push, why: why) }
    }
}
