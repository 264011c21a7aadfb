internal import Devices
internal import PushCore

/// Devices, and what they show and report.
extension SchemaBook {
    static let devices: [(name: String, schema: Schema)] = [
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
    ]
}
