/// Faults and scenarios.
extension SchemaBook {
    private static let positiveCount = S.integer(1...1_000_000_000)
    private static let faultMembers = [
        S.member("match", .map(.anything), "The requests that the fault applies to. Default: all."),
        S.member("effect", .anything, needed: true, "What happens: one effect, or an array of effects."),
        S.member("times", positiveCount), S.member("nth", positiveCount), S.member("every", positiveCount),
        S.member("after", .integer(0...1_000_000_000)),
        S.member("per", .words(["gateway", "connection", "token"])), S.member("probability", .number(0...1)),
        S.member("seed", .integer(0...Int(UInt32.max))),
        S.member("for", .duration), S.member("idle", .duration),
    ]

    static let faults: [(name: String, schema: Schema)] = [
        ("FaultSpec", .object(faultMembers)),
        (
            "Fault",
            .object(
                [S.member("id", text, needed: true)] + faultMembers + [
                    S.member("seen", count, needed: true), S.member("fired", count, needed: true),
                    S.member("scenario", text),
                ])
        ),
        (
            "Scenario",
            .object([
                S.member("name", text, needed: true), S.member("meaning", text, needed: true),
                S.member("source", text, needed: true),
                S.member("faults", .list(.named("FaultSpec")), needed: true),
                S.member(
                    "set", .list(text), needed: true,
                    "The ids of the active faults of this scenario; empty if the scenario is not active."),
            ])
        ),
    ]
}
