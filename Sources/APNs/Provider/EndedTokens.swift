internal import PushCore

/// The provider tokens that were ended before their hour had passed.
///
/// When the tokens of a key are ended, the key's newest accepted token sets the limit. All tokens of the key with an
/// earlier `iat` end, even tokens that the gateway has never seen. Among the tokens with the newest `iat`, only
/// accepted tokens end, because a provider may sign another token in the same second.
package struct EndedTokens: Sendable {
    private struct Ending {
        /// The `iat` of the newest accepted token.
        var newest: Int64
        /// The accepted tokens with that `iat`.
        var tokens: Set<[UInt8]> = []
    }

    /// By key id.
    private var endings: [String: Ending] = [:]

    func contains(_ token: [UInt8], of keyID: String, issuedAt: Int64) -> Bool {
        guard let ending = endings[keyID] else { return false }
        return issuedAt < ending.newest || ending.tokens.contains(token)
    }

    /// Ends accepted tokens. Also removes the entries of keys whose ended tokens have expired anyway.
    mutating func add(_ tokens: [AcceptedToken], at now: Timestamp, lifetime: Int64) {
        endings = endings.filter { now.milliseconds - $0.value.newest * 1000 <= lifetime }
        for token in tokens {
            var ending = endings[token.keyID] ?? Ending(newest: token.issuedAt)
            if token.issuedAt > ending.newest { ending = Ending(newest: token.issuedAt) }
            if token.issuedAt == ending.newest { ending.tokens.insert(token.bytes) }
            endings[token.keyID] = ending
        }
    }
}
