internal import PushCore

/// Findings about inputs whose kind is unknown, and about the encoding of text.
enum TextRule: String, InspectionRule {
    case empty = "input.empty"
    case tooLarge = "input.too-large"
    case unknown = "input.unknown"
    case byteOrderMark = "input.byte-order-mark"
    case utf16 = "input.utf-16"

    var row: InspectionRow {
        switch self {
        case .empty:
            InspectionRow(.error, "The input is empty.", "Check the path, or the variable that should hold it.")
        case .tooLarge:
            InspectionRow(.error, "The input has more than 1 MiB.", "Give a key, a token, an account or a payload.")
        case .unknown:
            InspectionRow(
                .error, "This is not a key, certificate, account, token or payload that Pushpit recognises.",
                "Give a .p8, .p12 or PEM file, a service account, a JWT, a device token, an FCM token or a payload.")
        case .byteOrderMark:
            InspectionRow(
                .warning, "The file begins with a byte order mark, which many programs do not expect.",
                "Save it as UTF-8 without a byte order mark.")
        case .utf16:
            InspectionRow(
                .error, "The file is in UTF-16. Keys, accounts and payloads have to be in UTF-8.", "Save it as UTF-8.")
        }
    }
}
