internal import Devices
internal import PushCore

/// Pushes that expire while they wait.
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
    }
}
