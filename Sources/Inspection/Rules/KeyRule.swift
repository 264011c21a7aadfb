internal import PushCore

/// Findings about keys.
enum KeyRule: String, InspectionRule {
    case wrongKind = "key.wrong-kind"
    case certificateKey = "key.for-certificate"
    case publicKey = "key.public"
    case encrypted = "key.encrypted"
    case request = "key.request"
    case openSSH = "key.openssh"
    case otherLabel = "key.other-label"
    case olderFormat = "key.older-format"
    case damaged = "key.damaged"
    case noLines = "key.no-pem-lines"
    case escapedLines = "key.escaped-lines"
    case noEnd = "key.no-end"
    case fileName = "key.file-name"
    case otherService = "key.other-service"

    private static let download =
        "Use the AuthKey_XXXXXXXXXX.p8 that was downloaded from Certificates, Identifiers & Profiles > Keys at "
        + "developer.apple.com. Apple lets you download it once; if it is lost, make a new key."

    var row: InspectionRow {
        switch self {
        case .wrongKind:
            InspectionRow(
                .error, "The key is {}. Apple's provider tokens are signed with ES256, so APNs needs a key on P-256.",
                Self.download, .invalidToken)
        case .certificateKey:
            InspectionRow(
                .warning,
                "The key is {}, so it can't sign provider tokens for APNs. It may be the key of a client certificate or "
                    + "of a service account.",
                "Give it together with its certificate. To send with provider tokens, use a .p8 file.", .invalidToken)
        case .publicKey:
            InspectionRow(
                .error, "This is a public key ({}). It verifies signatures and cannot make them.",
                "Give the sender the private key: the .p8 file that begins with BEGIN PRIVATE KEY.")
        case .encrypted:
            InspectionRow(
                .error, "The key is encrypted. Senders for APNs and FCM don't ask for a password.",
                "Decrypt it: openssl pkcs8 -in FILE -out decrypted.p8. Keys from Apple and Google are not encrypted.")
        case .request:
            InspectionRow(
                .error,
                "This is a request for a certificate. It is what you upload to Apple, not what Apple gives back.",
                "Upload it at developer.apple.com, download the certificate, and use it with the key that made the "
                    + "request.")
        case .openSSH:
            InspectionRow(
                .error, "The key is in OpenSSH's format, which neither Apple nor Google uses.", Self.download)
        case .otherLabel:
            InspectionRow(
                .error, "The PEM block is labelled {}, which is neither a key nor a certificate.", Self.download)
        case .olderFormat:
            InspectionRow(
                .warning, "The key is in an older format ({}) instead of PKCS#8. Some senders refuse it.",
                "Convert it: openssl pkcs8 -topk8 -nocrypt -in FILE -out key.p8.")
        case .damaged:
            InspectionRow(
                .error, "The {} cannot be read: {}.",
                "Copy the file again, byte for byte. Editors, mail and environment variables often lose its lines.")
        case .noLines:
            InspectionRow(
                .error, "The key lacks the lines BEGIN PRIVATE KEY and END PRIVATE KEY around its base64.",
                "Add the two lines, or use the file as it was downloaded.")
        case .escapedLines:
            InspectionRow(
                .error,
                "The text has the two characters \\n where line feeds should be, as happens in environment variables.",
                "Replace each \\n with a line feed before you use the key: printf '%b' \"$KEY\" in a shell.")
        case .noEnd:
            InspectionRow(
                .error, "The text begins with BEGIN {}, but END {} is missing.",
                "Copy the whole text, from the line with BEGIN to the line with END.")
        case .fileName:
            InspectionRow(
                .warning,
                "The file is named {}. Apple names it AuthKey_ followed by the key id: ten capital letters and digits.",
                "Compare the key id (kid) of your sender with the list of keys at developer.apple.com.")
        case .otherService:
            InspectionRow(
                .warning,
                "The file is named {}. Apple gives such names to keys for the App Store server, not for APNs.",
                Self.download)
        }
    }
}
