/// What is known of a device token: to whom it belongs, and whether it is still good.
package struct TokenBinding: Sendable {
    /// The device's place in the registry.
    package let place: Int
    package let app: String
    package let environment: PushEnvironment
    /// Only the app's own topic is good, not those with a suffix.
    package let isExact: Bool
    /// Since when the token is dead, as the service has noticed.
    package let unregistered: Timestamp?

    package init(
        place: Int, app: String, environment: PushEnvironment, isExact: Bool, unregistered: Timestamp?
    ) {
        self.place = place
        self.app = app
        self.environment = environment
        self.isExact = isExact
        self.unregistered = unregistered
    }
}
