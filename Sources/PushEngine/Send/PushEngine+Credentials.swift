internal import APNs
internal import FCM
package import PushCore

/// Provider tokens and access tokens that end before their time.
extension PushEngine {
    /// Remembers a token that a connection has just accepted.
    mutating func noteToken(of session: inout APNsSession) {
        if let token = session.takeNewToken() { acceptedTokens.add(token) }
    }

    /// If an answer calls the provider token expired, the provider may send another one at once.
    mutating func allowNewTokenIfExpired(reason: String?, _ session: APNsSession) {
        guard reason == APNsReason.expiredProviderToken.word, let token = session.latestToken else { return }
        var policy = dialects.apns.policy
        policy.allowReplacement(of: token)
        setPolicy(policy)
    }

    private static let hour: Int64 = 3_600_000

    /// An access token for messages to this project, for one hour.
    package mutating func issueToken(for project: String, at now: Timestamp) -> String {
        bearers.issue(toProject: project, until: now + Self.hour, using: &random)
    }

    /// Ends the tokens that were accepted or issued so far. Returns their number. Provider tokens that were signed
    /// before the call end as well, even if the gateway has not seen them.
    ///
    /// Providers sign with the system's time or with the gateway's. This call uses the earlier of the two times, so
    /// that a token that is signed after the call works in both cases.
    ///
    package mutating func expireTokens(_ scope: TokenScope = TokenScope(), at now: Timestamp, systemTime: Timestamp)
        -> Int
    {
        let isForGoogle = scope.project != nil || scope.clientEmail != nil
        var count = 0
        if scope.keyID != nil || !isForGoogle {
            var policy = dialects.apns.policy
            count += policy.end(
                acceptedTokens.takeAll(of: scope.keyID), of: scope.keyID, before: min(now, systemTime).seconds, at: now)
            setPolicy(policy)
        }
        if isForGoogle || scope.keyID == nil {
            count += bearers.expire(of: scope.project, account: scope.clientEmail, at: now)
            caches.fcm.forgetSender()
        }
        return count
    }
}

/// Whose tokens end. Without any of these, all do.
package struct TokenScope {
    /// The access tokens of this project's service accounts.
    package var project: String?
    /// The access tokens of this service account.
    package var clientEmail: String?
    /// The provider tokens of this key.
    package var keyID: String?

    package init() {}
}
