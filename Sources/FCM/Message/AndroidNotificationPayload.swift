internal import JSON
internal import PushCore

/// A notification as an Android app receives it: the fields of `RemoteMessage.Notification`, and the intent extras that
/// the SDK reads them from (docs/evidence/device.md §3.1 and §3.4; the keys are from the SDK's source, the numbers of
/// enumerations are inferred).
struct AndroidNotificationPayload {
    /// The notification of the `android` or `android_v2` block.
    private let specific: ProtoView?
    /// The notification that all platforms share.
    private let common: ProtoView?

    private enum Kind: Sendable {
        case text, flag, number, list, durations, time, priority, visibility, light, proxy, bypass
    }

    private struct Row: Sendable {
        let field: FCMField
        /// The name of the extra, without its prefix `gcm.n.`.
        let extra: String
        let kind: Kind
        /// The common notification has this field too.
        let isCommon: Bool

        init(_ field: FCMField, _ kind: Kind = .text, extra: String? = nil, isCommon: Bool = false) {
            self.field = field
            self.kind = kind
            self.extra = extra ?? field.snake
            self.isCommon = isCommon
        }
    }

    private static let rows = [
        Row(.title, isCommon: true), Row(.body, isCommon: true), Row(.image, isCommon: true), Row(.icon), Row(.tag),
        Row(.color),
        Row(.ticker), Row(.sound, extra: "sound2"), Row(.clickAction), Row(.channelId, extra: "android_channel_id"),
        Row(.titleLocKey), Row(.titleLocArgs, .list), Row(.bodyLocKey), Row(.bodyLocArgs, .list), Row(.sticky, .flag),
        Row(.localOnly, .flag), Row(.defaultSound, .flag), Row(.defaultVibrateTimings, .flag),
        Row(.defaultLightSettings, .flag),
        Row(.notificationCount, .number), Row(.notificationPriority, .priority), Row(.visibility, .visibility),
        Row(.vibrateTimings, .durations), Row(.lightSettings, .light), Row(.eventTime, .time),
        Row(.proxy, .proxy, extra: "dnp"), Row(.bypassProxyNotification, .bypass, extra: "dnp"),
        Row(.id, .number),
    ]

    /// Nil if the message shows nothing.
    init?(specific: ProtoView?, common: ProtoView?) {
        guard specific != nil || common != nil else { return nil }
        self.specific = specific
        self.common = common
    }

    func writeFields(to json: inout JSONWriter) {
        json.object { json in for (row, value) in values { json.member(row.field.camel, value) } }
    }

    /// Writes the extras; all their values are strings.
    func writeExtras(to json: inout JSONWriter) {
        json.member("gcm.n.e", "1")
        for (row, value) in values {
            if row.field == .sound { json.member("gcm.n.sound", "default") }
            let text: String
            switch value {
            case .string(let string): text = string
            case .bool(let isOn): text = isOn ? "1" : "0"
            default:
                var inner = JSONWriter()
                inner.value(value)
                text = String(decoding: inner.finish(), as: UTF8.self)
            }
            json.member("gcm.n.\(row.extra)", text)
        }
    }

    /// The fields that are set. A value in the Android block replaces the same value in the common notification.
    private var values: [(Row, JSONValue)] {
        Self.rows.compactMap { row in
            let inherited = row.isCommon ? common?.string(row.field).map(JSONValue.string) : nil
            let found = specific.flatMap { $0.knows(row.field) ? Self.value(row, $0) : nil }
            return (found ?? inherited).map { (row, $0) }
        }
    }

    private static func value(_ row: Row, _ notification: ProtoView) -> JSONValue? {
        if row.kind == .light { return notification.message(row.field).map(light) }
        guard let json = notification[row.field] else { return nil }
        switch row.kind {
        case .text: return json.string.map(JSONValue.string)
        case .flag: return ProtoScalar.bool(json).map(JSONValue.bool)
        case .number: return ProtoScalar.int32(json).map { .int(Int64($0)) }
        case .list: return .array(list(json).compactMap(\.string).map(JSONValue.string))
        case .durations: return .array(list(json).map { .int(milliseconds($0)) })
        case .time: return ProtoScalar.timestamp(json).map { .int($0.milliseconds) }
        case .priority:
            return ProtoScalar.enumeration(json, .notificationPriority).flatMap {
                [1: -2, 2: -1, 3: 0, 4: 1, 5: 2][$0]
            }.map(JSONValue.int)
        case .visibility:
            return ProtoScalar.enumeration(json, .visibility).flatMap { [1: 0, 2: 1, 3: -1][$0] }.map(JSONValue.int)
        case .light: return nil
        case .bypass: return ProtoScalar.bool(json) == true ? .bool(true) : nil
        case .proxy: return ProtoScalar.enumeration(json, .proxy) == 2 ? .bool(true) : nil
        }
    }

    /// The elements of a list; a single value counts as a list of one (docs/evidence/fcm.md §2.2, derived).
    private static func list(_ json: JSONView) -> [JSONView] { json.kind == .array ? Array(json.elements) : [json] }

    private static func milliseconds(_ json: JSONView?) -> Int64 {
        guard let json, case .success(let duration) = ProtoScalar.duration(json) else { return 0 }
        return duration.seconds * 1000 + duration.nanoseconds / 1_000_000
    }

    /// The light settings as the SDK expects them: `["#AARRGGBB", on, off]`, times in milliseconds.
    private static func light(_ settings: ProtoView) -> JSONValue {
        let color = settings.message(.color)
        func part(_ field: FCMField, default missing: Double) -> String {
            let value = color?[field].flatMap(ProtoScalar.float) ?? missing
            let level = Int((min(1, max(0, value)) * 255).rounded())
            return (level < 16 ? "0" : "") + String(level, radix: 16, uppercase: true)
        }
        let text =
            "#" + part(.alpha, default: 1) + part(.red, default: 0) + part(.green, default: 0) + part(.blue, default: 0)
        return [
            .string(text), .int(milliseconds(settings[.lightOnDuration])),
            .int(milliseconds(settings[.lightOffDuration])),
        ]
    }
}
