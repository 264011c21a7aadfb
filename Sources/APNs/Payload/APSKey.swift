internal import JSON

/// The documented keys of `aps` (docs/evidence/apns.md §5.2), with the type of each value.
struct APSKey {
    let name: String
    let shape: Shape
    let bytes: [UInt8]
    /// The key shows or plays something to the person who holds the phone.
    let isVisible: Bool
    /// The value is a time, in seconds since 1970.
    let isTime: Bool

    private init(name: String, shape: Shape) {
        self.name = name
        self.shape = shape
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
        APSKey(name: "alert", shape: .alert), APSKey(name: "badge", shape: .number),
        APSKey(name: "sound", shape: .alert), APSKey(name: "thread-id", shape: .string),
        APSKey(name: "category", shape: .string), APSKey(name: "content-available", shape: .zeroOrOne),
        APSKey(name: "target-content-id", shape: .string), APSKey(name: "interruption-level", shape: .string),
        APSKey(name: "relevance-score", shape: .number), APSKey(name: "filter-criteria", shape: .string),
        APSKey(name: "stale-date", shape: .number), APSKey(name: "content-state", shape: .object),
        APSKey(name: "timestamp", shape: .number), APSKey(name: "event", shape: .string),
        APSKey(name: "dismissal-date", shape: .number), APSKey(name: "attributes-type", shape: .string),
        APSKey(name: "attributes", shape: .object), APSKey(name: "input-push-token", shape: .zeroOrOne),
        APSKey(name: "input-push-channel", shape: .string), APSKey(name: "content-changed", shape: .bool),
        APSKey(name: "url-args", shape: .strings),
    ]

    /// The index in `table` of the key that wakes the app.
    static let contentAvailable = table.firstIndex { $0.name == "content-available" }

    /// The keys of an alert (docs/evidence/apns.md §5.3). In a Live Activity, the texts may be objects instead.
    static let alertTable: [APSKey] =
        [
            "title", "subtitle", "body", "launch-image", "title-loc-key", "subtitle-loc-key", "loc-key", "action",
        ].map { APSKey(name: $0, shape: .string) }
        + ["title-loc-args", "subtitle-loc-args", "loc-args"]
        .map { APSKey(name: $0, shape: .strings) }
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
