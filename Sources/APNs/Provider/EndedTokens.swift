internal import PushCore

/// The provider tokens that were ended before their hour had passed.
///
/// When the tokens of a key are ended, all its tokens with an earlier `iat` than the newest accepted one end, even
/// tokens that the gateway has never seen. If that `iat` is in the future, the limit is the time of the call, so that
/// tokens that are signed afterwards work. Tokens with an `iat` at or after the limit end only if they were accepted,
/// because a provider may sign another token in the same second.
package struct EndedTokens: Sendable {
    private struct Ending {
        /// Tokens with an earlier `iat` have ended.
        var limit = Int64.min
        /// The `iat` of each accepted token that has ended and is not earlier than the limit.
        var tokens: [[UInt8]: Int64] = [:]

        /// The newest `iat` that this applies to.
        var newest: Int64 { tokens.values.max() ?? limit }
    }

    /// By key id.
    private var endings: [String: Ending] = [:]

    /// Why the token has ended, for the log; nil if it has not.
    func cause(of token: [UInt8], of keyID: String, issuedAt: Int64) -> String? {
        guard let ending = endings[keyID] else { return nil }
        if ending.tokens[token] != nil { return "the token was invalidated with POST /api/v1/credentials/expire" }
        guard issuedAt < ending.limit else { return nil }
        return "iat says that the token was signed before POST /api/v1/credentials/expire invalidated the tokens of "
            + "the key \(keyID)"
    }

    /// Ends accepted tokens. Also removes the entries of keys whose ended tokens have expired anyway.
    mutating func add(_ tokens: [AcceptedToken], at now: Timestamp, lifetime: Int64) {
        endings = endings.filter { now.milliseconds - $0.value.newest * 1000 <= lifetime }
        for token in tokens {
            var ending = endings[token.keyID] ?? Ending()
            ending.limit = max(ending.limit, min(token.issuedAt, now.seconds))
            ending.tokens[token.bytes] = token.issuedAt
            endings[token.keyID] = ending
        }
        for keyID in Set(tokens.map(\.keyID)) {
            guard var ending = endings[keyID] else { continue }
            ending.tokens = ending.tokens.filter { [limit = ending.limit] in $0.value >= limit }
            endings[keyID] = ending
        }
    }
}
