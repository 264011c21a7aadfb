package import PushCore

/// What ends a push on its way, beside the outcomes that the vendors have names for.
package enum StorageRule: String, Sendable, CaseIterable {
    case overwritten = "apns.overwritten"
    case collapsed = "apns.collapsed"
    case otherPackage = "fcm.restricted-package"
    case full = "devices.storage-full"
    case deviceForgotten = "devices.capacity"
    case deviceDeleted = "devices.deleted"
    case reset = "devices.reset"

    package var rule: RuleID { RuleID(rawValue) }

    var meaning: String {
        switch self {
        case .overwritten: "Another push for the device came while this one waited: one is kept for each app."
        case .collapsed: "Another push with the same apns-collapse-id came while this one waited."
        case .otherPackage: "restricted_package_name is not the device's app."
        case .full:
            "As many pushes wait as there is memory for, so a broadcast or a message is not kept for the device."
        case .deviceForgotten:
            "There were too many devices: this one was the oldest that nobody watched, and is forgotten."
        case .deviceDeleted: "The device was deleted over the control API, and what waited for it with it."
        case .reset: "The gateway was reset over the control API: nothing is shown any more, and nothing waits."
        }
    }

    var evidence: Rule.Evidence {
        switch self {
        case .overwritten, .otherPackage: .documented
        case .collapsed: .assumed
        case .full, .deviceForgotten, .deviceDeleted, .reset: .ours
        }
    }
}
