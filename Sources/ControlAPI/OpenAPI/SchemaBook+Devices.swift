internal import Devices
internal import PushCore

/// Devices, and what they show.
extension SchemaBook {
    /// The members of `tokens` that are device tokens of APNs.
    private static let appleTokens = ["apns"] + TokenKind.allCases.map(\.rawValue)
    private static let pushServices = PushService.allCases.map(\.rawValue)
    private static let chosenDigits = Schema.pattern("^([0-9a-fA-F]{2}){32,100}$")
    private static let chosenToken = Schema.object([
        S.member("token", chosenDigits),
        S.member("environment", text), S.member("topic", text),
    ])
    private static let appleToken = Schema.object([
        S.member("token", text, required: true), S.member("environment", text, required: true),
        S.member("topic", text, required: true),
    ])

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
                S.member("id", name), S.member("platform", .words(ControlAPI.platforms), required: true),
                S.member("app", name, required: true), S.member("name", name),
                S.member("project", name), S.member("environment", .words(PushEnvironment.allCases.map(\.rawValue))),
                S.member("locale", .text(1...64)),
                S.member("osVersion", name, "Accepted, but neither stored nor shown."),
                S.member("state", .named("StatePatch")),
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
                        S.member(
                            "imageKey", .text(1...256),
                            "Where your payload has the URL of the image: a key, or a JSON pointer."),
                    ])),
                S.member("categories", .list(category), "The app's notification categories (iOS)."),
                S.member("channels", .list(channel), "The app's notification channels (Android)."),
                S.member(
                    "texts", .map(.map(.text(0...1024))),
                    "Localized texts by language and key, for example {\"en\":{\"GREETING\":\"Hello %@\"}}."),
                S.member("appConfig", .named("AppConfig")),
                S.member(
                    "backgroundBudget", .integer(0...1000),
                    "The number of times per hour that background pushes may wake the app (iOS). Default: no limit."),
                S.member(
                    "reportsCalls", .boolean,
                    "Whether the app reports a call for each VoIP push (iOS). Default: true."),
                S.member(
                    "tokens",
                    .object(
                        appleTokens.map { S.member($0, chosenToken) } + [
                            S.member(
                                "fcm",
                                .object([
                                    S.member("token", .pattern("^[!-.0-~]{1,256}$")), S.member("fid", text),
                                    S.member("project", text), S.member("senderId", text),
                                ])),
                            S.member(
                                "liveActivity",
                                .object([
                                    S.member("start", chosenDigits), S.member("updates", .map(.anything)),
                                    S.member("topic", text),
                                ])),
                        ]),
                    "Tokens of your choice. Default: the gateway creates random ones."),
                S.member(
                    "subscription",
                    .object([
                        S.member("keys", .object([S.member("p256dh", text), S.member("auth", text)])),
                        S.member("applicationServerKey", text), S.member("pushService", .words(pushServices)),
                        S.member("endpoint", .anything), S.member("expirationTime", .anything),
                    ]),
                    "The push subscription of a browser (web). Default: the gateway makes the keys, and decrypts what is sent."
                ),
                S.member("count", .integer(1...10_000), "Create this many devices. A number is appended to each id."),
            ])
        ),
        (
            "Device",
            .object([
                S.member("id", text, required: true),
                S.member("platform", .words(ControlAPI.platforms), required: true),
                S.member("app", text, required: true), S.member("name", text, required: true),
                S.member(
                    "tokens",
                    .object(
                        appleTokens.map { S.member($0, appleToken) } + [
                            S.member(
                                "liveActivity",
                                .object([
                                    S.member("topic", text, required: true), S.member("start", text),
                                    S.member(
                                        "updates", .map(text), required: true, "The update tokens by attributes-type."),
                                ])),
                            S.member(
                                "fcm",
                                .object([
                                    S.member("token", text, required: true), S.member("fid", text, required: true),
                                    S.member("project", text), S.member("senderId", text, required: true),
                                ])),
                        ]), required: true),
                S.member("state", .named("StatePatch"), required: true), S.member("badge", number, required: true),
                S.member("shade", .list(.named("ShadeEntry")), required: true),
                S.member(
                    "tracking", .object([S.member("profile", .words(["none", "adobe"]), required: true)]),
                    required: true),
                S.member(
                    "subscription",
                    .object([
                        S.member("endpoint", text, required: true),
                        S.member(
                            "keys",
                            .object([S.member("p256dh", text, required: true), S.member("auth", text, required: true)]),
                            required: true),
                        S.member("applicationServerKey", text),
                        S.member("pushService", .words(pushServices), required: true),
                    ]), "The push subscription of a simulated browser."),
                S.member(
                    "receiver",
                    .object([S.member("client", text, required: true), S.member("endpoint", text, required: true)]),
                    "Only for a real browser or app: the program, and where senders send."),
                S.member("connected", .boolean, required: true),
                S.member("installed", .boolean, required: true, "Whether the app is installed."),
            ])
        ),
        (
            "ShadeEntry",
            .object([
                S.member("key", text, required: true), S.member("push", text, required: true),
                S.member("time", .time, required: true), S.member("title", text, required: true),
                S.member("subtitle", text, required: true), S.member("body", text, required: true),
                S.member("image", text),
                S.member("group", text), S.member("category", text), S.member("icon", text), S.member("color", text),
                S.member(
                    "actions",
                    .list(
                        .object([
                            S.member("id", text, required: true), S.member("title", text, required: true),
                            S.member("text", .boolean, "Whether the user can type a reply."),
                        ])),
                    required: true),
            ])
        ),
        (
            "Pending",
            .object([
                S.member("id", text, required: true), S.member("since", .time, required: true),
                S.member("expires", .nullable(.time), required: true),
                S.member("collapseId", nullableText, required: true),
            ])
        ),
        (
            "Act",
            .object([
                S.member(
                    "kind",
                    .words(["open", "dismiss", "action", "clearAll", "launch", "forceQuit", "uninstall", "install"]),
                    required: true),
                S.member("notification", text, "The key of a shade entry. Required for open, dismiss and action."),
                S.member("actionId", text), S.member("text", .text(0...4096)),
            ])
        ),
        (
            "Topic",
            .object([
                S.member("name", text, required: true), S.member("project", text),
                S.member("devices", count, required: true),
            ])
        ),
        (
            "Media",
            .object([
                S.member("url", text, required: true), S.member("contentType", text, required: true),
                S.member("status", count, required: true), S.member("size", count, required: true),
                S.member("delay", text, required: true),
            ])
        ),
    ]
}
