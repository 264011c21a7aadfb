internal import JSON
internal import PushCore

/// Inspects a JWT: finds out its kind, and then checks it.
enum JWTInspection {
    static func inspect(_ subject: Subject, _ draft: inout InspectionDraft) {
        guard let jwt = JWT(subject.text) else { return }
        draft.kind = kind(of: jwt)
        if let signature = jwt.signature { draft.links.signed = (jwt.message, signature) }
        switch draft.kind {
        case .providerToken: ProviderTokenInspection.inspect(jwt, subject, &draft)
        case .assertion: AssertionInspection.inspect(jwt, subject, &draft)
        case .idToken:
            note(jwt, subject, &draft)
            draft.add(GoogleTokenRule.idToken)
        case .vapidToken:
            note(jwt, subject, &draft)
            draft.add(GoogleTokenRule.webPush)
        default:
            note(jwt, subject, &draft)
            draft.add(GoogleTokenRule.otherJWT)
        }
    }

    private static func kind(of jwt: JWT) -> InspectedKind {
        let issuer = jwt.text("iss") ?? ""
        let audience = jwt.text("aud") ?? ""
        if issuer == "https://accounts.google.com" || issuer == "accounts.google.com"
            || issuer.hasPrefix("https://securetoken.google.com/")
        {
            return .idToken
        }
        if jwt.claims["scope"] != nil || issuer.contains("@") || audience.includes("oauth2") { return .assertion }
        if audience.hasPrefix("https://"), jwt.header["kid"] == nil, jwt.claims["sub"] != nil { return .vapidToken }
        if jwt.header["kid"] != nil || jwt.header["alg"]?.equals("ES256") ?? true, jwt.claims["aud"] == nil {
            return .providerToken
        }
        return .jwt
    }

    /// The issuer and the times, for tokens that are not checked further.
    private static func note(_ jwt: JWT, _ subject: Subject, _ draft: inout InspectionDraft) {
        if let issuer = jwt.text("iss") { draft.note("issuer: \(issuer.quoted)") }
        if let issued = JWT.seconds(jwt.claims["iat"]) { draft.note("issued at \(Subject.date(issued))") }
        if let end = JWT.seconds(jwt.claims["exp"]) {
            draft.note("\(end < subject.nowInSeconds ? "expired" : "expires") at \(Subject.date(end))")
        }
    }
}
