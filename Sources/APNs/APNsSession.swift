internal import HTTPCore
package import PushCore

/// What one connection has shown of its provider: each token is verified once, and bound to what came first.
package struct APNsSession: Sendable {
    /// The client's certificate, which makes tokens unimportant.
    package let certificate: ProviderCertificate?
    package let environment: PushEnvironment
    /// The token that came last.
    private var latest = Seen()
    /// The token in force, and when it came.
    private var current: (seen: Seen, since: Timestamp)?
    /// Of the token that came last, where it was taken.
    private var inForce: (issuedAt: Int64, environment: PushEnvironment)?
    /// Who pushed first.
    private var owner: ProviderKey?
    private(set) var key: ProviderKey?
    private(set) var isKeyKnown = true

    /// A token as it was sent, and what became of it; a signature is looked at once.
    private struct Seen {
        var octets: [UInt8] = []
        var judged = Judged.refused(.invalidProviderToken, "there is none")
        /// Which keys were known then.
        var keys = 0
    }

    /// What was wrong with the token that was refused last, for the log: Apple has one word for much.
    private(set) var cause = ""

    private enum Judged {
        /// With what is wrong, for the log.
        case refused(APNsReason, String)
        case good(ProviderToken, ProviderKey?)
    }

    /// Whether the signature is good for that key id.
    package typealias Verifier = (_ keyID: String, _ message: [UInt8], _ signature: [UInt8]) -> Bool

    package init(certificate: ProviderCertificate? = nil, environment: PushEnvironment = .production) {
        self.certificate = certificate
        self.environment = environment
    }

    /// What is wrong with the provider token of a push; nil where it may go on.
    mutating func refusal(
        of token: Span<UInt8>, in environment: PushEnvironment, at now: Timestamp, _ policy: APNsPolicy,
        _ verify: Verifier
    ) -> APNsReason? {
        // Nearly every push of a connection shows the token that is in force: only time goes on.
        if token.equals(latest.octets), latest.keys == policy.keysGeneration {
            if let inForce, inForce.environment == environment { return Self.age(inForce.issuedAt, at: now, policy) }
        } else if let current, token.equals(current.seen.octets), current.seen.keys == policy.keysGeneration {
            latest = current.seen
        } else {
            latest.octets = []
            latest.octets.append(addingCapacity: token.count) { $0.append(token) }
            latest.judged = judge(token, policy, verify)
            latest.keys = policy.keysGeneration
        }
        inForce = nil
        switch latest.judged {
        case .refused(let reason, let cause):
            self.cause = cause
            return reason
        case .good(let token, let known):
            cause = "iat is \(token.issuedAt), now is \(now.seconds)"
            let reason =
                Self.age(token.issuedAt, at: now, policy) ?? binding(of: token, known, in: environment, policy)
                ?? update(at: now, policy)
            if reason == nil { inForce = (token.issuedAt, environment) }
            return reason
        }
    }

    private func judge(_ text: Span<UInt8>, _ policy: APNsPolicy, _ verify: Verifier) -> Judged {
        guard let token = ProviderToken(text) else {
            return .refused(
                .invalidProviderToken, "the token is no JWT with ES256, a kid and an iss of 10 characters, and an iat")
        }
        guard let known = policy.keys[token.keyID] else {
            return policy.auth == .lenient
                ? .good(token, nil)
                : .refused(.invalidProviderToken, "the key id \(token.keyID) is not known; add it with --apns-key")
        }
        if known.team != token.team {
            return .refused(.invalidProviderToken, "the key \(token.keyID) is of team \(known.team), not \(token.team)")
        }
        return verify(token.keyID, token.message, token.signature)
            ? .good(token, known)
            : .refused(.invalidProviderToken, "the signature is not that of the key \(token.keyID)")
    }

    private static func age(_ issuedAt: Int64, at now: Timestamp, _ policy: APNsPolicy) -> APNsReason? {
        let (issued, isTooFar) = issuedAt.multipliedReportingOverflow(by: 1000)
        let ahead = policy.choices.contains(.futureToken) ? 0 : policy.clockTolerance
        if isTooFar || issued > now.milliseconds + ahead { return .invalidProviderToken }
        return now.milliseconds - issued > policy.tokenLifetime ? .expiredProviderToken : nil
    }

    /// A connection belongs to the team, and the kind of key, that pushed first (§3.3).
    private mutating func binding(
        of token: ProviderToken, _ known: ProviderKey?, in environment: PushEnvironment, _ policy: APNsPolicy
    ) -> APNsReason? {
        let key = known ?? ProviderKey(id: token.keyID, team: token.team)
        if let only = key.environment, only != environment {
            cause = "the key \(key.id) is for \(only.rawValue)"
            return .badEnvironmentKeyInToken
        }
        if let owner {
            if owner.team != key.team {
                cause = "this connection belongs to team \(owner.team), the token to \(key.team)"
                return policy.choices.contains(.otherTeam) ? .forbidden : .invalidProviderToken
            }
            let isScoped = owner.topics != nil || key.topics != nil
            let isRelated = owner.id == key.id || owner.related == key.id || key.related == owner.id
            if isScoped, !isRelated { return .unrelatedKeyIDInToken }
        }
        // What the first push's key was for then holds for the whole connection.
        self.key = owner?.id == key.id ? owner : key
        isKeyKnown = known != nil
        return nil
    }

    /// Tokens that change too often are refused, and the one before stays in force (§3.2).
    private mutating func update(at now: Timestamp, _ policy: APNsPolicy) -> APNsReason? {
        if let current {
            if current.seen.octets == latest.octets { return nil }
            if now.milliseconds - current.since.milliseconds < policy.tokenUpdateInterval {
                return .tooManyProviderTokenUpdates
            }
        }
        current = (latest, now)
        if owner == nil { owner = key }
        return nil
    }
}

/// What a client certificate says of its owner, as far as pushes are concerned (§1.3).
package struct ProviderCertificate: Sendable {
    /// Every topic it lists; empty where it lists none.
    package let topics: [String]
    /// The subject's UID, in force where no topic is sent and the certificate lists at most one.
    package let defaultTopic: String?
    /// Empty where it carries no marker.
    package let environments: Set<PushEnvironment>

    package init(topics: [String], defaultTopic: String?, environments: Set<PushEnvironment>) {
        self.topics = topics
        self.defaultTopic = defaultTopic
        self.environments = environments
    }

    func allows(_ topic: String) -> Bool { topics.isEmpty ? topic == defaultTopic : topics.contains(topic) }
}
