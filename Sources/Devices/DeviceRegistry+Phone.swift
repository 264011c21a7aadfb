package import PushCore

/// What devices show.
extension DeviceRegistry {
    /// Memory for all shades together: beyond it a device that gets more keeps fewer.
    private static let shadeBudget = 128 << 20

    package mutating func handle(_ input: DeviceInput, at place: Int, _ now: Timestamp) -> [DeviceEffect] {
        let before = devices[place].phone.shade.size
        let effects = devices[place].handle(input, at: now)
        shadeBytes += devices[place].phone.shade.size - before
        while shadeBytes > Self.shadeBudget, devices[place].phone.shade.count > 1 {
            let size = devices[place].phone.shade.size
            devices[place].phone.shade.removeOldest()
            shadeBytes -= size - devices[place].phone.shade.size
        }
        deviceChanged(place)
        return effects
    }

    /// Whether an extension of the script `remote` works on that push.
    package func awaitsExtension(for push: PushID, at place: Int) -> Bool { devices[place].awaitsExtension(for: push) }

    /// Why nobody could do that with it; nil: it can be done.
    package func obstacle(to act: PersonAct, at place: Int) -> DeviceProblem? { devices[place].obstacle(to: act) }

    /// Its app has Adobe's tracking code.
    package func isTracking(_ place: Int) -> Bool { devices[place].phone.spec.tracking.profile == .adobe }

    /// What its tracking code reads of a push, and why it reports nothing; nil: it may.
    package func verdict(on content: PushContent, at place: Int) -> (broadlog: String?, delivery: String?, why: String?)
    {
        let (ids, spec) = (content.adobe, devices[place].phone.spec.tracking)
        let why: String? =
            if spec.privacy != .optedin {
                "privacy is \(spec.privacy.rawValue)"
            } else if !ids.isOn {
                "_acsDeliveryTracking is not on"
            } else if ids.broadlog == nil || ids.delivery == nil {
                "_mId or _dId is missing, or no string"
            } else { nil }
        return (ids.broadlog, ids.delivery, why)
    }

    /// The app is gone, and what it showed with it. Returns how many notifications those were.
    package mutating func clearShade(_ place: Int) -> Int {
        let count = devices[place].phone.shade.count
        shadeBytes -= devices[place].phone.shade.size
        devices[place].phone.shade = Shade()
        devices[place].phone.jobs = []
        devices[place].phone.badge = 0
        return count
    }
}
