internal import Devices
internal import PushCore
internal import PushEngine

/// The schemas that several calls share, by name.
enum SchemaBook {
    typealias S = Schema

    private static let count = S.integer(0...Int.max)
    private static let number = S.integer(.min ... .max)
    private static let text = S.text()
    private static let nullableText = S.nullable(.text())

    static let all: [(name: String, schema: Schema)] = [
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
        (
            "StatePatch",
            .object(
                [
                    S.member("app", .words(DeviceState.AppState.allCases.map(\.rawValue))),
                    S.member("permission", .words(DeviceState.Permission.allCases.map(\.rawValue))),
                ]
                    + [
                        "online", "locked", "focus", "doze", "lowPower", "backgroundRefresh", "forceStopped",
                        "directBoot",
                    ].map { S.member($0, .boolean) } + [S.member("locale", .text(1...64))])
        ),
        (
            "DeviceSpec",
            .object([
                S.member("id", name), S.member("platform", .words(ControlAPI.platforms), needed: true),
                S.member("app", name, needed: true), S.member("name", name),
                S.member("project", name), S.member("environment", .words(PushEnvironment.allCases.map(\.rawValue))),
                S.member("locale", .text(1...64)),
                S.member("osVersion", name), S.member("state", .named("StatePatch")),
                S.member(
                    "tracking",
                    .object([
                        S.member("profile", .words(["none", "adobe"])), S.member("ecid", .text(0...256)),
                        S.member("privacy", .words(["optedin", "optedout", "unknown"])),
                    ])),
                S.member(
                    "extension",
                    .object([
                        S.member("script", .words(["none", "firebase", "adobe", "echo", "slow", "crash", "remote"])),
                        S.member("seconds", .integer(0...3600)), S.member("titleSuffix", .text(0...256)),
                    ])),
                S.member("categories", .list(.map(.anything))), S.member("channels", .list(.map(.anything))),
                S.member(
                    "texts", .map(.map(.text(0...1024))),
                    "Localized texts by language and key, for example {\"en\":{\"GREETING\":\"Hello %@\"}}."),
                S.member(
                    "backgroundBudget", .integer(0...1000),
                    "The number of times per hour that background pushes may wake the app (iOS). Default: no limit."),
                S.member(
                    "tokens",
                    .object([
                        S.member(
                            "apns",
                            .object([
                                S.member("token", .pattern("^([0-9a-fA-F]{2}){32,100}$")),
                                S.member("environment", .text(0...256)), S.member("topic", .text(0...256)),
                            ])),
                        S.member(
                            "fcm",
                            .object([
                                S.member("token", .pattern("^[!-.0-~]{1,256}$")), S.member("fid", .text(0...256)),
                                S.member("project", .text(0...256)), S.member("senderId", .text(0...256)),
                            ])),
                        S.member("liveActivity", .map(.anything)),
                    ]),
                    "Tokens of your choice. Default: the gateway creates random ones."),
                S.member("count", .integer(1...10_000), "Create this many devices. A number is appended to each id."),
            ])
        ),
        (
            "Device",
            .object([
                S.member("id", text, needed: true), S.member("platform", .words(ControlAPI.platforms), needed: true),
                S.member("app", text, needed: true), S.member("name", text, needed: true),
                S.member(
                    "tokens",
                    .object([
                        S.member(
                            "apns",
                            .object([
                                S.member("token", text, needed: true), S.member("environment", text, needed: true),
                                S.member("topic", text, needed: true),
                            ])),
                        S.member(
                            "liveActivity",
                            .object([
                                S.member("topic", text, needed: true), S.member("start", text),
                                S.member("updates", .map(text), needed: true, "The update tokens by attributes-type."),
                            ])),
                        S.member(
                            "fcm",
                            .object([
                                S.member("token", text, needed: true), S.member("fid", text, needed: true),
                                S.member("project", text), S.member("senderId", text, needed: true),
                            ])),
                    ]), needed: true),
                S.member("state", .named("StatePatch"), needed: true), S.member("badge", number, needed: true),
                S.member("shade", .list(.named("ShadeEntry")), needed: true),
                S.member("connected", .boolean, needed: true),
                S.member("installed", .boolean, needed: true, "Whether the app is installed."),
            ])
        ),
        (
            "ShadeEntry",
            .object([
                S.member("key", text, needed: true), S.member("push", text, needed: true),
                S.member("time", .time, needed: true), S.member("title", text, needed: true),
                S.member("subtitle", text, needed: true), S.member("body", text, needed: true), S.member("image", text),
                S.member("group", text), S.member("category", text),
                S.member(
                    "actions",
                    .list(.object([S.member("id", text, needed: true), S.member("title", text, needed: true)])),
                    needed: true),
            ])
        ),
        (
            "Pending",
            .object([
                S.member("id", text, needed: true), S.member("since", .time, needed: true),
                S.member("expires", .nullable(.time), needed: true), S.member("collapseId", nullableText, needed: true),
            ])
        ),
        (
            "Act",
            .object([
                S.member(
                    "kind",
                    .words(["open", "dismiss", "action", "clearAll", "launch", "forceQuit", "uninstall", "install"]),
                    needed: true),
                S.member("notification", text, "The key of a shade entry. Required for open, dismiss and action."),
                S.member("actionId", text), S.member("text", .text(0...4096)),
            ])
        ),
        (
            "Topic",
            .object([
                S.member("name", text, needed: true), S.member("project", text),
                S.member("devices", count, needed: true),
            ])
        ),
        (
            "Media",
            .object([
                S.member("url", text, needed: true), S.member("contentType", text, needed: true),
                S.member("status", count, needed: true), S.member("size", count, needed: true),
                S.member("delay", text, needed: true),
            ])
        ),
        (
            "Tracking",
            .object([
                S.member(
                    "hits",
                    .list(
                        .object([
                            S.member("time", .time, needed: true), S.member("action", text, needed: true),
                            S.member("broadlogId", text, needed: true), S.member("deliveryId", text, needed: true),
                            S.member("mcId", text, needed: true), S.member("push", text),
                            S.member("flags", .list(text), needed: true),
                        ])), needed: true),
                S.member(
                    "pushes",
                    .list(
                        .object([
                            S.member("push", text, needed: true), S.member("reported", .list(text), needed: true),
                            S.member("expected", .list(text), needed: true), S.member("why", text),
                        ])), needed: true),
            ])
        ),
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
                    "The ids of its faults if the scenario is active, otherwise empty."),
            ])
        ),
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

    private static let name = S.text(1...256)
    private static let keyMembers = [
        S.member("keyId", text, needed: true), S.member("teamId", text, needed: true), S.member("environment", text),
        S.member("topics", .list(text)), S.member("related", text),
    ]
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
}
