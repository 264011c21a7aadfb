package import PushCore

/// The settings of the APNs side. The defaults imitate the real service.
package struct APNsPolicy: Sendable {
    package var auth = Auth.lenient
    /// The environment of every host name except Apple's sandbox names.
    package var environment = PushEnvironment.production
    package var validation = Validation.strict
    package var acceptsUnknownDevices = true
    package var checks = APNsCheck.standardOrder
    /// The known signing keys by id.
    package var keys: [String: ProviderKey] = [:] { didSet { keysGeneration += 1 } }
    /// Changes with `keys` and `endedTokens`. Provider tokens that were checked before a change are checked again.
    private(set) var keysGeneration = 0
    /// The provider tokens that were ended early. They expire on all connections.
    private(set) var endedTokens = EndedTokens() { didSet { keysGeneration += 1 } }
    /// How many milliseconds a provider token is valid.
    package var tokenLifetime: Int64 = 3_600_000
    /// How many milliseconds the `iat` of a provider token may be in the future.
    package var clockTolerance: Int64 = 3_600_000
    /// How many milliseconds must pass on a connection before it accepts another provider token.
    package var tokenUpdateInterval: Int64 = 1_200_000
    /// The tokens that may be replaced before `tokenUpdateInterval` has passed.
    var replaceableTokens = ReplaceableTokens()
    /// Use the spelling of Apple's documentation, such as `BadEnvironmentKeyIdInToken`, in place of the observed one.
    package var usesDocumentedSpelling = false
    /// The choices for which the other answer is used.
    package var choices: Set<APNsChoice> = []
    package var backgroundPriority = BackgroundPriority.drop

    package enum Auth: String, Sendable, CaseIterable { case off, lenient, strict }
    package enum Validation: String, Sendable, CaseIterable { case strict, service }

    /// What happens to a background push with priority 10: it is accepted but dropped, accepted and delivered, or
    /// refused with BadPriority.
    package enum BackgroundPriority: String, Sendable, CaseIterable { case drop, accept, reject }

    package init() {}

    /// Ends accepted tokens, and all tokens that were signed before `limit` (in seconds since 1970). Returns how many of
    /// the accepted ones had not expired yet.
    ///
    /// - Parameter keyID: ends only tokens of this key; nil ends tokens of all keys.
    package mutating func end(
        _ tokens: [AcceptedToken], of keyID: String?, before limit: Int64, at now: Timestamp
    ) -> Int {
        endedTokens.add(tokens, of: keyID, before: limit, at: now, lifetime: tokenLifetime)
        return tokens.count { $0.isAlive(at: now, tokenLifetime) }
    }

    /// Lets a provider replace a token at any time, because a simulated answer called the token expired.
    package mutating func allowReplacement(of token: [UInt8]) { replaceableTokens.add(token) }
}
