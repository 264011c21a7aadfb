/// The apps on devices: their configuration, and what they report.
extension SchemaBook {
    private static let shortText = Schema.text(1...256)
    static let category = Schema.object([
        S.member("id", shortText, required: true),
        S.member("customDismissAction", .boolean, "Whether the app learns that a notification was dismissed."),
        S.member(
            "actions",
            .list(
                .object([
                    S.member("id", shortText, required: true), S.member("title", .text(0...256)),
                    S.member("foreground", .boolean, "Whether the action opens the app."),
                    S.member("text", .boolean, "Whether the user can type a reply."),
                ]))),
    ])
    static let channel = Schema.object([
        S.member("id", shortText, required: true),
        S.member("importance", .words(["none", "min", "low", "default", "high"])),
    ])

    static let apps: [(name: String, schema: Schema)] = [
        (
            "AppConfig",
            .object([
                S.member(
                    "entitlements", .list(.words(["critical", "timeSensitive"])),
                    "What may break through Focus (iOS). Default: both."),
                S.member(
                    "willPresent", .list(.words(["banner", "list", "sound", "badge"])),
                    "What the app returns for a push in the foreground (iOS). Default: banner, list and sound."),
                S.member("allowsHTTP", .boolean, "Whether the app may fetch media over http. Default: false."),
                S.member(
                    "sounds", .list(name),
                    "The sounds in the app's bundle (iOS). Default: every sound that a push names."),
                S.member("defaultChannel", name, "The channel of messages without a known channel (Android)."),
                S.member("icon", name, "The icon of messages without one (Android)."),
                S.member("color", .pattern("^#[0-9a-fA-F]{6}$"), "The colour of messages without one (Android)."),
                S.member(
                    "clickActions", .list(name),
                    "The actions that the app's activities accept (Android). Default: all."),
            ])
        ),
        (
            "Tracking",
            .object([
                S.member(
                    "hits",
                    .list(
                        .object([
                            S.member("time", .time, required: true), S.member("action", text, required: true),
                            S.member("broadlogId", text, required: true), S.member("deliveryId", text, required: true),
                            S.member("mcId", text, required: true), S.member("push", text),
                            S.member("flags", .list(text), required: true),
                        ])), required: true),
                S.member(
                    "pushes",
                    .list(
                        .object([
                            S.member("push", text, required: true), S.member("reported", .list(text), required: true),
                            S.member("expected", .list(text), required: true),
                            S.member("why", text, "Why the app has reported nothing."),
                        ])), required: true), .next,
            ])
        ),
    ]
}
