internal import PushCore

/// Findings about FCM messages that `pushpit check` does not report.
enum MessageRule: String, InspectionRule {
    case legacy = "message.legacy"

    var row: InspectionRow {
        switch self {
        case .legacy:
            InspectionRow(
                .error, "The message has the format of the API at /fcm/send, which Google switched off in 2024.",
                "Send it to /v1/projects/PROJECT/messages:send. pushpit check shows it in the new format.",
                .google("404 Deprecated endpoint from /fcm/send, 400 INVALID_ARGUMENT from messages:send", .observed))
        }
    }
}
