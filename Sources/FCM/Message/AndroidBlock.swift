internal import JSON
internal import PushCore

/// The Android part of a message, from `android` or from `android_v2`.
///
/// `android_v2` has two kinds: a remote notification, which is always of high priority, and a background sync, which
/// may be deferred (docs/evidence/fcm.md §2.1, documented).
struct AndroidBlock {
    let config: ProtoView?
    /// The notification to show; nil for a data message.
    let notification: ProtoView?
    private let isVersion2: Bool

    init(_ message: ProtoView) {
        if let version2 = message.message(.androidV2) {
            config = version2
            notification = version2.message(.remoteNotification)?.message(.notification)
            isVersion2 = true
        } else {
            config = message.message(.android)
            notification = config?.message(.notification)
            isVersion2 = false
        }
    }

    /// Nil if the message does not set a priority.
    var isHighPriority: Bool? {
        if isVersion2 { return config?.has(.remoteNotification) == true }
        return config?[.priority].flatMap { ProtoScalar.enumeration($0, .priority) }.map { $0 == 1 }
    }

    func flag(_ field: FCMField) -> Bool { config?[field].flatMap(ProtoScalar.bool) ?? false }
}
