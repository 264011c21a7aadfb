internal import JSON
internal import PushCore

/// What Google looks at behind the converter, in its order where that is known (facts/fcm.md §2.4, §4), and then what
/// `strict` refuses because no phone could use it.
struct FCMValidation {
    private(set) var findings: [Finding] = []
    private let message: ProtoView
    private let policy: FCMPolicy
    /// What no phone could use: rules and fields, as the last of the findings tell.
    private var media: [(rule: String, field: String)] = []

    /// Octets of keys and values: documented for tokens; captured for topics, where more is taken.
    private static let tokenLimit = 4096
    private static let topicLimit = 4506
    private static let aps = Array("aps".utf8)

    init(_ message: ProtoView, _ policy: FCMPolicy) {
        self.message = message
        self.policy = policy
    }

    mutating func check() throws(GoogleError) -> FCMTarget {
        let lints = FCMLints(message)
        findings = lints.findings
        let target = try readTarget()
        let android = message.message(.android)
        let apns = message.message(.apns)
        let web = message.message(.webpush)
        if message.has(.android), message.has(.androidV2) { throw .bothAndroids }
        try checkData(message, at: "message.data")
        if let android { try check(android: android, at: "message.android") }
        if let second = message.message(.androidV2) { try check(second: second, at: "message.android_v2") }
        if let apns { try check(apns: apns) }
        if let web { try check(web: web) }
        try checkLabels()
        let isSmall = target.isSingle || policy.choices.contains(.topicSize)
        if size > (isSmall ? Self.tokenLimit : Self.topicLimit) { throw .tooLarge }
        if lints.isSilentForApple, policy.choices.contains(.silentForApple) { throw .badRegistration }
        checkMedia(apns)
        try refuseMedia()
        return target
    }

    private func readTarget() throws(GoogleError) -> FCMTarget {
        if let token = message.string(.token) { return .token(token) }
        if let fid = message.string(.fid) { return .fid(fid) }
        if var topic = message.string(.topic) {
            if policy.choices.contains(.topicPrefix), topic.hasPrefix("/topics/") { topic = String(topic.dropFirst(8)) }
            guard FCMSyntax.isTopic(topic) else { throw .badTopic }
            return .topic(topic)
        }
        if let text = message.string(.condition) {
            guard let condition = TopicCondition(text) else { throw .badCondition }
            return .condition(condition, text)
        }
        throw .noTarget
    }

    private func checkData(_ holder: ProtoView, at field: String) throws(GoogleError) {
        guard holder.has(.data) else { return }
        for (key, _) in holder.entries(.data) {
            let isReserved = ["from", "message_type", "gcm"].contains(key) || key.hasPrefix("google")
                || key.hasPrefix("gcm.notification.")
            if isReserved { throw .reservedKey(key, at: field) }
        }
    }

    private func check(android: ProtoView, at field: String) throws(GoogleError) {
        try checkData(android, at: "\(field).data")
        if let ttl = duration(android, .ttl), ttl.isNegative || ttl.seconds > FCMTraits.longestTTL {
            throw .value(at: "\(field).ttl", rule: "fcm.ttl")
        }
        if let shown = android.message(.notification) { try check(shown: shown, at: "\(field).notification") }
    }

    /// The newer block: one of two kinds, and an image by HTTPS (documented).
    private func check(second: ProtoView, at field: String) throws(GoogleError) {
        try checkData(second, at: "\(field).data")
        if let ttl = duration(second, .ttl), ttl.isNegative || ttl.seconds > FCMTraits.longestTTL {
            throw .value(at: "\(field).ttl", rule: "fcm.ttl")
        }
        guard second.has(.remoteNotification) != second.has(.backgroundSync) else { throw .value(at: field, rule: "fcm.android-kind") }
        guard let shown = second.message(.remoteNotification)?.message(.notification) else { return }
        try check(shown: shown, at: "\(field).remote_notification.notification")
        if let image = shown.string(.image), !image.lowercased().hasPrefix("https://") {
            throw .value(at: "\(field).remote_notification.notification.image", rule: "fcm.image-https")
        }
    }

