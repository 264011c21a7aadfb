internal import JSON

/// The size of a message in bytes, as Google seems to count it (docs/evidence/fcm.md §4.1).
///
/// Of `data`, the keys and the values count. Of a notification, only the values count. For an iPhone, the text of
/// `apns.payload` counts in addition to the common data.
struct MessageSize {
    private let message: ProtoView

    /// The limit that was found by trying. Google's documentation and its error say 4,096.
    private static let observedLimit = 4506
    private static let documentedLimit = 4096

    static func check(_ message: ProtoView, for target: FCMTarget, _ policy: FCMPolicy) throws(GoogleError) {
        let isDocumented = policy.choices.contains(target.isSingle ? .tokenSize : .topicSize)
        let limit = isDocumented ? documentedLimit : observedLimit
        // A quick check that is enough for most messages: the counted size is at most three times the length of the
        // text, because each invalid byte is replaced by a character of three bytes.
        if message.document.bytes.count * 3 <= limit { return }
        let size = MessageSize(message: message).largest
        if size > limit { throw .tooLarge(size, limit: limit) }
    }

    /// The size for the platform with the largest size.
    private var largest: Int {
        let common = message.entriesSize(.data)
        var largest = common + commonSize { _ in false }
        for (platform, notification) in androidParts {
            let own = platform.entriesSize(.data)
            let values = notification.map { $0.place(.notification).map(valuesSize) ?? 0 } ?? 0
            let inherited = commonSize { notification?.message(.notification)?.has($0) == true }
            largest = max(largest, (own > 0 ? own : common) + values + inherited)
        }
        if let web = message.message(.webpush) {
            let (own, place) = (web.entriesSize(.data), web.place(.notification))
            let inherited = commonSize { field in place.map { hasMember(field.snake, $0) } ?? false }
            largest = max(largest, (own > 0 ? own : common) + (place.map(valuesSize) ?? 0) + inherited)
        }
        if let payload = message.message(.apns)?[.payload] {
            let hasAlert = payload["aps"]?["alert"]?.isNull == false
            largest = max(largest, common + payload.source.count + commonSize { hasAlert && $0 != .image })
        }
        return largest
    }

    /// The blocks for Android, each with the part of it that contains the notification.
    private var androidParts: [(platform: ProtoView, notification: ProtoView?)] {
        var parts: [(platform: ProtoView, notification: ProtoView?)] = []
        if let android = message.message(.android) { parts.append((android, android)) }
        if let android = message.message(.androidV2) { parts.append((android, android.message(.remoteNotification))) }
        return parts
    }

    /// The size of the common notification, without the fields that a platform's own notification overrides.
    private func commonSize(isOverridden: (FCMField) -> Bool) -> Int {
        guard let notification = message.message(.notification) else { return 0 }
        return [FCMField.title, .body, .image].reduce(0) { sum, field in
            isOverridden(field) ? sum : sum + (notification.place(field).map(message.document.utf8Count) ?? 0)
        }
    }

    private func hasMember(_ name: String, _ object: JSONPlace) -> Bool {
        message.document.value(of: Array(name.utf8), in: object) != nil
    }

    /// The total size of all values in a JSON value. `JSONLimits.maximumDepth` limits the recursion.
    private func valuesSize(_ place: JSONPlace) -> Int {
        let document = message.document
        switch document.kind(at: place) {
        case .null: return 0
        case .string: return document.utf8Count(at: place)
        case .bool, .number: return document.view(at: place).source.count
        case .array:
            return document.view(at: place).elements.reduce(0) { $0 + valuesSize(document.place(of: $1)) }
        case .object:
            return document.view(at: place).members.reduce(0) { $0 + valuesSize(document.place(of: $1.value)) }
        }
    }
}
