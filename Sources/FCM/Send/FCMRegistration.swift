/// What the send API needs to know about a registration.
package struct FCMRegistration: Sendable {
    package enum Platform: Sendable { case android, apple, web }

    /// The index of its device in the caller's table.
    package let slot: Int
    package let platform: Platform
    /// The app was uninstalled or the token was replaced.
    let isUnregistered: Bool
    /// The message is restricted to another app's package.
    let isOtherPackage: Bool
    let project: String?

    package init(
        slot: Int, platform: Platform, isUnregistered: Bool, isOtherPackage: Bool = false, project: String?
    ) {
        self.slot = slot
        self.platform = platform
        self.isUnregistered = isUnregistered
        self.isOtherPackage = isOtherPackage
        self.project = project
    }

    /// The same registration, but senders of any project may use it.
    package var inEveryProject: FCMRegistration {
        FCMRegistration(
            slot: slot, platform: platform, isUnregistered: isUnregistered, isOtherPackage: isOtherPackage,
            project: nil)
    }
}
