internal import JSON

/// The documented keys of `aps` (docs/evidence/apns.md §5.2), with the type of each value.
struct APSKey {
    let name: String
    let shape: Shape
    /// What the key does, in one sentence.
    let about: StaticString
    let values: Values
    let bytes: [UInt8]
    /// The key shows or plays something to the person who holds the phone.
    let isVisible: Bool
    /// The value is a time, in seconds since 1970.
    let isTime: Bool

    private init(_ name: String, _ shape: Shape, values: Values = .any, _ about: StaticString) {
        self.name = name
        self.shape = shape
        self.about = about
        self.values = values
        bytes = Array(name.utf8)
        isVisible = ["alert", "badge", "sound"].contains(name)
        isTime = ["timestamp", "stale-date", "dismissal-date"].contains(name)
    }

    enum Shape: String {
        case alert = "a string or an object"
        case number = "a number"
        case zeroOrOne = "the number 0 or 1"
        case string = "a string"
        case object = "an object"
        case strings = "an array of strings"
        case bool = "true or false"
    }

    static let table: [APSKey] = [
        APSKey("alert", .alert, "The text that the phone shows: an object with title and body, or only the body."),
        APSKey("badge", .number, "The number on the app's icon; 0 removes it."),
        APSKey(
            "sound", .alert, "The name of a sound in the app's bundle, or 'default'; an object for a critical alert."),
        APSKey("thread-id", .string, "Notifications with the same id are shown as one group."),
        APSKey("category", .string, "The id of a category of the app, which gives the notification its buttons."),
        APSKey(
            "content-available", .zeroOrOne, "1 wakes the app in the background. Use it with the push type background."),
        APSKey("target-content-id", .string, "The id of the window that the app brings forward."),
        APSKey("interruption-level", .string, values: .levels, "How much the notification may disturb."),
        APSKey(
            "relevance-score", .number, "0 to 1: which notification leads the summary. In a Live Activity, any number."),
        APSKey("filter-criteria", .string, "Decides whether a Focus of the app shows the notification."),
        APSKey("stale-date", .number, "When a Live Activity becomes out of date, in seconds since 1970."),
        APSKey("content-state", .object, "The new content of a Live Activity."),
        APSKey(
            "timestamp", .number,
            "When the content of a Live Activity was made, in seconds since 1970. The newest one wins."),
        APSKey("event", .string, values: .events, "What happens to a Live Activity."),
        APSKey("dismissal-date", .number, "When an ended Live Activity disappears, in seconds since 1970."),
        APSKey("attributes-type", .string, "The type of the Live Activity that is started."),
        APSKey("attributes", .object, "The fixed content of the Live Activity that is started."),
        APSKey("input-push-token", .zeroOrOne, "1 gives the Live Activity that is started a push token."),
        APSKey("input-push-channel", .string, "The id of the broadcast channel that the Live Activity listens to."),
        APSKey("content-changed", .bool, "true makes the app's widgets load their content again."),
        APSKey("url-args", .strings, "The parts of a Safari notification's URL that vary."),
    ]

    /// It is checked separately, because its value never refuses a push.
    static let mutableContent = APSKey(
        "mutable-content", .zeroOrOne,
        "1 lets the app's service extension change the notification, for example add an image.")

    /// The strings that a key may have.
    enum Values {
        case any, levels, events

        var words: [String] {
            switch self {
            case .any: []
            case .levels: APSKey.levels
            case .events: ["start", "update", "end"]
            }
        }
    }

    static let levels = ["passive", "active", "time-sensitive", "critical"]

    /// The index in `table` of the key that wakes the app.
    static let contentAvailable = table.firstIndex { $0.name == "content-available" }

    /// The keys of an alert (docs/evidence/apns.md §5.3). In a Live Activity, the texts may be objects instead.
    static let alertTable: [APSKey] = [
        APSKey("title", .string, "The title."), APSKey("subtitle", .string, "The line below the title."),
        APSKey("body", .string, "The text."),
        APSKey("launch-image", .string, "The name of the image that is shown while the app starts."),
        APSKey("title-loc-key", .string, "The key of a localized title in the app's bundle."),
        APSKey("subtitle-loc-key", .string, "The key of a localized subtitle in the app's bundle."),
        APSKey("loc-key", .string, "The key of a localized text in the app's bundle."),
        APSKey("action", .string, "The text of the button of a Safari notification."),
        APSKey("title-loc-args", .strings, "What replaces %@ in the localized title."),
        APSKey("subtitle-loc-args", .strings, "What replaces %@ in the localized subtitle."),
        APSKey("loc-args", .strings, "What replaces %@ in the localized text."),
    ]

    /// The keys of a sound that is an object.
    static let soundTable: [APSKey] = [
        APSKey("critical", .zeroOrOne, "1 for a critical alert, which sounds even if the phone is muted."),
        APSKey("name", .string, "The name of a sound in the app's bundle, or 'default'."),
        APSKey("volume", .number, "The volume of a critical alert, from 0 to 1."),
    ]
}

extension APSKey.Shape {
    /// Whether a value has this shape. The JSON kind decides nearly every case, without the cost of a view.
    func allows(_ place: JSONPlace, of document: JSONDocument) -> Bool {
        let kind = document.kind(at: place)
        switch self {
        case .alert: return kind == .string || kind == .object
        case .number: return kind == .number
        case .zeroOrOne: return 0...1 ~= document.view(at: place).exactInteger ?? -1
        case .string: return kind == .string
        case .object: return kind == .object
        case .strings: return kind == .array && document.view(at: place).elements.allSatisfy { $0.kind == .string }
        case .bool: return kind == .bool
        }
    }
}
