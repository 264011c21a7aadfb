internal import APNs
internal import PushCore

/// Findings about certificates and PKCS#12 files (docs/evidence/apns.md §1.3).
enum CertificateRule: String, InspectionRule {
    case expired = "certificate.expired"
    case notYetValid = "certificate.not-yet-valid"
    case endsSoon = "certificate.ends-soon"
    case notForPush = "certificate.not-for-push"
    case sandboxOnly = "certificate.sandbox-only"
    case productionOnly = "certificate.production-only"
    case severalTopics = "certificate.several-topics"
    case noKey = "certificate.no-key"
    case otherKey = "certificate.other-key"
    case wrongPassword = "pkcs12.wrong-password"
    case rounds = "pkcs12.too-many-iterations"
    case oldCipher = "pkcs12.old-cipher"
    case unreadable = "pkcs12.unreadable"
    case empty = "pkcs12.empty"

    private static let renew =
        "Make a new certificate at developer.apple.com (Certificates > Apple Push Notification service SSL), or use a "
        + ".p8 key, which does not expire."

    var row: InspectionRow {
        switch self {
        case .expired:
            InspectionRow(
                .error, "The certificate expired at {}.", Self.renew, .refusedCertificate(.badCertificate))
        case .notYetValid:
            InspectionRow(
                .error, "The certificate is not valid before {}.",
                "Check this computer's clock. If it is right, wait until then or use another certificate.",
                .refusedCertificate(.badCertificate))
        case .endsSoon: InspectionRow(.warning, "The certificate expires at {}, in less than 30 days.", Self.renew)
        case .notForPush:
            InspectionRow(
                .error,
                "The certificate is not for push: it has none of Apple's extensions for topics and environments.",
                Self.renew, .refusedCertificate(.badCertificate))
        case .sandboxOnly:
            InspectionRow(
                .warning, "The certificate is for the sandbox only. The production host refuses it.",
                "Send to api.sandbox.push.apple.com, or make a certificate for \"Sandbox & Production\".",
                .refusedCertificate(.badCertificateEnvironment))
        case .productionOnly:
            InspectionRow(
                .note, "The certificate is for production only. The sandbox refuses it.",
                "Send to api.push.apple.com, or make a certificate for \"Sandbox & Production\".",
                .refusedCertificate(.badCertificateEnvironment))
        case .severalTopics:
            InspectionRow(
                .note, "The certificate lists several topics, so each push needs apns-topic.",
                "Set apns-topic to one of the topics.",
                .apple(.missingTopic, .documented, "if a push has no apns-topic"))
        case .noKey:
            InspectionRow(
                .warning, "The private key of the certificate is missing. A sender needs both.",
                "Export the certificate together with its key from the keychain of the computer that made the request, "
                    + "as a .p12 file.")
        case .otherKey:
            InspectionRow(
                .error, "The private key does not belong to the certificate.",
                "Use the key with which the request for this certificate was made.")
        case .wrongPassword:
            InspectionRow(
                .error, "None of the passwords tried opens the file.",
                "Give the password with --password. Without it, an empty password and \"pushpit\" are tried.")
        case .rounds:
            InspectionRow(
                .error, "Opening the file takes too many rounds of key derivation.",
                "Export it again with the defaults of openssl pkcs12 or of Keychain Access.")
        case .oldCipher:
            InspectionRow(
                .warning,
                "The certificate is encrypted with RC2, which Keychain Access uses. OpenSSL 3 does not decrypt that by default, "
                    + "so senders that use it cannot open the file.",
                "Convert it: openssl pkcs12 -legacy -in FILE -nodes -out identity.pem.")
        case .unreadable:
            InspectionRow(
                .error, "The contents cannot be decrypted: {}.",
                "Export it again with the defaults of openssl pkcs12 or of Keychain Access.")
        case .empty:
            InspectionRow(
                .error, "The file contains no certificate.",
                "Export the certificate together with its key: select both in Keychain Access.")
        }
    }
}
