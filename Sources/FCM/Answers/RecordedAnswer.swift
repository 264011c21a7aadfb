package import HTTPCore
internal import JSON

/// Answers that were recorded from the real service (Tests/Conformance/fixtures/fcm-errors.jsonl), by name.
///
/// If several answers were seen in the same situation, the gateway gives the newest; a fault can choose any of them.
package enum RecordedAnswer {
    package static var names: [String] { table.map(\.name) }

    /// Nil if there is no answer with this name.
    package static func response(_ name: String, to request: Request, project: String) -> Response? {
        if name == page.name { return page.response }
        guard let row = table.first(where: { $0.name == name }) else { return nil }
        return GoogleAnswer.response(row.error(project), to: request, GoogleQuery(request))
    }

    /// The answer for a status and an error code of FCM. If the code is one of Apple's reasons, this is the answer that
    /// Google gives with that status.
    ///
    /// - Parameter isForTopic: whether the request is about a topic, which has a quota of its own.
    package static func response(
        _ status: Int, _ code: String, to request: Request, isForTopic: Bool = false
    ) -> Response {
        let isAPNsReason = code.utf8.contains { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 }
        let quota = isForTopic ? GoogleError.topicMessageQuota : .deviceQuota
        let known = (errors + [quota]).first { $0.code == status && (isAPNsReason || $0.errorCode == code) }
        let error =
            known
            ?? GoogleError(status, "Request was answered \(code) by a fault.", [.fcmError(code)], rule: "fcm.fault")
        return GoogleAnswer.response(error, to: request, GoogleQuery(request))
    }

    private static let errors = [
        GoogleError.unregistered, .senderMismatch, .unavailable, .internalError, .thirdPartyAuth, .invalidArgument,
    ]

    /// The answer since 2026: it has the same message as the answer to missing credentials (observed).
    private static let thirdParty2026 = GoogleError(
        401, GoogleError.credentialsMissing.message, [.fcmError("THIRD_PARTY_AUTH_ERROR")],
        rule: "fcm.THIRD_PARTY_AUTH_ERROR")

    private static let table: [(name: String, error: @Sendable (String) -> GoogleError)] = [
        (
            "bad-token-short",
            { _ in
                GoogleError(
                    400, GoogleError.badToken.message, [.fcmError("INVALID_ARGUMENT")], rule: "fcm.token-malformed")
            }
        ),
        ("bad-token-2018", { _ in .badRegistration }),
        ("apns-dataonly-priority", { _ in .badRegistration }),
        ("oversize-2018", { _ in GoogleError(400, GoogleError.badArgument, rule: "fcm.too-large") }),
        ("oversize-android", { _ in tooBig("Android") }),
        ("oversize-ios", { _ in tooBig("iOS") }),
        ("third-party-auth-apns", { _ in .thirdPartyAuth.with(apns: 403, "InvalidProviderToken") }),
        ("third-party-auth-env", { _ in .thirdPartyAuth.with(apns: 403, "BadEnvironmentKeyInToken") }),
        ("third-party-auth-2026", { _ in thirdParty2026 }),
        ("third-party-auth-2026-apns", { _ in thirdParty2026.with(apns: 403, "InvalidProviderToken") }),
        ("unregistered-apns", { _ in .unregistered.with(apns: 410, "Unregistered") }),
        (
            "apns-token-disabled",
            { _ in
                GoogleError(
                    400, "APNs device token is disabled.",
                    [.fcmError("INVALID_ARGUMENT"), .apnsError(status: 410, reason: "Unregistered")],
                    rule: "fcm.INVALID_ARGUMENT")
            }
        ),
        ("apns-token-not-for-topic", { _ in .invalidArgument.with(apns: 400, "DeviceTokenNotForTopic") }),
        ("aps-empty", { _ in .emptyAps }),
        ("sender-mismatch", { _ in .senderMismatch }),
        ("quota-project", { .projectQuota($0) }),
        ("quota-device", { _ in .deviceQuota }),
        ("topic-quota", { _ in .topicMessageQuota }),
        ("internal", { _ in .internalError }),
        ("unavailable", { _ in .unavailable }),
        ("auth-missing", { _ in .credentialsMissing }),
        ("auth-invalid", { _ in .credentialsInvalid }),
        ("auth-expired", { _ in .credentialsExpired }),
        ("scope-insufficient", { _ in .scopeInsufficient }),
        ("iam-denied", { .noPermission("cloudmessaging.messages.create", $0) }),
        (
            "iam-denied-nodetails",
            {
                GoogleError(
                    403, GoogleError.noPermission("cloudmessaging.messages.create", $0).message,
                    rule: "fcm.no-permission")
            }
        ),
        ("api-disabled", { disabled($0) }),
        (page.name, { _ in .unavailable }),
    ]

    private static func tooBig(_ platform: String) -> GoogleError {
        GoogleError(400, "\(platform) message is too big", [.fcmError("INVALID_ARGUMENT")], rule: "fcm.too-large")
    }

    /// The text is quoted. The details are from related APIs.
    private static func disabled(_ project: String) -> GoogleError {
        let url = "https://console.developers.google.com/apis/api/fcm.googleapis.com/overview?project=\(project)"
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
    private static let page = (
        name: "html-502",
        response: GoogleNotFoundPage.page(
            502, "Server Error",
            "The server encountered a temporary error and could not complete your request.<p>Please try again in 30 seconds."
        )
    )
}
