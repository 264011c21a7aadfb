internal import PushCore

/// A likely mistake that only `pushpit check` looks for, because a gateway should not spend time on it.
extension MessageReport {
    private static let content = [FCMField.notification, .data, .android, .androidV2, .apns, .webpush]

    /// Nil if the message has anything besides its target.
    static func emptiness(of message: ProtoView) -> Finding? {
        if content.contains(where: message.has) { return nil }
        return Finding(
            "fcm.nothing-to-deliver", .note, at: "/message",
            "The message has a target, but no notification, no data and no part for a platform. "
                + "Google answers 200, and apps get an empty message.")
    }
}
