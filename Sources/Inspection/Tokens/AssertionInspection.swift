internal import JSON
internal import PushCore

/// Checks the signed claims that a service account exchanges for an access token (docs/evidence/fcm.md §7.1).
enum AssertionInspection {
    /// The longest time between `iat` and `exp`.
    private static let maximumLifetime: Int64 = 3600
    private static let audiences = [
        "https://oauth2.googleapis.com/token", "https://www.googleapis.com/oauth2/v4/token",
        "https://accounts.google.com/o/oauth2/token",
    ]
    private static let scopes = [
        "https://www.googleapis.com/auth/firebase.messaging", "https://www.googleapis.com/auth/cloud-platform",
    ]

    static func inspect(_ jwt: JWT, _ subject: Subject, _ draft: inout InspectionDraft) {
        if let algorithm = jwt.header["alg"], algorithm.equals("RS256") {
            // As it should be.
        } else {
            draft.add(GoogleTokenRule.algorithm, jwt.header["alg"]?.shownQuoted ?? "missing")
        }
        if let account = jwt.text("iss"), !account.isEmpty {
            draft.note("account (iss): \(account.quoted)")
            draft.links.account = account
        } else {
            draft.add(GoogleTokenRule.noAccount)
        }
        checkTimes(jwt, subject.nowInSeconds, &draft)
        let audience = jwt.text("aud") ?? ""
        if !audiences.contains(audience) { draft.add(GoogleTokenRule.audience, audience.quoted) }
        let given = (jwt.text("scope") ?? "").split(separator: " ").map(String.init)
        if !given.contains(where: scopes.contains) {
            draft.add(GoogleTokenRule.scope, given.prefix(8).joined(separator: " ").quoted)
        }
        draft.answer(
            .google(
                "401 UNAUTHENTICATED, Request had invalid authentication credentials., if it is sent to FCM instead of "
                    + "being exchanged for an access token", .assumed))
    }

    private static func checkTimes(_ jwt: JWT, _ now: Int64, _ draft: inout InspectionDraft) {
        guard let issued = JWT.seconds(jwt.claims["iat"]), let end = JWT.seconds(jwt.claims["exp"]) else {
            return draft.add(GoogleTokenRule.noTimes)
        }
        draft.note("signed at (iat): \(Subject.date(issued))")
        draft.note("valid until (exp): \(Subject.date(end))")
        if end &- issued > maximumLifetime { draft.add(GoogleTokenRule.tooLong, String(end &- issued)) }
        if end <= now {
            draft.add(GoogleTokenRule.expired, Subject.date(end))
        } else if issued > now &+ tolerance {
            draft.add(GoogleTokenRule.future, Subject.date(issued), Subject.duration(issued &- now))
        }
    }

    /// How far a client's clock may be ahead. It is Pushpit's own limit for calls of `/token`.
    private static let tolerance: Int64 = 300
}