    private func check(shown: ProtoView, at field: String) throws(GoogleError) {
        if let color = shown.string(.color), !FCMSyntax.isColor(color) { throw .value(at: "\(field).color", rule: "fcm.color") }
        if let light = shown.message(.lightSettings), !light.has(.color) || !light.has(.lightOnDuration) || !light.has(.lightOffDuration) {
            throw .value(at: "\(field).light_settings", rule: "fcm.light-settings")
        }
        guard let timings = shown[.vibrateTimings] else { return }
        for timing in timings.kind == .array ? Array(timings.elements) : [timings] {
            if case .success(let time) = ProtoScalar.duration(timing), time.seconds < 0 || time.nanoseconds < 0 {
                throw .value(at: "\(field).vibrate_timings", rule: "fcm.vibrate-timings")
            }
        }
    }

    private func duration(_ holder: ProtoView, _ field: FCMField) -> (seconds: Int64, isNegative: Bool)? {
        guard let value = holder[field], case .success(let time) = ProtoScalar.duration(value) else { return nil }
        return (time.seconds, time.seconds < 0 || time.nanoseconds < 0)
    }

    private func check(web: ProtoView) throws(GoogleError) {
        try checkData(web, at: "message.webpush.data")
        for (key, value) in web.entries(.headers) where key.lowercased() == "ttl" {
            guard let seconds = Int64(value), seconds >= 0 else { throw .badWebTTL }
        }
    }

    private func check(apns: ProtoView) throws(GoogleError) {
        guard let payload = apns.place(.payload) else { return }
        let document = apns.document
        guard let aps = document.value(of: Self.aps, in: payload), document.kind(at: aps) == .object else { throw .noAps }
        if document.firstKey(in: aps) == nil, !policy.choices.contains(.emptyAps) { throw .emptyAps }
        try APSTypes.check(aps, document, at: "message.apns.payload.aps")
    }

    private func checkLabels() throws(GoogleError) {
        func check(_ holder: ProtoView?, _ field: String) throws(GoogleError) {
            guard let label = holder?.message(.fcmOptions)?.string(.analyticsLabel), !FCMSyntax.isLabel(label) else { return }
            throw .value(at: "\(field).fcm_options.analytics_label", rule: "fcm.analytics-label")
        }
        try check(message, "message")
        for field in [FCMField.android, .androidV2, .apns, .webpush] { try check(message.message(field), "message.\(field.snake)") }
    }

    /// Keys and values of what is sent to one platform, the longest counting.
    private var size: Int {
        func source(_ holder: ProtoView?, _ field: FCMField) -> Int { holder?[field]?.source.count ?? 0 }
        let shown = message.message(.notification).map { notification in
            [FCMField.title, .body, .image].reduce(0) { sum, field in
                sum + (notification.place(field).map(message.document.utf8Count) ?? 0)
            }
        }
        var longest = message.entriesSize(.data)
        for (field, inner) in [(FCMField.android, FCMField.notification), (.androidV2, .remoteNotification), (.webpush, .notification)] {
            guard let platform = message.message(field) else { continue }
            longest = max(longest, platform.entriesSize(.data) + source(platform, inner))
        }
        return (shown ?? 0) + max(longest, source(message.message(.apns), .payload))
    }

