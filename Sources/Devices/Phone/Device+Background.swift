internal import PushCore

/// Background pushes above an app's hourly budget (docs/evidence/device.md §2.3(4), documented). The system holds the
/// newest one until the app is opened or may be woken again, and drops it when the person force-quits the app.
extension Device {
    private static let hour: Int64 = 3_600_000

    /// Counts the push against the budget, or holds it. True if it is held.
    mutating func holdBackgroundPush(
        _ push: PushID, _ content: AppleContent, at now: Timestamp, _ effects: inout [DeviceEffect]
    ) -> Bool {
        guard let budget = phone.spec.backgroundBudget else { return false }
        phone.wakeTimes.removeAll { now.milliseconds - $0.milliseconds >= Self.hour }
        guard phone.wakeTimes.count >= budget else {
            phone.wakeTimes.append(now)
            return false
        }
        let hadHeldPush = phone.heldPush != nil
        dropHeld(why: .iosHeldReplaced, &effects)
        phone.heldPush = Phone.HeldPush(push: push, content: content)
        emit(.stored, push, .iosHeld, [("budget", .int(budget))], &effects)
        // The first held push started a timer, which also serves the pushes that replace it.
        if !hadHeldPush, let due = heldPushDue { effects.append(.wake(due)) }
        return true
    }

    /// When the budget lets the held push wake the app; nil if no push is held.
    var heldPushDue: Timestamp? {
        phone.heldPush == nil ? nil : phone.wakeTimes.first.map { $0 + Self.hour }
    }

    mutating func dropHeld(why: PhoneRule, _ effects: inout [DeviceEffect]) {
        guard let heldPush = phone.heldPush else { return }
        phone.heldPush = nil
        emit(.dropped, heldPush.push, why, [], &effects)
    }

    /// Delivers the held push if the app is in the foreground or its budget allows it again.
    mutating func releaseHeld(at now: Timestamp, _ effects: inout [DeviceEffect]) {
        guard let heldPush = phone.heldPush else { return }
        phone.wakeTimes.removeAll { now.milliseconds - $0.milliseconds >= Self.hour }
        guard state.app == .foreground || phone.wakeTimes.count < phone.spec.backgroundBudget ?? .max else { return }
        phone.heldPush = nil
        wake(for: heldPush.push, heldPush.content, at: now, &effects)
    }
}
