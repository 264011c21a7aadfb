internal import JSON
internal import PushCore

/// What a message says for Android, by `android` or by `android_v2`, whose two kinds are a notification of high priority
/// and a deferrable sync (facts/fcm.md §2.1, documented).
struct AndroidBlock {
    let config: ProtoView?
    /// What is shown.
    let shown: ProtoView?
    private let isSecond: Bool

    init(_ message: ProtoView) {
        if let second = message.message(.androidV2) {
            config = second
            shown = second.message(.remoteNotification)?.message(.notification)
            isSecond = true
        } else {
            config = message.message(.android)
            shown = config?.message(.notification)
            isSecond = false
        }
    }

    /// Nil: it is not said.
    var isHigh: Bool? {
        if isSecond { return config?.has(.remoteNotification) == true }
        return config?[.priority].flatMap { ProtoScalar.enumeration($0, .priority) }.map { $0 == 1 }
    }

    func flag(_ field: FCMField) -> Bool { config?[field].flatMap(ProtoScalar.bool) ?? false }
}
