/// The device that an APNs token belongs to, and whether the token is still valid.
package struct TokenBinding: Sendable {
    /// The device's index in the registry.
    package let slot: Int
    package let app: String
    package let environment: PushEnvironment
    package let kind: Kind
    /// When the token became invalid; nil while the service considers it valid.
    package let unregistered: Timestamp?

    package init(
        slot: Int, app: String, environment: PushEnvironment, kind: Kind, unregistered: Timestamp?
    ) {
        self.slot = slot
        self.app = app
        self.environment = environment
        self.kind = kind
        self.unregistered = unregistered
    }

    /// Which of the app's topics the token is for.
    package enum Kind: Sendable, Equatable {
        /// The app's topic without a suffix.
        case app
        /// The topic of its Live Activities.
        case liveActivity
        /// The topic of this kind.
        case other(TokenKind)
        /// All topics: the device was created by the first push to an unknown token.
        case any
    }
}
