internal import HTTPCore

/// The result of checking a provider token by itself: its form, its key and its signature. Its age and its connection
/// are checked for each push.
enum ProviderTokenCheck {
    /// The reason, and the cause for the log.
    case refused(APNsReason, String)
    /// The token and its key; nil if the key is unknown.
    case valid(ProviderToken, ProviderKey?)

    init(_ text: Span<UInt8>, _ policy: APNsPolicy, _ verify: APNsSession.Verifier) {
        self = Self.result(text, policy, verify)
    }

    private static func result(_ text: Span<UInt8>, _ policy: APNsPolicy, _ verify: APNsSession.Verifier) -> Self {
        guard let token = ProviderToken(text) else {
            return .refused(.invalidProviderToken, ProviderToken.mistake(in: text))
        }
        if token.hasCriticalFields {
            return .refused(.invalidProviderToken, "the token's header has 'crit', but no JWT extension is supported")
        }
        if !token.namesAlgorithm, policy.auth == .strict {
            return .refused(.invalidProviderToken, "the token's header has no alg, which --auth strict requires")
        }
        guard let known = policy.keys[token.keyID] else {
            return policy.auth == .lenient
                ? .valid(token, nil)
                : .refused(.invalidProviderToken, "the key id \(token.keyID) is unknown; add the key with --apns-key")
        }
        if known.team != token.team {
            return .refused(
                .invalidProviderToken, "the key \(token.keyID) belongs to team \(known.team), not \(token.team)")
        }
        return verify(token.keyID, token.message, token.signature)
            ? .valid(token, known)
            : .refused(.invalidProviderToken, "the signature was not made with the key \(token.keyID)")
    }
}
