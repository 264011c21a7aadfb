internal import PushCore
internal import PushEngine

/// Pushes, filters and verdicts.
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
        (
            "Match",
            .object(
                (MessageFilter.Field.allCases.map { field in
                    switch field {
                    case .provider: S.member(field.rawValue, .words(Provider.allCases.map(\.rawValue)))
                    case .outcome: S.member(field.rawValue, .words(["accepted", "refused"]))
                    case .status: S.member(field.rawValue, .anyOf([.integer(0...999), text]))
                    default: S.member(field.rawValue, text)
                    }
                } + [
                    S.member("since", .anyOf([.time, count])), S.member("until", .anyOf([.time, count])),
                    S.member("headers", .map(text), "Request headers."),
                    S.member("body", .map(.anything), "JSON pointers into the body, and the values they must have."),
                    S.member(
                        "bodyText", .map(text),
                        "Like body, but compares text: \"7\" matches the number 7 and the string \"7\"."),
                ]).map(S.notNull))
        ),
        (
            "Verdict",
            .object([
                S.member("met", .boolean, required: true), S.member("count", count, required: true),
                S.member("messages", .list(text), required: true, "The first 1,000 pushes that match, oldest first."),
                S.member("unlisted", count, "How many more pushes match."),
                S.member("why", text, "What was expected, and what was found instead."),
                S.member(
                    "nearest",
                    .list(
                        .object([
                            S.member("message", text, required: true),
                            S.member(
                                "differs",
                                .list(
                                    .object([
                                        S.member("at", text, required: true),
                                        S.member("expected", .anything, required: true),
                                        S.member("got", .anything, required: true),
                                    ])), required: true),
                        ]))),
            ])
        ),
    ]
}
