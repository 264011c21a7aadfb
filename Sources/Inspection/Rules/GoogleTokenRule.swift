internal import PushCore

/// Findings about Google's tokens and keys (docs/evidence/fcm.md §1.6, §7.1 and §7.3).
enum GoogleTokenRule: String, InspectionRule {
    case algorithm = "assertion.algorithm"
    case noAccount = "assertion.no-account"
    case noTimes = "assertion.no-times"
    case expired = "assertion.expired"
    case tooLong = "assertion.too-long"
    case future = "assertion.future"
    case audience = "assertion.audience"
    case scope = "assertion.scope"
    case idToken = "google.id-token"
    case otherJWT = "jwt.unknown-kind"
    case webPush = "jwt.web-push"
    case legacyServerKey = "google.legacy-server-key"
    case apiKey = "google.api-key"

    private static let window =
        "400 invalid_grant, Invalid JWT: Token must be a short-lived token (60 minutes) and in "
        + "a reasonable timeframe. Check your iat and exp values in the JWT claim."
    private static let account =
        "Authenticate with a service account: the JSON file from the Firebase console, Project settings > Service "
        + "accounts > Generate new private key. The sender exchanges it for an access token."

    var row: InspectionRow {
        switch self {
        case .algorithm:
            InspectionRow(
                .error, "The alg is {}, but Google accepts only RS256.",
                "Sign with RS256 and the private_key of the service account.",
                .token("400 invalid_grant", .assumed))
        case .noAccount:
            InspectionRow(
                .error, "The claims have no iss, the account's client_email.", "Set iss to client_email.",
                .token("400 invalid_grant", .assumed))
        case .noTimes:
            InspectionRow(
                .error, "The claims need iat and exp, both as numbers of seconds since 1970.",
                "Set iat to the current time, and exp to at most 3,600 seconds later.", .token(Self.window, .observed))
        case .expired:
            InspectionRow(
                .error, "The claims expired at {}.",
                "Sign new claims. If they are new, this computer's clock or the signer's is wrong.",
                .token(Self.window, .observed))
        case .tooLong:
            InspectionRow(
                .error, "The claims are valid for {} seconds, and Google accepts at most 3,600.",
                "Set exp to at most iat + 3600.", .token(Self.window, .observed))
        case .future:
            InspectionRow(
                .error, "The iat is {}, which is in the future: a clock is wrong by {}.",
                "Set the clock of the computer that signs (NTP).", .token(Self.window, .observed))
        case .audience:
            InspectionRow(
                .warning, "The aud is {}, not Google's token endpoint.",
                "Set aud to https://oauth2.googleapis.com/token.",
                .token("400 invalid_grant, Invalid JWT: Failed audience check.", .assumed))
        case .scope:
            InspectionRow(
                .warning, "The scope {} does not let the account send messages.",
                "Use the scope https://www.googleapis.com/auth/firebase.messaging.",
                .google(
                    "403 PERMISSION_DENIED, Request had insufficient authentication scopes., with "
                        + "ACCESS_TOKEN_SCOPE_INSUFFICIENT", .assumed))
        case .idToken:
            InspectionRow(
                .error, "This is an ID token. It says who somebody is, and does not let anybody send messages.",
                Self.account,
                .google(
                    "401 UNAUTHENTICATED, Request had invalid authentication credentials., with "
                        + "ACCESS_TOKEN_TYPE_UNSUPPORTED", .assumed))
        case .otherJWT:
            InspectionRow(
                .warning, "This JWT is neither an APNs provider token nor one of Google's tokens.",
                "For APNs the header needs alg and kid, and the claims iss and iat. For FCM send an access token, which "
                    + "is not a JWT.")
        case .webPush:
            InspectionRow(
                .note, "The token is for web push services (VAPID), not for APNs' device pushes or FCM's HTTP v1 API.",
                "Use it in the Authorization header of a push to the endpoint of a web push subscription.")
        case .legacyServerKey:
            InspectionRow(
                .error,
                "This is a server key of the API at /fcm/send, which Google switched off in 2024. It is not a "
                    + "registration token either.", Self.account,
                .google(
                    "404 {\"error\":\"Deprecated endpoint, see "
                        + "https://firebase.google.com/docs/cloud-messaging/migrate-v1\"} from /fcm/send", .observed))
        case .apiKey:
            InspectionRow(
                .error, "This is an API key. FCM's HTTP v1 API does not accept API keys.", Self.account,
                .google(
                    "401 UNAUTHENTICATED, API keys are not supported by this API., if it is sent as the query parameter "
                        + "`key`",
                    .assumed))
        }
    }
}
