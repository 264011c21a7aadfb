/// The clock, checks, rules, counters and credentials.
extension SchemaBook {
    private static let keyMembers = [
        S.member("keyId", text, needed: true), S.member("teamId", text, needed: true), S.member("environment", text),
        S.member("topics", .list(text)), S.member("related", text),
    ]

    static let service: [(name: String, schema: Schema)] = [
        ("Clock", .object([S.member("now", .time, needed: true), S.member("frozen", .boolean, needed: true)])),
        (
            "Check",
            .object([
                S.member("outcome", .words(["accepted", "refused"]), needed: true),
                S.member("status", count, needed: true), S.member("reason", nullableText, needed: true),
                S.member("rule", text),
                S.member("message", text), S.member("findings", .list(.named("Finding")), needed: true),
            ])
        ),
        (
            "Rule",
            .object([
                S.member("id", text, needed: true), S.member("effect", text, needed: true),
                S.member(
                    "severity",
                    .object([S.member("strict", text, needed: true), S.member("service", text, needed: true)]),
                    needed: true), S.member("checks", text, needed: true),
                S.member("remedy", text, needed: true), S.member("evidence", text, needed: true),
                S.member("observed", text),
            ])
        ),
        (
            "Stats",
            .object(
                [
                    "accepted", "refused", "malformed", "messages", "events", "devices", "faults", "connections",
                    "waiting", "readers",
                ].map { S.member($0, count, needed: true) })
        ),
        ("APNsKey", .object(keyMembers)),
        (
            "Credentials",
            .object([
                S.member("directory", text, needed: true), S.member("ca", text, needed: true),
                S.member("apnsKeys", .list(.named("APNsKey")), needed: true),
                S.member("serviceAccounts", .list(text), needed: true),
            ])
        ),
    ]
}
