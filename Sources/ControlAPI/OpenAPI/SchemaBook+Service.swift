internal import PushCore

/// The clock, checks, rules, counters and credentials.
extension SchemaBook {
    private static let keyMembers = [
        S.member("keyId", text, required: true), S.member("teamId", text, required: true),
        S.member("environment", text),
        S.member("topics", .list(text)),
        S.member("related", text, "The id of another key that counts as related (Apple's UnrelatedKeyIdInToken)."),
    ]

    static let service: [(name: String, schema: Schema)] = [
        ("Clock", .object([S.member("now", .time, required: true), S.member("frozen", .boolean, required: true)])),
        (
            "Check",
            .object([
                S.member("outcome", .words(["accepted", "refused"]), required: true),
                S.member("status", count, required: true), S.member("reason", nullableText, required: true),
                S.member("rule", text),
                S.member("message", text), S.member("remedy", text),
                S.member("answer", text, "The text in Google's answer, which may name the field."),
                S.member("findings", .list(.named("Finding")), required: true),
            ])
        ),
        (
            "Inspection",
            .object([
                S.member("kind", text, required: true, "A word such as provider-token or apns-device-token."),
                S.member("title", text, required: true, "The kind in words."),
                S.member("facts", .list(text), required: true, "Dates, ids and fingerprints, but no secrets."),
                S.member(
                    "problems",
                    .list(
                        .object([
                            S.member("severity", .words(Finding.Severity.allCases.map(\.rawValue)), required: true),
                            S.member("message", text, required: true), S.member("remedy", text, required: true),
                            S.member("rule", text, required: true),
                        ])), required: true),
                S.member(
                    "answers",
                    .list(
                        .object([
                            S.member("service", text, required: true), S.member("answer", text, required: true),
                            S.member(
                                "evidence", .words(["documented", "observed", "assumed", "ours"]), required: true),
                        ])), required: true, "What the real service would answer, and how that is known."),
            ])
        ),
        (
            "Rule",
            .object([
                S.member("id", text, required: true), S.member("effect", text, required: true),
                S.member(
                    "severity",
                    .object([S.member("strict", text, required: true), S.member("service", text, required: true)]),
                    required: true), S.member("checks", text, required: true),
                S.member("remedy", text, required: true), S.member("evidence", text, required: true),
                S.member("observed", text),
            ])
        ),
        (
            "Stats",
            .object(
                [
                    "accepted", "refused", "deleted", "malformed", "messages", "events", "devices", "faults",
                    "connections", "waiting", "readers", "forgotten",
                ].map { S.member($0, count, required: true) } + [
                    S.member(
                        "run", text, required: true,
                        "Identifies this run of the gateway. It changes at each start, unless the start restored the messages and events."
                    )
                ])
        ),
        ("APNsKey", .object(keyMembers)),
        (
            "Credentials",
            .object([
                S.member("directory", text, required: true), S.member("ca", text, required: true),
                S.member("apnsKeys", .list(.named("APNsKey")), required: true),
                S.member("serviceAccounts", .list(text), required: true), .next,
            ])
        ),
    ]
}
