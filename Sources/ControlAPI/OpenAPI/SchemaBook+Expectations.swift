internal import PushCore
internal import PushEngine

/// Filters and verdicts of `expect`.
extension SchemaBook {
    /// A text, or a part of it.
    private static let wanted = S.anyOf([text, .named("TextPart")])

    private static let filters: [S.Member] = MessageFilter.Field.allCases.map { field in
        let words: S =
            switch field {
            case .provider: .words(Provider.allCases.map(\.rawValue))
            case .outcome: .words(["accepted", "refused"])
            case .status: .anyOf([.integer(0...999), text])
            default: text
            }
        return S.member(field.rawValue, .anyOf([words, .named("TextPart")]))
    }

    static let expectations: [(name: String, schema: Schema)] = [
        (
            "TextPart",
            .choice([
                S.member("prefix", text, "What the text begins with."),
                S.member("regex", text, "A regular expression that a part of the text matches."),
            ])
        ),
        (
            "Match",
            .object(
                (filters + [
                    S.member("since", .anyOf([.time, count])), S.member("until", .anyOf([.time, count])),
                    S.member("headers", .map(wanted), "Request headers."),
                    S.member(
                        "body", .map(.anything),
                        "JSON pointers into the body, and the values they must have. A value {\"prefix\":…} or {\"regex\":…} matches a string that begins with it or matches it."
                    ),
                    S.member(
                        "bodyText", .map(wanted),
                        "Like body, but compares text: \"7\" matches the number 7 and the string \"7\"."),
                    S.member(
                        "event",
                        .object(
                            [
                                S.member(
                                    "kind", .anyOf([.words(Event.Kind.allCases.map(\.rawValue)), .named("TextPart")]),
                                    required: true),
                                S.member("device", wanted),
                                S.member("why", wanted, "The rule that explains the event."),
                                S.member("data", .map(.anything), "JSON pointers into the event's data, as in body."),
                                S.member("dataText", .map(wanted), "The same, as in bodyText."),
                            ].map(S.notNull)),
                        "Count events instead of pushes. The other filters apply to the push behind the event."),
                ]).map(S.notNull))
        ),
        (
            "Verdict",
            .object([
                S.member("met", .boolean, required: true), S.member("count", count, required: true),
                S.member(
                    "messages", .list(text), required: true,
                    "The first 1,000 pushes that match, oldest first, or the pushes behind the events."),
                S.member(
                    "events", .list(count),
                    "The numbers of the first 1,000 events that match. In a sequence, one for each filter that was matched."
                ),
                S.member("unlisted", count, "How many more match."),
                S.member("why", text, "What was expected, and what was found instead."),
                S.member("missing", count, "The index of the first filter of a sequence that nothing matches."),
                S.member("nearest", .list(nearest)),
            ])
        ),
    ]

    static let events: [(name: String, schema: Schema)] = [
        (
            "Event",
            .object([
                S.member("seq", count, required: true), S.member("time", .time, required: true),
                S.member("kind", .words(Event.Kind.allCases.map(\.rawValue)), required: true),
                S.member("app", text, required: true), S.member("device", text), S.member("push", text),
                S.member("why", text, "The rule that explains the event."),
                S.member("data", .map(.anything), required: true),
            ])
        ),
        (
            "DeviceReport",
            .object([
                S.member("device", text, required: true), S.member("name", text), S.member("platform", text),
                S.member("did", text, required: true, "What the device did, such as presented, or why not."),
                S.member("remedy", text, "What to do if the device shows nothing."),
                S.member("isTracking", .boolean, "Whether its app reports to Adobe."),
                S.member("isWorking", .boolean, "Its extension is still working, or it is loading an image."),
                S.member(
                    "missingImage",
                    .object([
                        S.member("rule", text, required: true), S.member("reason", text, required: true),
                        S.member("remedy", text),
                    ]), "Why the notification has no image, although the push names one."),
            ])
        ),
    ]

    private static let nearest = S.object([
        S.member("message", text), S.member("event", count), S.member("kind", text), S.member("device", text),
        S.member("why", text),
        S.member(
            "differs",
            .list(
                .object([
                    S.member("at", text, required: true), S.member("expected", .anything, required: true),
                    S.member("got", .anything, required: true),
                    S.member("note", text, "What explains the difference."),
                ])), required: true),
    ])
}
