internal import Faults

/// Faults and scenarios.
extension SchemaBook {
    private static let positiveCount = S.integer(1...1_000_000_000)
    private static let faultMembers = [
        S.member("match", .map(.anything), "The requests that the fault applies to. Default: all."),
        S.member(
            "effect", .anyOf([.named("Effect"), .list(.named("Effect"))]), required: true,
            "What happens: one effect, or an array of effects."),
        S.member("times", positiveCount), S.member("nth", positiveCount), S.member("every", positiveCount),
        S.member("after", .integer(0...1_000_000_000)),
        S.member("per", .words(["gateway", "connection", "token"])), S.member("probability", .number(0...1)),
        S.member("seed", .integer(0...Int(UInt32.max))),
        S.member("for", .duration), S.member("idle", .duration),
    ]

    static let faults: [(name: String, schema: Schema)] = [
        ("Effect", .choice(effectMembers)),
        ("FaultSpec", .object(faultMembers)),
        (
            "Fault",
            .object(
                [S.member("id", text, required: true)] + faultMembers + [
                    S.member(
                        "state", .words(["active", "usedUp", "expired"]), required: true,
                        "Whether the fault can still apply. usedUp: 'times' or 'nth' is reached. expired: the time in 'for' is up."
                    ),
                    S.member("seen", count, required: true), S.member("fired", count, required: true),
                    S.member("scenario", text),
                ])
        ),
        (
            "Scenario",
            .object([
                S.member("name", text, required: true), S.member("meaning", text, required: true),
                S.member("source", text, required: true),
                S.member("faults", .list(.named("FaultSpec")), required: true),
                S.member(
                    "set", .list(text), required: true,
                    "The ids of this scenario's faults that have not been removed. Some may be used up or expired."),
            ])
        ),
    ]
}
