internal import JSON
internal import PushCore

/// A check of a field's value that goes beyond its type (docs/evidence/fcm.md §2.4 to §2.6 and §4).
///
/// `FCMSchema` says which field has which check, and `FCMRules` says how each check is known.
enum FieldRule: Sendable {
    case label, color, ttl, nonNegative, https, unreservedKeys, completeLightSettings, exactlyOneKind, webPushHeaders
    case apsPayload

    /// A short description for docs/fcm-fields.md.
    var summary: String {
        switch self {
        case .label: "1 to 50 letters, digits and `-_.~%`"
        case .color: "`#rrggbb`"
        case .ttl: "0 to 2,419,200 s"
        case .nonNegative: "not negative"
        case .https: "an `https` URL"
        case .unreservedKeys: "without the keys `from`, `message_type`, `gcm`, `google…`, `gcm.notification.…`"
        case .completeLightSettings: "all three fields"
        case .exactlyOneKind: "exactly one of its two kinds"
        case .webPushHeaders: "`TTL` is a number of seconds"
        case .apsPayload: "has `aps`, whose keys have Apple's types"
        }
    }

    /// Throws if the field's value breaks the rule.
    func check(_ view: ProtoView, _ field: FCMField, _ policy: FCMPolicy, at path: () -> String) throws(GoogleError) {
        switch self {
        case .label:
            if !FCMSyntax.isLabel(view.string(field) ?? "") { throw invalid("fcm.analytics-label", view[field], path) }
        case .color: if !FCMSyntax.isColor(view.string(field) ?? "") { throw invalid("fcm.color", view[field], path) }
        case .https:
            guard view.string(field)?.lowercased().hasPrefix("https://") == true else {
                throw invalid("fcm.image-https", view[field], path)
            }
        case .ttl:
            for time in Self.durations(view[field]) where Self.isNegative(time) || time.seconds > FCMTraits.maximumTTL {
                throw invalid("fcm.ttl", view[field], path)
            }
        case .nonNegative:
            if Self.durations(view[field]).contains(where: Self.isNegative) {
                throw invalid("fcm.vibrate-timings", view[field], path)
            }
        case .unreservedKeys:
            for (key, _) in view.entries(field) where Self.isReserved(key) {
                let keys = view.entries(field).map(\.0).filter(Self.isReserved)
                throw GoogleError.reservedKey(key, at: path()).with(meaning: Self.reservedFault(keys, path()))
            }
        case .completeLightSettings:
            guard let light = view.message(field), light.has(.color), light.has(.lightOnDuration),
                light.has(.lightOffDuration)
            else {
                throw invalid("fcm.light-settings", view[field], path)
            }
        case .exactlyOneKind:
            guard let android = view.message(field), android.has(.remoteNotification) != android.has(.backgroundSync)
            else {
                throw invalid("fcm.android-kind", view[field], path)
            }
        case .webPushHeaders:
            for (key, value) in view.entries(field) where key.lowercased() == "ttl" {
                guard let seconds = Int64(value), seconds >= 0 else {
                    throw GoogleError.badWebTTL.with(meaning: "message.webpush.headers.\(key) is \(value.quoted).")
                }
            }
        case .apsPayload: try Self.checkAps(view, field, policy)
        }
    }

    /// The error about an invalid value for which Google's text is unknown.
    private func invalid(_ rule: String, _ value: JSONView?, _ path: () -> String) -> GoogleError {
        .value(at: path(), rule: rule, shown: value?.shown)
    }

    private static func reservedFault(_ keys: [String], _ path: String) -> String {
        "\(path) has the reserved \(keys.count == 1 ? "key" : "keys") "
            + keys.prefix(maximumKeys).map(\.quoted).joined(separator: ", ")
            + (keys.count > maximumKeys ? " and \(keys.count - maximumKeys) more" : "") + "."
    }

    private static let maximumKeys = 10

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

    /// The duration of a field, or all durations of a list.
    private static func durations(_ json: JSONView?) -> [(seconds: Int64, nanoseconds: Int64)] {
        guard let json else { return [] }
        return (json.kind == .array ? Array(json.elements) : [json]).compactMap { try? ProtoScalar.duration($0).get() }
    }

    private static func isNegative(_ time: (seconds: Int64, nanoseconds: Int64)) -> Bool {
        time.seconds < 0 || time.nanoseconds < 0
    }
}

extension ProtoView {
    /// Checks the rules of all fields that are set, including those of nested messages.
    func checkRules(_ policy: FCMPolicy, at path: [FCMField]) throws(GoogleError) {
        for row in fields where has(row.field) {
            try row.rule?.check(self, row.field, policy) { (path + [row.field]).map(\.snake).joined(separator: ".") }
            try message(row.field)?.checkRules(policy, at: path + [row.field])
        }
    }
}
