/// The properties of a push that decide when and whether it reaches a device. They are saved with each waiting push
/// (`StoredPush+Persistence.swift`).
package struct PushTraits: Sendable {
    /// Whose delivery rules apply: APNs, also for an FCM message to an iPhone; or FCM, also for a web push.
    package let provider: Provider
    /// Google's id of the message; empty for APNs. For a web push, a slash and the push's id.
    package let name: String
    /// When the message was accepted. Google passes it on to the app.
    package let sent: Timestamp
    /// 10, 5 or 1. Google's `high` is 10, and its `normal` is 5.
    package let priority: Int
    /// The time until which the push is stored for a device that can't be reached. Nil if it is never stored.
    package let expires: Timestamp?
    /// APNs only: the push only shows a notification, so it is discarded if the person does not allow notifications.
    package let onlyShowsNotification: Bool
    /// Pushes with the same collapse id replace each other on the device. Empty if the push has no collapse id.
    package let collapseID: [UInt8]
    /// The message reaches a phone that has not been unlocked since it was switched on (Android).
    package let worksInDirectBoot: Bool

    /// The kind of token that the push was sent to; nil for the app's own token, and for those of Live Activities.
    package var kind: TokenKind?

    /// The service that the sender used. The request is in the format of that service.
    package var sender: Provider { name.isEmpty ? .apns : name.utf8.first == UInt8(ascii: "/") ? .webpush : .fcm }

    package init(
        provider: Provider = .apns, name: String = "", sent: Timestamp = Timestamp(milliseconds: 0), priority: Int,
        expires: Timestamp?, onlyShowsNotification: Bool,
        collapseID: [UInt8] = [], worksInDirectBoot: Bool = false, kind: TokenKind? = nil
    ) {
        self.provider = provider
        self.name = name
        self.sent = sent
        self.priority = priority
        self.expires = expires
        self.onlyShowsNotification = onlyShowsNotification
        self.collapseID = collapseID
        self.worksInDirectBoot = worksInDirectBoot
        self.kind = kind
    }
}
