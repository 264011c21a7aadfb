package import PushCore

/// What ends a push that waits, beside the outcomes that Apple has names for.
package enum StorageRule: String, Sendable, CaseIterable {
    case overwritten = "apns.overwritten"
    case collapsed = "apns.collapsed"
    case full = "devices.storage-full"
    case deviceForgotten = "devices.capacity"

    package var rule: RuleID { RuleID(rawValue) }

    var meaning: String {
        switch self {
        case .overwritten: "Another push for the device came while this one waited: one is kept for each app."
        case .collapsed: "Another push with the same apns-collapse-id came while this one waited."
        case .full: "As many pushes wait as there is memory for, so a broadcast or a message is not kept for the device."
        case .deviceForgotten: "There were too many devices: this one was the oldest that nobody watched, and is forgotten."
        }
    }

    var evidence: Rule.Evidence {
        switch self {
        case .overwritten: .documented
        case .collapsed: .assumed
        case .full, .deviceForgotten: .ours
        }
    }
}
