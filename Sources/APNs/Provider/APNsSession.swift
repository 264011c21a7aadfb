internal import HTTPCore
package import PushCore

/// What is known about the provider on one connection.
///
/// Each provider token is verified once. The connection belongs to the team that pushed first. A later key of the same
/// team is accepted if neither it nor the first key is limited to some topics. Otherwise it must be related to the
/// first key.
package struct APNsSession: Sendable {
    /// The client's certificate. If there is one, provider tokens are ignored.
    package let certificate: ProviderCertificate?
    package let environment: PushEnvironment
    /// The token of the previous push.
    private var latest = Seen()
    /// The token in force, and when it first arrived.
    private var current: (seen: Seen, since: Timestamp)?
    /// The time and environment of `latest` if it was accepted. This is the fast path for the next push with the same
    /// token.
    private var accepted: (issuedAt: Int64, environment: PushEnvironment)?
    /// The key of the first accepted push.
    private var owner: ProviderKey?
    private(set) var key: ProviderKey?
    private(set) var isKeyKnown = true

    /// A token as it was sent, with the result of its check, so that a signature is verified only once.
    private struct Seen {
        var bytes: [UInt8] = []
        var result = ProviderTokenCheck.refused(.invalidProviderToken, "the token is empty")
        /// `APNsPolicy.keysGeneration` when the token was checked.
        var keysGeneration = 0
    }

    /// A token that was accepted and that the engine has not taken yet. A push with the same token as the push before
    /// does not set it.
    private var newToken: AcceptedToken?
    /// Whether `takeNewToken()` returns a token. Checked for each push.
    package private(set) var hasNewToken = false

    /// Why the last refused token was refused, for the log. Apple uses one reason for many problems.
    private(set) var cause = ""

    /// Returns true if the signature was made with the key that has this id.
    package typealias Verifier = (_ keyID: String, _ message: [UInt8], _ signature: [UInt8]) -> Bool

    package init(certificate: ProviderCertificate? = nil, environment: PushEnvironment = .production) {
        self.certificate = certificate
        self.environment = environment
    }

    /// The reason to refuse a push for its provider token; nil if the token is accepted.
    mutating func refusal(
        of token: Span<UInt8>, in environment: PushEnvironment, at now: Timestamp, _ policy: APNsPolicy,
        _ verify: Verifier
    ) -> APNsReason? {
        // Nearly every push has the same token as the push before it. Then only the token's age has to be checked.
        if token.equals(latest.bytes), latest.keysGeneration == policy.keysGeneration {
            if let accepted, accepted.environment == environment {
                return checkAge(accepted.issuedAt, at: now, policy)
            }
        } else if let current, token.equals(current.seen.bytes),
            current.seen.keysGeneration == policy.keysGeneration
        {
            latest = current.seen
        } else {
            latest.bytes = []
            latest.bytes.append(addingCapacity: token.count) { $0.append(token) }
            latest.result = ProviderTokenCheck(token, policy, verify)
            latest.keysGeneration = policy.keysGeneration
        }
        accepted = nil
        switch latest.result {
        case .refused(let reason, let cause):
            self.cause = cause
            return reason
        case .valid(let token, let known):
            let reason =
                checkAge(token.issuedAt, at: now, policy) ?? checkEnding(token, policy)
                ?? bind(to: token, known, in: environment, policy) ?? update(at: now, policy)
            if reason == nil {
                accepted = (token.issuedAt, environment)
                newToken = AcceptedToken(bytes: latest.bytes, keyID: token.keyID, issuedAt: token.issuedAt)
                hasNewToken = true
            }
            return reason
        }
    }

    private mutating func checkAge(_ issuedAt: Int64, at now: Timestamp, _ policy: APNsPolicy) -> APNsReason? {
        let age = Self.age(issuedAt, at: now)
        if age > policy.tokenLifetime {
            cause =
                "the token is \(Self.text(age)) old by the gateway's clock, and the limit is "
                + "\(Self.text(policy.tokenLifetime)), which no option changes"
            return .expiredProviderToken
        }
        let tolerance = policy.choices.contains(.futureToken) ? 0 : policy.clockTolerance
        if -age > tolerance {
            cause =
                "iat is \(Self.text(-age)) ahead of the gateway's clock, and the limit is \(Self.text(tolerance)) "
                + "(--apns-choice future-token)"
            if issuedAt > Self.firstMilliseconds { cause += "; iat is in seconds, and this looks like milliseconds" }
            return .invalidProviderToken
        }
        return nil
    }

    private mutating func checkEnding(_ token: ProviderToken, _ policy: APNsPolicy) -> APNsReason? {
        guard let ending = policy.endedTokens.cause(of: latest.bytes, of: token.keyID, issuedAt: token.issuedAt) else {
            return nil
        }
        cause = ending
        return .expiredProviderToken
    }

    /// An `iat` above this is probably in milliseconds. Read as seconds, this number is the year 5138; read as
    /// milliseconds, it is 1973.
    private static let firstMilliseconds: Int64 = 100_000_000_000

    /// In milliseconds; negative for a time in the future. The limit of `iat` in `ProviderToken` rules out an overflow.
    private static func age(_ issuedAt: Int64, at now: Timestamp) -> Int64 { now.milliseconds - issuedAt * 1000 }

    private static func text(_ milliseconds: Int64) -> String { DurationText.readable(UInt64(clamping: milliseconds)) }

    /// Ties the connection to the team of its first push and, if this key or the first key is limited to some topics,
    /// to the first key and keys that are related to it (docs/evidence/apns.md §3.3).
    private mutating func bind(
        to token: ProviderToken, _ known: ProviderKey?, in environment: PushEnvironment, _ policy: APNsPolicy
    ) -> APNsReason? {
        let key = known ?? ProviderKey(id: token.keyID, team: token.team)
        if let only = key.environment, only != environment {
            cause = "the key \(key.id) is for \(only.rawValue)"
            return .badEnvironmentKeyInToken
        }
        if let owner {
            if owner.team != key.team {
                cause = "this connection belongs to team \(owner.team), but the token is for team \(key.team)"
                return policy.choices.contains(.otherTeam) ? .forbidden : .invalidProviderToken
            }
            let isScoped = owner.topics != nil || key.topics != nil
            let isRelated = owner.id == key.id || owner.related == key.id || key.related == owner.id
            if isScoped, !isRelated {
                cause = "the key \(key.id) is not related to the key \(owner.id), with which this connection began"
                return .unrelatedKeyIDInToken
            }
        }
        // For pushes with the first key, the limits that the key had at its first push apply, even if the key has
        // changed since then.
        self.key = owner?.id == key.id ? owner : key
        isKeyKnown = known != nil
        return nil
    }

    /// Refuses tokens that change too often. The previous token stays in force (docs/evidence/apns.md §3.2). A token
    /// that has expired, or that a simulated answer called expired, may be replaced at any time.
    private mutating func update(at now: Timestamp, _ policy: APNsPolicy) -> APNsReason? {
        if let current, current.seen.bytes != latest.bytes {
            if policy.replaceableTokens.contains(latest.bytes) {
                cause =
                    "a fault or a magic device token answered that this provider token has expired, and a newer one "
                    + "has replaced it"
                return .expiredProviderToken
            }
            let use = now.milliseconds - current.since.milliseconds
            if use < policy.tokenUpdateInterval, !isReplaceable(current.seen, at: now, policy) {
                cause =
                    "the current token arrived \(Self.text(use)) ago, and another one is accepted after "
                    + "\(Self.text(policy.tokenUpdateInterval)) (--token-update-interval)"
                return .tooManyProviderTokenUpdates
            }
        }
        if current?.seen.bytes != latest.bytes { current = (latest, now) }
        if owner == nil { owner = key }
        return nil
    }

    private func isReplaceable(_ seen: Seen, at now: Timestamp, _ policy: APNsPolicy) -> Bool {
        guard case .valid(let token, _) = seen.result else { return true }
        return Self.age(token.issuedAt, at: now) > policy.tokenLifetime
            || policy.endedTokens.cause(of: seen.bytes, of: token.keyID, issuedAt: token.issuedAt) != nil
            || policy.replaceableTokens.contains(seen.bytes)
    }

    /// The token that was accepted since the last call; nil without one.
    package mutating func takeNewToken() -> AcceptedToken? {
        hasNewToken = false
        return newToken.take()
    }

    /// The token of the latest push; nil without one.
    package var latestToken: [UInt8]? { latest.bytes.isEmpty ? nil : latest.bytes }
}
