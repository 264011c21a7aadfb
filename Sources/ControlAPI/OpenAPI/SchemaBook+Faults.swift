internal import Faults
internal import PushCore

/// Faults and scenarios.
extension SchemaBook {
    private static let positiveCount = S.integer(1...1_000_000_000)
    private static let matchMembers = [
        S.member("provider", .words(Provider.allCases.map(\.rawValue))),
        S.member("app", text, "A bundle id, a package or a Firebase project."), S.member("token", text),
        S.member("topic", text), S.member("path", text, "The path of the request."), S.member("pushType", text),
        S.member("environment", .words(PushEnvironment.allCases.map(\.rawValue))),
        S.member("reason", text, "The reason that the answer would have without the fault, or 'accepted'."),
        S.member("headers", .map(text), "Request headers."),
        S.member("body", .map(.anything), "JSON pointers into the body, and the values they must have."),
    ]
    private static let faultMembers = [
        S.member("match", .object(matchMembers), "The requests that the fault applies to. Default: all."),
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
