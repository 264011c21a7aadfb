internal import JSON

/// What a field's value has to be beyond its type (facts/fcm.md §2.4 to §2.6 and §4). The schema says which field has
/// which; the rules of the log say how each is known.
enum FieldRule: Sendable {
    case label, color, ttl, notNegative, https, freeKeys, wholeLight, oneKind, webHeaders, apsPayload

    /// For the page of fields.
    var shown: String {
        switch self {
        case .label: "1 to 50 of letters, digits and `-_.~%`"
        case .color: "`#rrggbb`"
        case .ttl: "0 to 2,419,200 s"
        case .notNegative: "none below 0"
        case .https: "by `https`"
        case .freeKeys: "no key `from`, `message_type`, `gcm`, `google…`, `gcm.notification.…`"
        case .wholeLight: "all three"
        case .oneKind: "one of its two kinds"
        case .webHeaders: "`TTL` a number of seconds"
        case .apsPayload: "with `aps`, its keys of Apple's types"
        }
    }

    /// Throws where the field's value breaks the rule.
    func check(_ view: ProtoView, _ field: FCMField, _ policy: FCMPolicy, at path: () -> String) throws(GoogleError) {
        switch self {
        case .label:
            if !FCMSyntax.isLabel(view.string(field) ?? "") { throw .value(at: path(), rule: "fcm.analytics-label") }
        case .color: if !FCMSyntax.isColor(view.string(field) ?? "") { throw .value(at: path(), rule: "fcm.color") }
        case .https:
            guard view.string(field)?.lowercased().hasPrefix("https://") == true else {
                throw .value(at: path(), rule: "fcm.image-https")
            }
        case .ttl:
            for time in Self.durations(view[field]) where Self.isNegative(time) || time.seconds > FCMTraits.longestTTL {
                throw .value(at: path(), rule: "fcm.ttl")
            }
        case .notNegative:
            if Self.durations(view[field]).contains(where: Self.isNegative) {
                throw .value(at: path(), rule: "fcm.vibrate-timings")
            }
        case .freeKeys:
            for (key, _) in view.entries(field) where Self.isReserved(key) { throw .reservedKey(key, at: path()) }
        case .wholeLight:
            guard let light = view.message(field), light.has(.color), light.has(.lightOnDuration),
                light.has(.lightOffDuration)
            else {
                throw .value(at: path(), rule: "fcm.light-settings")
            }
        case .oneKind:
            guard let second = view.message(field), second.has(.remoteNotification) != second.has(.backgroundSync)
            else {
                throw .value(at: path(), rule: "fcm.android-kind")
            }
        case .webHeaders:
            for (key, value) in view.entries(field) where key.lowercased() == "ttl" {
                guard let seconds = Int64(value), seconds >= 0 else { throw .badWebTTL }
            }
        case .apsPayload: try Self.checkAps(view, field, policy)
        }
    }

    private static let aps = Array("aps".utf8)

    private static func checkAps(_ view: ProtoView, _ field: FCMField, _ policy: FCMPolicy) throws(GoogleError) {
        let document = view.document
        guard let payload = view.place(field), let aps = document.value(of: aps, in: payload),
            document.kind(at: aps) == .object
        else {
            throw .noAps
        }
        if document.firstKey(in: aps) == nil, !policy.choices.contains(.emptyAps) { throw .emptyAps }
        try APSTypes.check(aps, document, at: "message.apns.payload.aps")
    }

    private static func isReserved(_ key: String) -> Bool {
        ["from", "message_type", "gcm"].contains(key) || key.hasPrefix("google") || key.hasPrefix("gcm.notification.")
    }

    /// One, or those of a list.
    private static func durations(_ json: JSONView?) -> [(seconds: Int64, nanoseconds: Int64)] {
        guard let json else { return [] }
        return (json.kind == .array ? Array(json.elements) : [json]).compactMap { try? ProtoScalar.duration($0).get() }
    }

    private static func isNegative(_ time: (seconds: Int64, nanoseconds: Int64)) -> Bool {
        time.seconds < 0 || time.nanoseconds < 0
    }
}

extension ProtoView {
    /// Tries each field that is set, and those within it, against its rule.
    func checkRules(_ policy: FCMPolicy, at path: [FCMField]) throws(GoogleError) {
        for row in rows where has(row.field) {
            try row.rule?.check(self, row.field, policy) { (path + [row.field]).map(\.snake).joined(separator: ".") }
            try message(row.field)?.checkRules(policy, at: path + [row.field])
        }
    }
}
