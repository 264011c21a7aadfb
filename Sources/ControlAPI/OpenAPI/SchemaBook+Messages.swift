internal import PushCore
internal import PushEngine

/// Problems, findings and messages.
extension SchemaBook {
    static let messages: [(name: String, schema: Schema)] = [
        (
            "Problem",
            .object([
                S.member(
                    "error",
                    .object([
                        S.member("code", text, required: true), S.member("message", text, required: true),
                        S.member("pointer", text),
                    ]), required: true)
            ])
        ),
        (
            "Finding",
            .object([
                S.member("rule", text, required: true),
                S.member("severity", .words(Finding.Severity.allCases.map(\.rawValue)), required: true),
                S.member("path", text, required: true), S.member("message", text, required: true),
            ])
        ),
        (
            "PayloadFields",
            .object([
                S.member(
                    "fields",
                    .list(
                        .object([
                            S.member(
                                "path", text, required: true,
                                "A JSON pointer; * stands for any key. Header fields of APNs are below /headers."),
                            S.member("type", .words(PayloadField.Kind.allCases.map(\.rawValue)), required: true),
                            S.member("values", .list(.anyOf([text, number])), "The known values."),
                            S.member("about", text, required: true),
                        ])), required: true)
            ])
        ),
        (
            "Message",
            .object([
                S.member("id", text, required: true), S.member("seq", count, required: true),
                S.member("time", .time, required: true),
                S.member("provider", .words(Provider.allCases.map(\.rawValue)), required: true),
                S.member("apnsId", text, "The apns-id in the answer, or the apns-request-id of a broadcast."),
                S.member("apnsUniqueId", text, "The apns-unique-id in the answer, which only the sandbox sends."),
                S.member("name", text, "The name in Google's answer: projects/PROJECT/messages/ID."),
                S.member("app", text, required: true), S.member("project", text),
                S.member("environment", .words(PushEnvironment.allCases.map(\.rawValue)), required: true),
                S.member(
                    "target", .object(["token", "fid", "topic", "condition", "channel"].map { S.member($0, text) }),
                    required: true),
                S.member("devices", .list(text), required: true), S.member("pushType", nullableText, required: true),
                S.member("priority", nullableText, required: true),
                S.member("expiration", nullableText, required: true),
                S.member("collapseId", nullableText, required: true),
                S.member("outcome", .words(["accepted", "refused"]), required: true),
                S.member("status", count, required: true), S.member("reason", nullableText, required: true),
                S.member("why", text), S.member("findings", .list(.named("Finding")), required: true),
                S.member(
                    "request",
                    .object([
                        S.member("method", text, required: true), S.member("path", text, required: true),
                        S.member("headers", .list(.list(text)), required: true),
                        S.member(
                            "body", .anything, required: true,
                            "The parsed value if the body is JSON, otherwise a string."
                        ),
                    ]), required: true),
            ])
        ),
    ]
}
