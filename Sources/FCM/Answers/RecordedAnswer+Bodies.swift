internal import HTTPCore
internal import PushCore

/// Parts of the rows of recorded answers.
extension RecordedAnswer {
    /// The services that share the errors of `messages:send`.
    static let sending: [GoogleService] = [.send, .topics, .instanceID]
    static let sendPermission = "cloudmessaging.messages.create"

    /// An answer that the gateway also gives without a fault or `--fcm-choice`.
    static func standard(_ id: String, _ error: GoogleError) -> RecordedAnswer {
        standard(id, { _ in error })
    }

    static func standard(_ id: String, _ make: @escaping @Sendable (String) -> GoogleError)
        -> RecordedAnswer
    {
        RecordedAnswer(id, sending, make("").rule.description, isStandard: true, .error(make))
    }

    /// Another wording of an answer that the gateway gives.
    static func variant(_ id: String, _ error: GoogleError, situation: String? = nil)
        -> RecordedAnswer
    {
        RecordedAnswer(
            id, sending, situation ?? error.rule.description, isStandard: false, .error { _ in error })
    }

    static func variant(_ id: String, _ make: @escaping @Sendable (String) -> GoogleError)
        -> RecordedAnswer
    {
        RecordedAnswer(id, sending, make("").rule.description, isStandard: false, .error(make))
    }

    /// A second answer for THIRD_PARTY_AUTH_ERROR, seen since 2026. It has the same message as the answer to missing
    /// credentials (observed).
    static let thirdParty2026 = GoogleError(
        401, GoogleError.credentialsMissing.message, [.fcmError("THIRD_PARTY_AUTH_ERROR")],
        rule: "fcm.THIRD_PARTY_AUTH_ERROR")

    static func tooBig(_ platform: String, _ details: [GoogleError.Detail] = []) -> GoogleError {
        GoogleError(
            400, "\(platform) message is too big", details + [.fcmError("INVALID_ARGUMENT")],
            rule: "fcm.too-large")
    }

    static func emptyAps(isPretty: Bool) -> [UInt8] {
        GoogleError.emptyAps.body(isFormat1: true, isPretty: isPretty)
    }

    static func unknown(_ names: [String], at field: String) -> GoogleError {
        .conversion(
            names.map { name in
                ProtoCheck.Violation(
                    field: field,
                    description:
                        "Invalid JSON payload received. Unknown name \"\(name)\" at '\(field)': Cannot find field."
                )
            })
    }

    static func invalid(_ field: String, _ text: String) -> GoogleError {
        .conversion([ProtoCheck.Violation(field: field, description: text)])
    }

    static func json(_ status: Int, _ text: String) -> Response {
        Response(status: status, contentType: "application/json; charset=UTF-8", text: text)
    }

    /// The text is quoted. The details are from related APIs.
    static func disabled(_ project: String) -> GoogleError {
        let url =
            "https://console.developers.google.com/apis/api/fcm.googleapis.com/overview?project=\(project)"
        return GoogleError(
            403,
            "Firebase Cloud Messaging API has not been used in project \(project) before or it is disabled. Enable it by visiting "
                + "\(url) then retry. If you enabled this API recently, wait a few minutes for the action to propagate to our systems "
                + "and retry.",
            [
                .help(description: "Google developers console API activation", url: url),
                .errorInfo(
                    reason: "SERVICE_DISABLED", domain: "googleapis.com",
                    metadata: [("consumer", "projects/\(project)"), ("service", "fcm.googleapis.com")]),
            ], rule: "fcm.no-permission")
    }

    /// The HTML page of a load balancer; its first and last sentences are quoted.
    static let page = GoogleNotFoundPage.page(
        502, "Server Error",
        "The server encountered a temporary error and could not complete your request.<p>Please try again in 30 seconds."
    )
}
