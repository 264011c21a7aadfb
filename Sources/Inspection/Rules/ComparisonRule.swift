internal import APNs
internal import PushCore

/// Findings about inputs that do not fit each other.
enum ComparisonRule: String, InspectionRule {
    case otherProject = "together.other-project"
    case otherSender = "together.other-sender"
    case signature = "together.signature"
    case accountSignature = "together.account-signature"
    case keyID = "together.key-id"
    case key = "together.key"
    case topic = "together.topic"
    case bundleID = "together.bundle-id"
    case account = "together.account"

    private static let mismatch = InspectionReport.Answer.google("403 SENDER_ID_MISMATCH, SenderId mismatch", .observed)

    var row: InspectionRow {
        switch self {
        case .otherProject:
            InspectionRow(
                .error, "{} is for the project {}, but {} is for {}.",
                "Use the service account of the project that the app was built for.", Self.mismatch)
        case .otherSender:
            InspectionRow(
                .error, "{} is for the project number {}, but {} is for {}.",
                "Build all apps with files of the same project.", Self.mismatch)
        case .signature:
            InspectionRow(
                .error, "The signature of {} was not made with the key in {}.",
                "Sign with the private key that belongs to kid.", .invalidToken)
        case .accountSignature:
            InspectionRow(
                .error, "The signature of {} was not made with the private_key in {}.",
                "Sign with the key of the account that iss names.",
                .token("400 invalid_grant, Invalid JWT Signature.", .observed))
        case .keyID:
            InspectionRow(
                .error, "The kid in {} is {}, but the name of {} has the key id {}.",
                "Set kid to the id of the key that signs.", .invalidToken)
        case .key:
            InspectionRow(
                .error, "The key in {} does not belong to the certificate in {}.",
                "Use the key with which the request for this certificate was made.")
        case .topic:
            InspectionRow(
                .error, "The certificate in {} does not list the topic {}.",
                "Use a topic of the certificate, or a certificate of the app.", .apple(.topicDisallowed, .assumed))
        case .bundleID:
            InspectionRow(
                .warning, "The certificate in {} is for {}, but {} is for the app {}.",
                "Use the certificate of the same app.", .apple(.deviceTokenNotForTopic, .documented))
        case .account:
            InspectionRow(
                .error, "The iss in {} is {}, but {} is the account {}.",
                "Sign the claims with the account that iss names.",
                .token("400 invalid_grant, Invalid JWT Signature.", .observed))
        }
    }
}
