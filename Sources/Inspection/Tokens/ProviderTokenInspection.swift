internal import APNs
internal import JSON
internal import PushCore

/// Checks an APNs provider token (docs/evidence/apns.md §3).
enum ProviderTokenInspection {
    /// The age at which Apple refuses a token, and how far its time may be in the future.
    private static let maximumAge: Int64 = 3600

    static func inspect(_ jwt: JWT, _ subject: Subject, _ draft: inout InspectionDraft) {
        if jwt.hasPrefix { draft.add(ProviderTokenRule.bearer) }
        checkHeader(jwt, &draft)
        checkTeam(jwt, &draft)
        checkTime(jwt, subject, &draft)
        if !isSignature(jwt.signature ?? []) {
            draft.add(ProviderTokenRule.signature, String(jwt.signature?.count ?? 0))
        }
        if !draft.hasErrors {
            draft.answer(
                .apple(.invalidProviderToken, .documented, "if the key is not one of the team, or was revoked"))
        }
    }

    private static func checkHeader(_ jwt: JWT, _ draft: inout InspectionDraft) {
        if let algorithm = jwt.header["alg"] {
            if !algorithm.equals("ES256") { draft.add(ProviderTokenRule.algorithm, algorithm.shownQuoted) }
        } else {
            draft.add(ProviderTokenRule.noAlgorithm)
        }
        if jwt.header["crit"] != nil { draft.add(ProviderTokenRule.critical) }
        guard let id = jwt.header["kid"] else { return draft.add(ProviderTokenRule.noKeyID) }
        guard let text = id.string, ProviderKey.isID(text) else {
            return draft.add(ProviderTokenRule.keyID, id.shownQuoted)
        }
        draft.note("key id (kid): \(text)")
        draft.links.keyID = text
        if !KeyInspection.isAppleID(text) { draft.add(ProviderTokenRule.smallLetters, "kid") }
    }

    private static func checkTeam(_ jwt: JWT, _ draft: inout InspectionDraft) {
        guard let team = jwt.claims["iss"] else { return draft.add(ProviderTokenRule.noTeam) }
        guard let text = team.string, ProviderKey.isID(text) else {
            return draft.add(ProviderTokenRule.team, team.shownQuoted)
        }
        draft.note("team id (iss): \(text)")
        if !KeyInspection.isAppleID(text) { draft.add(ProviderTokenRule.smallLetters, "iss") }
        if text == draft.links.keyID { draft.add(ProviderTokenRule.sameIDs) }
    }

    private static func checkTime(_ jwt: JWT, _ subject: Subject, _ draft: inout InspectionDraft) {
        guard let value = jwt.claims["iat"] else { return draft.add(ProviderTokenRule.noTime) }
        guard let issued = JWT.seconds(value) else { return draft.add(ProviderTokenRule.time, value.shownQuoted) }
        if issued >= JWT.firstMilliseconds {
            return draft.add(ProviderTokenRule.milliseconds, value.shownQuoted)
        }
        draft.note("signed at (iat): \(Subject.date(issued))")
        // Both are far from the ends of Int64.
        let age = subject.nowInSeconds &- issued
        let lead = issued &- subject.nowInSeconds
        if age > maximumAge {
            draft.add(ProviderTokenRule.expired, Subject.date(issued))
        } else if lead > maximumAge {
            draft.add(ProviderTokenRule.farFuture, Subject.date(issued))
        } else if lead > tolerance {
            draft.add(ProviderTokenRule.future, Subject.date(issued), Subject.duration(lead))
        }
    }

    /// A smaller difference between two clocks is normal.
    static let tolerance: Int64 = 5

    /// Whether these bytes may be a signature: r and s, or a DER sequence of both.
    private static func isSignature(_ bytes: [UInt8]) -> Bool {
        if bytes.count == 64 { return true }
        return bytes.first == 0x30 && 8...72 ~= bytes.count
            && bytes.dropFirst().first == UInt8(truncatingIfNeeded: bytes.count &- 2)
    }
}
