internal import HTTPCore
package import PushCore

/// What is known about the provider on one connection.
///
/// Each provider token is verified once. The connection belongs to the team that pushed first. If one of the keys is
/// limited to some topics, the connection accepts only its first key and the key related to that one.
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
        var result = CheckResult.refused(.invalidProviderToken, "the token is empty")
        /// The generation of the known keys at that time.
        var keys = 0
    }

    /// Why the last refused token was refused, for the log. Apple uses one reason for many problems.
    private(set) var cause = ""

    private enum CheckResult {
        /// The reason, and the cause for the log.
        case refused(APNsReason, String)
        /// The token and its key; nil if the key is unknown.
        case valid(ProviderToken, ProviderKey?)
    }

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
        // Nearly every push on a connection has the token in force, so only its age has to be checked.
        if token.equals(latest.bytes), latest.keys == policy.keysGeneration {
            if let accepted, accepted.environment == environment {
                return Self.checkAge(accepted.issuedAt, at: now, policy)
            }
        } else if let current, token.equals(current.seen.bytes), current.seen.keys == policy.keysGeneration {
            latest = current.seen
        } else {
            latest.bytes = []
            latest.bytes.append(addingCapacity: token.count) { $0.append(token) }
            latest.result = check(token, policy, verify)
            latest.keys = policy.keysGeneration
        }
        accepted = nil
        switch latest.result {
        case .refused(let reason, let cause):
            self.cause = cause
            return reason
        case .valid(let token, let known):
            cause = "iat is \(token.issuedAt), now is \(now.seconds)"
            let reason =
                Self.checkAge(token.issuedAt, at: now, policy) ?? bind(to: token, known, in: environment, policy)
                ?? update(at: now, policy)
            if reason == nil { accepted = (token.issuedAt, environment) }
            return reason
        }
    }

    private func check(_ text: Span<UInt8>, _ policy: APNsPolicy, _ verify: Verifier) -> CheckResult {
        guard let token = ProviderToken(text) else {
            return .refused(
                .invalidProviderToken,
                "the token is not a JWT with alg ES256, a kid and an iss of 10 characters each, and an iat")
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

    private static func checkAge(_ issuedAt: Int64, at now: Timestamp, _ policy: APNsPolicy) -> APNsReason? {
        let (issued, isTooFar) = issuedAt.multipliedReportingOverflow(by: 1000)
        let ahead = policy.choices.contains(.futureToken) ? 0 : policy.clockTolerance
        if isTooFar || issued > now.milliseconds + ahead { return .invalidProviderToken }
        return now.milliseconds - issued > policy.tokenLifetime ? .expiredProviderToken : nil
    }

    /// Ties the connection to the team of its first push. A key that is limited to some topics ties it to that key and
    /// the related one as well (docs/evidence/apns.md §3.3).
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
            if isScoped, !isRelated { return .unrelatedKeyIDInToken }
        }
        // The limits of the first key at the time of its first push apply to the whole connection.
        self.key = owner?.id == key.id ? owner : key
        isKeyKnown = known != nil
        return nil
    }

    /// Refuses tokens that change too often. The previous token stays in force (docs/evidence/apns.md §3.2).
    private mutating func update(at now: Timestamp, _ policy: APNsPolicy) -> APNsReason? {
        if let current {
            if current.seen.bytes == latest.bytes { return nil }
            if now.milliseconds - current.since.milliseconds < policy.tokenUpdateInterval {
                return .tooManyProviderTokenUpdates
            }
        }
        current = (latest, now)
        if owner == nil { owner = key }
        return nil
    }
}

/// The parts of a client certificate that matter for pushes (docs/evidence/apns.md §1.3).
package struct ProviderCertificate: Sendable {
    /// The topics that it lists; may be empty.
    package let topics: [String]
    /// The UID of the subject. It is the topic of a push without `apns-topic` if the certificate lists at most one.
    package let defaultTopic: String?
    /// The environments that it is marked for; empty without a marker.
    package let environments: Set<PushEnvironment>

    package init(topics: [String], defaultTopic: String?, environments: Set<PushEnvironment>) {
        self.topics = topics
        self.defaultTopic = defaultTopic
        self.environments = environments
    }

    func allows(_ topic: String) -> Bool { topics.isEmpty ? topic == defaultTopic : topics.contains(topic) }
}
