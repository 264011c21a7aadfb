internal import JSON
internal import PushCore

/// What Google looks at behind the converter, in its order where that is known (facts/fcm.md §2.4, §4), and then what
/// `strict` refuses because no phone could use it.
struct FCMValidation {
    private(set) var findings: [Finding] = []
    private let message: ProtoView
    private let policy: FCMPolicy

    private static let longestTTL: Int64 = 2_419_200
    /// Octets of keys and values: documented for tokens; captured for topics, where more is taken.
    private static let tokenLimit = 4096
    private static let topicLimit = 4506

    init(_ message: ProtoView, _ policy: FCMPolicy) {
        self.message = message
        self.policy = policy
    }

    mutating func check() throws(GoogleError) -> FCMTarget {
        let target = try readTarget()
        let android = message.message("android", as: .androidConfig)
        let apns = message.message("apns", as: .apnsConfig)
        let web = message.message("webpush", as: .webpushConfig)
        if message["android"] != nil, message["android_v2"] != nil { throw .bothAndroids }
        try checkData(message, at: "message.data")
        if let android { try check(android: android, at: "message.android") }
        if let second = message.message("android_v2", as: .androidConfigV2) { try check(android: second, at: "message.android_v2") }
        if let apns { try check(apns: apns) }
        if let web { try check(web: web) }
        try checkLabels()
        let isSmall = target.isSingle || policy.choices.contains(.topicSize)
        if size > (isSmall ? Self.tokenLimit : Self.topicLimit) { throw .tooLarge }
        let lints = FCMLints(message)
        if lints.isSilentForApple, policy.choices.contains(.silentForApple) { throw .badRegistration }
        try checkMedia(apns)
        findings += lints.findings
        return target
    }

    private func readTarget() throws(GoogleError) -> FCMTarget {
        if let token = message.string("token") { return .token(token) }
        if let fid = message.string("fid") { return .fid(fid) }
        if var topic = message.string("topic") {
            if policy.choices.contains(.topicPrefix), topic.hasPrefix("/topics/") { topic = String(topic.dropFirst(8)) }
            guard FCMSyntax.isTopic(topic) else { throw .badTopic }
            return .topic(topic)
        }
        if let text = message.string("condition") {
            guard let condition = TopicCondition(text) else { throw .badCondition }
            return .condition(condition, text)
        }
        throw .noTarget
    }

    private func checkData(_ holder: ProtoView, at field: String) throws(GoogleError) {
        for (key, _) in holder.entries("data") {
            let isReserved = ["from", "message_type", "gcm"].contains(key) || key.hasPrefix("google")
                || key.hasPrefix("gcm.notification.")
            if isReserved { throw .reservedKey(key, at: field) }
        }
    }

    private func check(android: ProtoView, at field: String) throws(GoogleError) {
        try checkData(android, at: "\(field).data")
        if let seconds = android.seconds("ttl"), !(0...Self.longestTTL ~= seconds) {
            throw .value(at: "\(field).ttl", rule: "fcm.ttl")
        }
        guard field == "message.android", let shown = android.message("notification", as: .androidNotification) else { return }
        if let color = shown.string("color"), !FCMSyntax.isColor(color) {
            throw .value(at: "\(field).notification.color", rule: "fcm.color")
        }
        if let light = shown.message("light_settings", as: .lightSettings),
            light["color"] == nil || light["light_on_duration"] == nil || light["light_off_duration"] == nil
        {
            throw .value(at: "\(field).notification.light_settings", rule: "fcm.light-settings")
        }
    }

    private func check(web: ProtoView) throws(GoogleError) {
        try checkData(web, at: "message.webpush.data")
        for (key, value) in web.entries("headers") where key.lowercased() == "ttl" {
            guard let seconds = Int64(value), seconds >= 0 else { throw .badWebTTL }
        }
    }

    private func check(apns: ProtoView) throws(GoogleError) {
        guard let payload = apns["payload"] else { return }
        guard let aps = payload["aps"], aps.kind == .object else { throw .noAps }
        if aps.count == 0, !policy.choices.contains(.emptyAps) { throw .emptyAps }
        try APSTypes.check(aps, at: "message.apns.payload.aps")
    }

    private func checkLabels() throws(GoogleError) {
        let holders: [(String, FCMSchema.Name, FCMSchema.Name)] = [
            ("android", .androidConfig, .androidFcmOptions), ("apns", .apnsConfig, .apnsFcmOptions),
            ("webpush", .webpushConfig, .webpushFcmOptions),
        ]
        func check(_ holder: ProtoView?, _ options: FCMSchema.Name, _ field: String) throws(GoogleError) {
            let label = holder?.message("fcm_options", as: options)?.string("analytics_label")
            if let label, !FCMSyntax.isLabel(label) { throw .value(at: "\(field).fcm_options.analytics_label", rule: "fcm.analytics-label") }
        }
        try check(message, .fcmOptions, "message")
        for (name, type, options) in holders { try check(message.message(name, as: type), options, "message.\(name)") }
    }

