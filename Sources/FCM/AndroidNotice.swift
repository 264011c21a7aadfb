internal import JSON
internal import PushCore

/// What an Android app is told of a notification: `RemoteMessage.Notification`'s fields, and the extras they are read
/// from (facts/device.md §3.1 and §3.4; keys from code, numbers inferred).
struct AndroidNotice {
    /// Android's own block, by either API.
    private let own: ProtoView?
    private let common: ProtoView?

    private enum Kind: Sendable {
        case text, flag, number, list, durations, time, priority, visibility, light, proxy
    }

    private struct Row: Sendable {
        let field: String
        let camel: String
        /// Behind `gcm.n.`.
        let extra: String
        let kind: Kind
        /// The common notification has it too.
        let isCommon: Bool

        init(_ field: String, _ kind: Kind = .text, extra: String? = nil, isCommon: Bool = false) {
            self.field = field
            self.kind = kind
            self.extra = extra ?? field
            self.isCommon = isCommon
            camel = ProtoField(field, .string).camel
        }
    }

    private static let rows = [
        Row("title", isCommon: true), Row("body", isCommon: true), Row("image", isCommon: true), Row("icon"), Row("tag"), Row("color"),
        Row("ticker"), Row("sound", extra: "sound2"), Row("click_action"), Row("channel_id", extra: "android_channel_id"),
        Row("title_loc_key"), Row("title_loc_args", .list), Row("body_loc_key"), Row("body_loc_args", .list), Row("sticky", .flag),
        Row("local_only", .flag), Row("default_sound", .flag), Row("default_vibrate_timings", .flag), Row("default_light_settings", .flag),
        Row("notification_count", .number), Row("notification_priority", .priority), Row("visibility", .visibility),
        Row("vibrate_timings", .durations), Row("light_settings", .light), Row("event_time", .time), Row("proxy", .proxy, extra: "dnp"),
        Row("id", .number),
    ]

    /// Nil for a message that shows nothing.
    init?(own: ProtoView?, common: ProtoView?) {
        guard own != nil || common != nil else { return nil }
        self.own = own
        self.common = common
    }

    func writeFields(to json: inout JSONWriter) {
        json.object { json in for (row, value) in values { json.member(row.camel, value) } }
    }

    /// Extras are strings.
    func writeExtras(to json: inout JSONWriter) {
        json.member("gcm.n.e", "1")
        for (row, value) in values {
            if row.field == "sound" { json.member("gcm.n.sound", "default") }
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

    /// Field by field, Android's own before the common.
    private var values: [(Row, JSONValue)] {
        Self.rows.compactMap { row in
            let inherited = row.isCommon ? common?.string(row.field).map(JSONValue.string) : nil
            let found = own.flatMap { $0.has(row.field) ? Self.value(row.kind, $0[row.field]) : nil }
            return (found ?? inherited).map { (row, $0) }
        }
    }

    private static func value(_ kind: Kind, _ json: JSONView?) -> JSONValue? {
        guard let json else { return nil }
        switch kind {
        case .text: return json.string.map(JSONValue.string)
        case .flag: return ProtoScalar.bool(json).map(JSONValue.bool)
        case .number: return ProtoScalar.int32(json).map { .int(Int64($0)) }
        case .list: return .array(list(json).compactMap(\.string).map(JSONValue.string))
        case .durations: return .array(list(json).map { .int(milliseconds($0)) })
        case .time: return ProtoScalar.timestamp(json).map { .int($0.milliseconds) }
        case .priority: return ProtoScalar.enumeration(json, .notificationPriority).flatMap { $0 == 0 ? nil : .int(Int64($0 - 3)) }
        case .visibility: return ProtoScalar.enumeration(json, .visibility).flatMap { [1: 0, 2: 1, 3: -1][$0] }.map(JSONValue.int)
        case .light: return light(ProtoView(json, as: .lightSettings))
        case .proxy: return ProtoScalar.enumeration(json, .proxy) == 2 ? .bool(true) : nil
        }
    }

    /// A single value stands for a list of one (facts/fcm.md §2.2, derived).
    private static func list(_ json: JSONView) -> [JSONView] { json.kind == .array ? Array(json.elements) : [json] }

    private static func milliseconds(_ json: JSONView?) -> Int64 {
        guard let json, case .success(let duration) = ProtoScalar.duration(json) else { return 0 }
        return duration.seconds * 1000 + duration.nanoseconds / 1_000_000
    }

    /// `["#AARRGGBB", on, off]`.
    private static func light(_ settings: ProtoView) -> JSONValue {
        let color = settings.message("color", as: .color)
        func part(_ name: String, _ missing: Double) -> String {
            let value = color?[name].flatMap(ProtoScalar.float) ?? missing
            let octet = Int((min(1, max(0, value)) * 255).rounded())
            return (octet < 16 ? "0" : "") + String(octet, radix: 16, uppercase: true)
        }
        let text = "#" + part("alpha", 1) + part("red", 0) + part("green", 0) + part("blue", 0)
        return [.string(text), .int(milliseconds(settings["light_on_duration"])), .int(milliseconds(settings["light_off_duration"]))]
    }
}
