internal import HTTPCore

/// All answers with an id. Those of one situation are next to each other.
extension RecordedAnswer {
    static let all: [RecordedAnswer] =
        [
            standard("no-target", .noTarget),
            standard("bad-token", .badToken),
            variant(
                "bad-token-short",
                GoogleError(
                    400, GoogleError.badToken.message, [.fcmError("INVALID_ARGUMENT")],
                    rule: "fcm.token-malformed")),
            variant("bad-token-2018", .badRegistration),
            variant("apns-dataonly-priority", .badRegistration, situation: "fcm.data-priority"),
            standard("bad-condition", .badCondition),
            standard("too-large", .tooLarge),
            variant("oversize-2018", GoogleError(400, GoogleError.badArgument, rule: "fcm.too-large")),
            variant("oversize-android", tooBig("Android")).only(for: .android),
            variant("oversize-android-2024", tooBig("Android", [.emptyBadRequest])).only(for: .android),
            variant("oversize-ios", tooBig("iOS")).only(for: .apple),
            standard("sender-mismatch", .senderMismatch),
            standard("aps-badge-type", .apsType("badge", "number", at: "message.apns.payload.aps.badge")),
            standard("aps-missing", .noAps),
            standard("aps-empty", .emptyAps),
            RecordedAnswer(
                "aps-empty-format1", sending, "fcm.aps-empty", isStandard: false,
                .response { GoogleAnswer.framed(400, emptyAps(isPretty: GoogleQuery($0).isPretty)) }),
            variant(
                "apns-token-not-for-topic", .invalidArgument.with(apns: 400, "DeviceTokenNotForTopic")),
            variant("apns-token-disabled", .refusedByApple(410, "Unregistered"), situation: "fcm.UNREGISTERED"),
            variant("unregistered-apns", .unregistered.with(apns: 410, "Unregistered")),
            variant("third-party-auth-apns", .thirdPartyAuth.with(apns: 403, "InvalidProviderToken")),
            variant("third-party-auth-env", .thirdPartyAuth.with(apns: 403, "BadEnvironmentKeyInToken")),
            variant("third-party-auth-2026", thirdParty2026),
            variant("third-party-auth-2026-apns", thirdParty2026.with(apns: 403, "InvalidProviderToken")),
            standard("quota-project", { .projectQuota($0) }),
            standard("quota-device", .deviceQuota),
            standard("topic-quota", .topicMessageQuota),
            standard("internal", .internalError),
            standard("unavailable", .unavailable),
            RecordedAnswer(
                "html-502", sending, "fcm.UNAVAILABLE", isStandard: false, .response { _ in page }),
            standard("auth-missing", .credentialsMissing),
            standard("auth-invalid", .credentialsInvalid),
            standard("auth-expired", .credentialsExpired),
            standard("scope-insufficient", .scopeInsufficient),
            standard("iam-denied", { .noPermission(sendPermission, $0) }),
            variant(
                "iam-denied-nodetails",
                {
                    GoogleError(
                        403, GoogleError.noPermission(sendPermission, $0).message, rule: "fcm.no-permission")
                }),
            variant("api-disabled", { disabled($0) }),
        ] + conversions + otherServices

    /// Errors of the conversion, as recorded for certain messages. The gateway's own answers name the fields and values
    /// of the message at hand.
    private static let conversions: [RecordedAnswer] = [
        standard("unknown-key", unknown(["key"], at: "message")),
        standard("unknown-tokens", unknown(["tokens"], at: "message")),
        standard("unknown-toen", unknown(["toen"], at: "message")),
        standard("unknown-link", unknown(["link"], at: "message.fcm_options")),
        standard("unknown-in-data-object", unknown(["content-available"], at: "message.data[0].value")),
        standard(
            "unknown-notification-multi",
            unknown(["icon", "badge", "tag", "clickAction"], at: "message.notification")),
        standard(
            "data-int-android",
            invalid(
                "message.android.data[2].value",
                "Invalid value at 'message.android.data[2].value' (TYPE_STRING), 1")),
        standard(
            "not-repeating",
            invalid(
                "message",
                "Invalid JSON payload received. Unknown name \"notification\" at 'message': Proto field is not repeating, "
                    + "cannot start list.")),
        standard(
            "oneof-target",
            invalid(
                "message",
                "Invalid value at 'message' (oneof), oneof field 'target' is already set. Cannot set 'topic'"
            )),
        standard(
            "ttl-no-s",
            invalid(
                "message.android.ttl",
                "Invalid value at 'message.android.ttl' (type.googleapis.com/google.protobuf.Duration), Field 'ttl', "
                    + "Illegal duration format; duration must end with 's'")),
    ]

    /// Answers on paths other than those of messages and topics.
    private static let otherServices: [RecordedAnswer] = [
        RecordedAnswer(
            "legacy-gone", [.legacySend], "fcm.legacy-gone", isStandard: true,
            .response { _ in GoogleNotFoundPage.deprecated }),
        RecordedAnswer(
            "batch-gone", [.removedBatch], "gateway.no-such-path", isStandard: true,
            .response { GoogleNotFoundPage.notFound($0) }),
        RecordedAnswer(
            "iid-invalid", [.instanceID], "iid.bad-token", isStandard: true,
            .response { _ in json(400, #"{"error":"InvalidToken"}"#) }),
        RecordedAnswer(
            "iid-batch-mixed", [.instanceID], "", isStandard: true,
            .response { _ in json(200, #"{"results":[{},{"error":"NOT_FOUND"}]}"#) }),
        RecordedAnswer(
            "oauth-window", [.token], "oauth.refused", isStandard: true,
            .response { _ in OAuth.windowRefusal }),
        RecordedAnswer(
            "connect-subscribe", [.connect], "fcm.connect", isStandard: true,
            .error { _ in .connectRefused }),
    ]
}