    /// The rules that the mission names (design: "Verdicts, findings, profiles"), for what goes to Apple.
    private mutating func checkMedia(_ apns: ProtoView?) {
        guard let apns else { return }
        let payload = apns[.payload]
        let mutable = payload?["aps"]?["mutable-content"]
        if let mutable, ![0, 1].contains(mutable.exactInteger) {
            note("aps.mutable-content-not-1", "message.apns.payload.aps.mutable-content", "'mutable-content' is \(mutable.shown), not the number 1", "the phone wakes no extension for it")
        }
        let urls: [(String, JSONView?)] = [
            ("message.apns.fcm_options.image", apns.message(.fcmOptions)?[.image]),
            ("message.apns.payload.fcm_options.image", payload?["fcm_options"]?["image"]),
            ("message.apns.payload.media-attachment-url", payload?["media-attachment-url"]),
        ]
        for case (let field, let url?) in urls where !url.isNull {
            if mutable?.exactInteger != 1 {
                note("media.needs-mutable-content", field, "A media URL needs 'mutable-content' 1 in 'aps'")
            }
            switch MediaURL.fault(of: url.string ?? "") {
            case nil: break
            case .notAbsolute: note("media.not-an-absolute-url", field, "\(url.shown) is no absolute http or https URL")
            case .noExtension: note("media.no-file-extension", field, "The path of \(url.shown) has no file extension")
            case .unknownExtension(let name):
                note("media.unknown-file-extension", field, "'\(name.prefix(20))' is no type that an attachment takes")
            }
        }
    }

    private mutating func note(
        _ rule: String, _ field: String, _ sentence: String, _ effect: String = "the phone shows it without the attachment"
    ) {
        let path = "/" + field.split(separator: ".").joined(separator: "/")
        media.append((rule, field))
        findings.append(Finding(rule, .error, at: path, "\(sentence); Google answers 200, and \(effect)."))
    }

    /// Everything that `strict` refuses, in one answer.
    private mutating func refuseMedia() throws(GoogleError) {
        guard policy.isStrict, let first = media.first else { return }
        let texts = findings.suffix(media.count).map(\.message)
        findings.removeLast(media.count)
        throw .media(zip(media, texts).map { GoogleError.Violation(field: $0.field, description: $1) }, rule: first.rule)
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
    private enum Shape { case number, string, stringOrObject }

    private static let keys = rows([
        .number: ["badge", "content-available", "mutable-content", "relevance-score"], .string: ["category", "thread-id"],
        .stringOrObject: ["alert", "sound"],
    ])
    private static let alertKeys = rows([
        .string: ["title", "subtitle", "body", "title-loc-key", "subtitle-loc-key", "loc-key", "launch-image"]
    ])
    private static let alert = Array("alert".utf8)

    static func check(_ aps: JSONPlace, _ document: JSONDocument, at field: String) throws(GoogleError) {
        try check(aps, keys, document, at: field)
        guard let alert = document.value(of: alert, in: aps), document.kind(at: alert) == .object else { return }
        try check(alert, alertKeys, document, at: "\(field).alert")
    }

    private static func check(
        _ object: JSONPlace, _ rows: [(key: [UInt8], shape: Shape)], _ document: JSONDocument, at field: String
    ) throws(GoogleError) {
        var key = document.firstKey(in: object)
        while let here = key {
            let kind = document.kind(at: document.value(ofKey: here))
            for row in rows where document.isString(row.key, at: here) && !isGood(kind, row.shape) {
                throw error(row.shape, document.view(at: here).string ?? "", field)
            }
            key = document.key(after: here, in: object)
        }
    }

    private static func isGood(_ kind: JSONKind, _ shape: Shape) -> Bool {
        switch shape {
        // Other numbers are the phone's own business.
        case .number: kind == .number || kind == .null
        case .string: kind == .string || kind == .null
        case .stringOrObject: kind == .string || kind == .object || kind == .null
        }
    }

    private static func error(_ shape: Shape, _ key: String, _ field: String) -> GoogleError {
        switch shape {
        case .number: .apsType(key, "number", at: "\(field).\(key)")
        case .string: .apsType(key, "String", at: "\(field).\(key)")
        case .stringOrObject: .value(at: "\(field).\(key)", rule: "fcm.aps-type")
        }
    }

    private static func rows(_ table: [Shape: [String]]) -> [(key: [UInt8], shape: Shape)] {
        table.flatMap { shape, keys in keys.map { (Array($0.utf8), shape) } }
    }
}
