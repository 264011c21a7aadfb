internal import PushCore

/// Background pushes beyond what an app gets in an hour (facts/device.md §2.3(4), documented): the system may hold one, the
/// newest, until the app is opened or may be woken again, and drops it when the app is ended.
extension Device {
    private static let hour: Int64 = 3_600_000

    /// True where the push has to wait.
    mutating func hold(_ push: PushID, _ content: AppleContent, at now: Timestamp, _ effects: inout [DeviceEffect])
        -> Bool
    {
        guard let budget = phone.spec.backgroundBudget else { return false }
        phone.wakes.removeAll { now.milliseconds - $0.milliseconds >= Self.hour }
        guard phone.wakes.count >= budget else {
            phone.wakes.append(now)
            return false
        }
        let isAwaited = phone.held != nil
        dropHeld(why: .iosHeldReplaced, &effects)
        phone.held = Phone.Held(push: push, content: content)
        tell(.stored, push, .iosHeld, [("budget", .int(budget))], &effects)
        // One timer, however many come meanwhile.
        if !isAwaited, let oldest = phone.wakes.first { effects.append(.wake(oldest + Self.hour)) }
        return true
    }

    mutating func dropHeld(why: PhoneRule, _ effects: inout [DeviceEffect]) {
        guard let held = phone.held else { return }
        phone.held = nil
        tell(.dropped, held.push, why, [], &effects)
    }

    /// To be called when the app is in front, or time has passed.
    mutating func releaseHeld(at now: Timestamp, _ effects: inout [DeviceEffect]) {
        guard let held = phone.held else { return }
        phone.wakes.removeAll { now.milliseconds - $0.milliseconds >= Self.hour }
        guard state.app == .foreground || phone.wakes.count < phone.spec.backgroundBudget ?? .max else { return }
        phone.held = nil
        wake(for: held.push, held.content, at: now, &effects)
    }
}
