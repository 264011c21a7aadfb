package import PushCore

/// Notifications on the devices.
extension DeviceRegistry {
    /// The memory limit for all shades together, in bytes. Above it, a device that gets a notification drops its oldest
    /// ones.
    private static let shadeBudget = 128 << 20

    package mutating func handle(_ input: DeviceInput, at slot: Int, _ now: Timestamp) -> [DeviceEffect] {
        let before = devices[slot].phone.shade.size
        let effects = devices[slot].handle(input, at: now)
        shadeBytes += devices[slot].phone.shade.size - before
        while shadeBytes > Self.shadeBudget, devices[slot].phone.shade.count > 1 {
            let size = devices[slot].phone.shade.size
            devices[slot].phone.shade.removeOldest()
            shadeBytes -= size - devices[slot].phone.shade.size
        }
        deviceChanged(slot)
        return effects
    }

    /// Whether an extension with the script `remote` is working on that push.
    package func awaitsExtension(for push: PushID, at slot: Int) -> Bool { devices[slot].awaitsExtension(for: push) }

    /// Whether the phone has begun to show that push: its extension is running, or it is loading an image.
    package func isWorking(on push: PushID, at slot: Int) -> Bool {
        devices[slot].phone.jobs.contains { $0.arrival.push == push }
    }

    /// Why a person can't do this now; nil if it is possible.
    package func obstacle(to act: UserAction, at slot: Int) -> DeviceProblem? { devices[slot].obstacle(to: act) }

    /// Whether its app has Adobe's tracking code.
    package func isTracking(_ slot: Int) -> Bool { devices[slot].phone.spec.tracking.profile == .adobe }

    /// The ids that the app's tracking code reads from a push. `why` says why the code does not report the push; it is
    /// nil if the code does.
    package func verdict(on content: PushContent, at slot: Int) -> (broadlog: String?, delivery: String?, why: String?)
    {
        let (ids, spec) = (content.adobe, devices[slot].phone.spec.tracking)
        let why: String? =
            if spec.privacy != .optedin {
                "privacy is \(spec.privacy.rawValue)"
            } else if !ids.isOn {
                "_acsDeliveryTracking is not on"
            } else if ids.broadlog == nil || ids.delivery == nil {
                "_mId or _dId is missing, or not a string"
            } else { nil }
        return (ids.broadlog, ids.delivery, why)
    }

    /// Removes all notifications, jobs and the badge, because the app was uninstalled or the gateway was reset. Returns
    /// how many notifications there were.
    package mutating func clearShade(_ slot: Int) -> Int {
        let count = devices[slot].phone.shade.count
        shadeBytes -= devices[slot].phone.shade.size
        devices[slot].phone.shade = Shade()
        devices[slot].phone.jobs = []
        devices[slot].phone.badge = 0
        return count
    }
}
