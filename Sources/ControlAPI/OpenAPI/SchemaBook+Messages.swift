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
                        S.member("code", text, needed: true), S.member("message", text, needed: true),
                        S.member("pointer", text),
                    ]), needed: true)
            ])
        ),
        (
            "Finding",
            .object([
                S.member("rule", text, needed: true),
                S.member("severity", .words(Finding.Severity.allCases.map(\.rawValue)), needed: true),
                S.member("path", text, needed: true), S.member("message", text, needed: true),
            ])
        ),
        (
            "Message",
            .object([
                S.member("id", text, needed: true), S.member("seq", count, needed: true),
                S.member("time", .time, needed: true),
                S.member("provider", .words(Provider.allCases.map(\.rawValue)), needed: true),
                S.member("app", text, needed: true), S.member("project", text),
                S.member("environment", .words(PushEnvironment.allCases.map(\.rawValue)), needed: true),
                S.member(
                    "target", .object(["token", "fid", "topic", "condition", "channel"].map { S.member($0, text) }),
                    needed: true),
                S.member("devices", .list(text), needed: true), S.member("pushType", nullableText, needed: true),
                S.member("priority", nullableText, needed: true),
                S.member("expiration", nullableText, needed: true), S.member("collapseId", nullableText, needed: true),
                S.member("outcome", .words(["accepted", "refused"]), needed: true),
                S.member("status", count, needed: true), S.member("reason", nullableText, needed: true),
                S.member("why", text), S.member("findings", .list(.named("Finding")), needed: true),
                S.member(
                    "request",
                    .object([
                        S.member("method", text, needed: true), S.member("path", text, needed: true),
                        S.member("headers", .list(.list(text)), needed: true),
                        S.member(
                            "body", .anything, needed: true, "The parsed value if the body is JSON, otherwise a string."
                        ),
                    ]), needed: true),
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
                S.member("met", .boolean, needed: true), S.member("count", count, needed: true),
                S.member("messages", .list(text), needed: true),
                S.member(
                    "nearest",
                    .list(
                        .object([
                            S.member("message", text, needed: true),
                            S.member(
                                "differs",
                                .list(
                                    .object([
                                        S.member("at", text, needed: true),
                                        S.member("expected", .anything, needed: true),
                                        S.member("got", .anything, needed: true),
                                    ])), needed: true),
                        ]))),
            ])
        ),
    ]
}
