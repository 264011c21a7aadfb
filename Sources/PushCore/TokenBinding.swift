/// What is known of a device token: to whom it belongs, and whether it is still good.
package struct TokenBinding: Sendable {
    /// The device's place in the registry.
    package let place: Int
    package let app: String
    package let environment: PushEnvironment
    package let kind: Kind
    /// Since when the token is dead, as the service has noticed.
    package let unregistered: Timestamp?

    package init(
        place: Int, app: String, environment: PushEnvironment, kind: Kind, unregistered: Timestamp?
    ) {
        self.place = place
        self.app = app
        self.environment = environment
        self.kind = kind
        self.unregistered = unregistered
    }

    /// Which of the app's topics it is good for.
    package enum Kind: Sendable {
        /// Its own alone, without a suffix.
        case app
        /// That of its Live Activities.
        case liveActivity
        /// All: it was made by the first push to it.
        case any
    }
}
