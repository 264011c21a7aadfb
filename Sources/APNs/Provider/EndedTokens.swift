internal import PushCore

/// The provider tokens that were invalidated before their lifetime of an hour was over.
///
/// Invalidating tokens sets a limit, the current second. All tokens with an `iat` before the limit end, even tokens
/// that the gateway has never seen. A token with a later `iat`, or with the limit as its `iat`, ends only if it was
/// accepted before. Otherwise it works, because a provider may sign another token in the same second.
package struct EndedTokens: Sendable {
    private struct Ending {
        /// In seconds since 1970. Tokens with an earlier `iat` have ended.
        var limit = Int64.min
        /// The `iat` of each accepted token that has ended and is not earlier than the limit.
        var tokens: [[UInt8]: Int64] = [:]

        /// No token with a later `iat` has ended.
        var newest: Int64 { max(limit, tokens.values.max() ?? limit) }
    }

    /// By key id.
    private var endings: [String: Ending] = [:]
    /// Tokens of any key with an earlier `iat` have ended.
    private var limit = Int64.min

    /// Why the token has ended, for the log; nil if it has not.
    func cause(of token: [UInt8], of keyID: String, issuedAt: Int64) -> String? {
        if endings[keyID]?.tokens[token] != nil {
            return "the token was invalidated with POST /api/v1/credentials/expire"
        }
        guard issuedAt < max(limit, endings[keyID]?.limit ?? limit) else { return nil }
        return "iat says that the token was signed before POST /api/v1/credentials/expire invalidated the tokens of "
            + "the key \(keyID)"
    }

    /// Ends accepted tokens, and all tokens that were signed before `limit`. Also removes the entries of keys whose ended
    /// tokens have expired anyway.
    ///
    /// - Parameter keyID: ends only tokens of this key; nil ends tokens of all keys.
    mutating func add(
        _ tokens: [AcceptedToken], of keyID: String?, before limit: Int64, at now: Timestamp, lifetime: Int64
    ) {
        endings = endings.filter { now.milliseconds - $0.value.newest * 1000 <= lifetime }
        if let keyID {
            var ending = endings[keyID] ?? Ending()
            ending.limit = max(ending.limit, limit)
            endings[keyID] = ending
        } else {
            self.limit = max(self.limit, limit)
        }
        for (key, var ending) in endings where keyID == nil || key == keyID {
            ending.tokens = ending.tokens.filter { $0.value >= limit }
            // An entry with neither tokens nor a limit has no effect, and nothing would remove it later.
            endings[key] = ending.tokens.isEmpty && ending.limit == .min ? nil : ending
        }
        for token in tokens where token.issuedAt >= limit {
            endings[token.keyID, default: Ending()].tokens[token.bytes] = token.issuedAt
        }
    }
}