    /// Keys and values of what is sent to one platform, the longest counting.
    private var size: Int {
        func count(_ holder: ProtoView?) -> Int {
            holder?.entries("data").reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count } ?? 0
        }
        let common = count(message)
        let shown = message["notification"].map { $0.members.reduce(0) { $0 + ($1.value.utf8?.count ?? 0) } } ?? 0
        let android = message.message("android", as: .androidConfig)
        let web = message.message("webpush", as: .webpushConfig)
        let platforms = [
            count(android) + (android?["notification"]?.source.count ?? 0),
            count(web) + (web?["notification"]?.source.count ?? 0),
            message.message("apns", as: .apnsConfig)?["payload"]?.source.count ?? 0,
        ]
        return shown + max(common, platforms.max() ?? 0)
    }

    /// The rules that the mission names (design: "Verdicts, findings, profiles"), for what goes to Apple.
    private mutating func checkMedia(_ apns: ProtoView?) throws(GoogleError) {
        let payload = apns?["payload"]
        let mutable = payload?["aps"]?["mutable-content"]
        if let mutable, ![0, 1].contains(mutable.exactInteger) {
            try note("aps.mutable-content-not-1", "message.apns.payload.aps.mutable-content", "'mutable-content' is \(mutable.shown), not the number 1")
        }
        let urls: [(String, JSONView?)] = [
            ("message.apns.fcm_options.image", apns?.message("fcm_options", as: .apnsFcmOptions)?["image"]),
            ("message.apns.payload.fcm_options.image", payload?["fcm_options"]?["image"]),
            ("message.apns.payload.media-attachment-url", payload?["media-attachment-url"]),
        ]
        for case (let field, let url?) in urls where !url.isNull {
            if mutable?.exactInteger != 1 {
                try note("media.needs-mutable-content", field, "A media URL needs 'mutable-content' 1 in 'aps'")
            }
            switch MediaURL.fault(of: url.string ?? "") {
            case nil: break
            case .notAbsolute: try note("media.not-an-absolute-url", field, "\(url.shown) is no absolute http or https URL")
            case .noExtension: try note("media.no-file-extension", field, "The path of \(url.shown) has no file extension")
            case .unknownExtension(let name):
                try note("media.unknown-file-extension", field, "'\(name.prefix(20))' is no type that an attachment takes")
            }
        }
    }

    private mutating func note(_ rule: String, _ field: String, _ sentence: String) throws(GoogleError) {
        let text = "\(sentence); Google answers 200, and the phone shows it without the attachment."
        if policy.isStrict { throw .argument(text, field, rule: rule) }
        let path = "/" + field.split(separator: ".").joined(separator: "/")
        findings.append(Finding(rule, .error, at: path, text))
    }
}

/// Whom a message is for.
package enum FCMTarget: Sendable {
    case token(String)
    case fid(String)
    case topic(String)
    case condition(TopicCondition, String)

    /// One installation of an app.
    var isSingle: Bool { single != nil }

    /// Its name, where it is one.
    package var topic: String? {
        if case .topic(let name) = self { return name }
        return nil
    }

    /// Its token or id.
    package var single: String? {
        switch self {
        case .token(let token), .fid(let token): token
        case .topic, .condition: nil
        }
    }
}

/// What Google checks of Apple's keys (facts/fcm.md §2.4: badge and title quoted, the others after them).
enum APSTypes {
    private static let numbers = ["badge", "content-available", "mutable-content", "relevance-score"]
    private static let strings = ["category", "thread-id"]
    private static let textsOrObjects = ["alert", "sound"]
    private static let alertStrings = [
        "title", "subtitle", "body", "title-loc-key", "subtitle-loc-key", "loc-key", "launch-image",
    ]

    static func check(_ aps: JSONView, at field: String) throws(GoogleError) {
        for key in numbers {
            // `true` and other numbers are the phone's own business.
            guard let value = aps[key], value.kind == .string || value.kind == .object || value.kind == .array else { continue }
            throw .apsType(key, "number", at: "\(field).\(key)")
        }
        for key in strings {
            if let value = aps[key], value.kind != .string { throw .apsType(key, "String", at: "\(field).\(key)") }
        }
        for key in textsOrObjects {
            if let value = aps[key], value.kind != .string, value.kind != .object { throw .value(at: "\(field).\(key)", rule: "fcm.aps-type") }
        }
        guard let alert = aps["alert"], alert.kind == .object else { return }
        for key in alertStrings {
            if let value = alert[key], value.kind != .string { throw .apsType(key, "String", at: "\(field).alert.\(key)") }
        }
    }
}
