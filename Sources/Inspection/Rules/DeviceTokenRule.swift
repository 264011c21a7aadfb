internal import APNs
internal import PushCore

/// Findings about device tokens and topics of APNs, and about FCM's tokens.
enum DeviceTokenRule: String, InspectionRule {
    case oddDigits = "device-token.odd"
    case tooShort = "device-token.too-short"
    case tooLong = "device-token.too-long"
    case description = "device-token.description"
    case shortened = "device-token.shortened"
    case base64 = "device-token.base64"
    case separators = "device-token.separators"
    case placeholder = "device-token.placeholder"
    case fcmCut = "fcm-token.cut"
    case fcmEncoded = "fcm-token.percent-encoded"
    case fcmSpaces = "fcm-token.spaces"
    case fcmOld = "fcm-token.old"
    case unknownSuffix = "topic.unknown-suffix"

    private static let hex =
        "Convert the token in the app: deviceToken.map { String(format: \"%02x\", $0) }.joined()."
    private static let badToken = InspectionReport.Answer.apple(.badDeviceToken, .documented)
    private static let malformed = InspectionReport.Answer.google(
        "400 INVALID_ARGUMENT, The registration token is not a valid FCM registration token", .observed)

    var row: InspectionRow {
        switch self {
        case .oddDigits:
            InspectionRow(
                .error, "The token has {} hex digits, an odd number. A digit is missing or added.",
                "Copy the whole token. \(Self.hex)", Self.badToken)
        case .tooShort:
            InspectionRow(
                .error, "The token has {} hex digits. Device tokens have at least 64.",
                "Copy the whole token. A formatter that leaves out leading zeros shortens it too. \(Self.hex)",
                Self.badToken)
        case .tooLong:
            InspectionRow(
                .error, "The token has {} hex digits. Device tokens have at most 200.",
                "Check whether the text contains two tokens.", Self.badToken)
        case .description:
            InspectionRow(
                .error, "This is the description of a token as older versions of iOS print it, not the token.",
                Self.hex, Self.badToken)
        case .shortened:
            InspectionRow(
                .error,
                "This is the description of a token as iOS 13 and later print it. It leaves out the middle of the token.",
                Self.hex, Self.badToken)
        case .base64:
            InspectionRow(
                .error, "The token is in base64 ({} bytes). APNs takes hex digits.",
                "Send the bytes as hex digits. \(Self.hex)", Self.badToken)
        case .separators:
            InspectionRow(
                .error, "The text contains more than hex digits: blanks, hyphens, colons or a 0x at the start.",
                "Send the digits alone.", Self.badToken)
        case .placeholder:
            InspectionRow(
                .warning, "All bytes of the token are the same, so it looks like a placeholder.",
                "Use a token that a device registered.", .apple(.badDeviceToken, .assumed))
        case .fcmCut:
            InspectionRow(
                .error, "The part after the colon has {} characters, which is too few for a registration token.",
                "Copy the whole token, and check that the column of your database is long enough.", Self.malformed)
        case .fcmEncoded:
            InspectionRow(
                .error, "The token is percent-encoded: it has %3A instead of the colon.",
                "Decode it. In the body of messages:send, write the token exactly as the app got it.", Self.malformed)
        case .fcmSpaces:
            InspectionRow(
                .error, "There are blanks or line feeds in the token.", "Remove them.", Self.malformed)
        case .fcmOld:
            InspectionRow(
                .warning, "The token has no colon, like the tokens of the old Google Cloud Messaging.",
                "Get a new token from the app.", Self.malformed)
        case .unknownSuffix:
            InspectionRow(
                .warning, "The topic ends in {}, which is not one of Apple's suffixes. Did you mean {}?",
                "Use the bundle id and the suffix of the push type, such as .voip or .push-type.liveactivity.",
                .apple(.topicDisallowed, .observed))
        }
    }
}
