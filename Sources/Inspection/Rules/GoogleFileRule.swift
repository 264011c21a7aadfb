internal import PushCore

/// Findings about Google's JSON files and the property list of iOS apps.
enum GoogleFileRule: String, InspectionRule {
    case appConfiguration = "google.app-configuration"
    case oauthClient = "google.oauth-client"
    case userCredentials = "google.user-credentials"
    case externalCredentials = "google.external-credentials"
    case missing = "service-account.missing"
    case email = "service-account.email"
    case noKey = "service-account.no-key"
    case keyDamaged = "service-account.key-damaged"
    case keyKind = "service-account.key-kind"
    case keyEscapes = "service-account.key-escapes"
    case tokenURI = "service-account.token-uri"
    case notJSON = "service-account.not-json"
    case emulator = "service-account.pushpit"

    private static let download =
        "Download a service account: Firebase console, Project settings > Service accounts > Generate new private key."
    private static let again = "Use the file as it was downloaded, or make a new key. \(download)"

    var row: InspectionRow {
        switch self {
        case .appConfiguration:
            InspectionRow(
                .error, "This file ({}) belongs in an app. It has no private key, so no server can send with it.",
                Self.download)
        case .oauthClient:
            InspectionRow(
                .error, "This is an OAuth client, with which an app lets people sign in. It cannot send messages.",
                Self.download)
        case .userCredentials:
            InspectionRow(
                .warning,
                "These are the credentials of a person (gcloud auth application-default login). They name no project, "
                    + "and FCM needs a quota project for them.",
                "Use a service account. \(Self.download)")
        case .externalCredentials:
            InspectionRow(
                .note,
                "Credentials of the type {} get their tokens from another service, so they can't be checked here.",
                "Check them with: gcloud auth application-default print-access-token.")
        case .missing: InspectionRow(.error, "The file has no {}.", Self.again)
        case .email:
            InspectionRow(
                .warning, "The client_email is {}, which is not the address of a service account.", Self.again,
                .token("400 invalid_grant, Invalid grant: account not found", .assumed))
        case .noKey:
            InspectionRow(
                .error, "The file has no private_key, so the sender cannot sign its claims.", Self.again)
        case .keyDamaged:
            InspectionRow(.error, "The private_key cannot be read: {}.", Self.again)
        case .keyKind:
            InspectionRow(
                .error, "The private_key is {}, but Google's service accounts have RSA keys (RS256).", Self.again,
                .token("400 invalid_grant, Invalid JWT Signature.", .observed))
        case .keyEscapes:
            InspectionRow(
                .error, "The private_key has two backslashes before each n, so it contains no line feeds.",
                "Escape the text once only: JSON writes a line feed as \\n.")
        case .tokenURI:
            InspectionRow(
                .warning, "The token_uri is {}, not Google's.",
                "Set it to https://oauth2.googleapis.com/token, unless it names a stand-in for Google on purpose.")
        case .notJSON:
            InspectionRow(
                .error, "The file looks like a service account, but it is not valid JSON: {}", Self.again)
        case .emulator:
            InspectionRow(
                .note, "The token_uri is {}, so this account works with a gateway of Pushpit and not with Google.",
                "Use the account of your project for the real service.")
        }
    }
}
