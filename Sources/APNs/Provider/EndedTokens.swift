internal import PushCore

/// The provider tokens that were ended before their hour had passed.
///
/// Ending the tokens of a key ends all that are older than the newest accepted one, whether the gateway has seen them or
/// not. Of those with its `iat`, it ends only the ones that were seen, because a provider may sign another token in the
/// same second.
package struct EndedTokens: Sendable {
    private struct Ending {
        /// The `iat` of the newest accepted token.
        var newest: Int64
        /// The tokens of that second.
        var tokens: Set<[UInt8]> = []
    }

    /// By key id.
    private var endings: [String: Ending] = [:]

    func contains(_ token: [UInt8], of keyID: String, issuedAt: Int64) -> Bool {
        guard let ending = endings[keyID] else { return false }
        return issuedAt < ending.newest || ending.tokens.contains(token)
    }

    /// Ends accepted tokens. Endings whose tokens have expired by themselves are forgotten.
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
