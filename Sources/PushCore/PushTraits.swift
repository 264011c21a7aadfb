/// What of a push decides how it gets to a device.
package struct PushTraits: Sendable {
    package let provider: Provider
    /// The sender's own name for it; empty with Apple.
    package let name: String
    /// When it was accepted, as Google tells the app; with Apple nobody asks.
    package let sent: Timestamp
    /// 10, 5 or 1; high is 10, normal 5.
    package let priority: Int
    /// Until when it is kept; nil: it is never stored.
    package let expires: Timestamp?
    /// Sent to be shown, so that a person may have switched it off.
    package let isVisible: Bool
    /// Pushes with the same one replace each other on the device; empty where there is none.
    package let collapseID: [UInt8]
    /// It reaches a phone that nobody has unlocked since it was switched on.
    package let worksInDirectBoot: Bool

    package init(
        provider: Provider = .apns, name: String = "", sent: Timestamp = Timestamp(milliseconds: 0), priority: Int,
        expires: Timestamp?, isVisible: Bool,
        collapseID: [UInt8] = [], worksInDirectBoot: Bool = false
    ) {
        self.provider = provider
        self.name = name
        self.sent = sent
        self.priority = priority
        self.expires = expires
        self.isVisible = isVisible
        self.collapseID = collapseID
        self.worksInDirectBoot = worksInDirectBoot
    }
}
