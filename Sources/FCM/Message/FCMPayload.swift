package import JSON
internal import PushCore

/// A message as an app receives it, on each platform (docs/evidence/fcm.md §5, docs/evidence/device.md §3.4).
package struct FCMPayload {
    let message: ProtoView
    // These three properties differ from one delivery to the next.
    package var name = ""
    /// When the gateway accepted the message.
    package var sentTime: Int64 = 0
    /// The id of the installation that gets it.
    package var fid = ""
    /// The choice `mutable-content=added`: whether the real service does this is unknown (docs/evidence/fcm.md §10).
    private let addsMutableContent: Bool

    /// The sender id; the gateway uses the same number for all projects.
    package static let senderID = "900000000000"

    /// Nil if the body is not a valid request for `messages:send`.
    package init?(_ body: [UInt8], addsMutableContent: Bool = false) {
        guard let document = try? JSONDocument(parsing: body, dialect: .google),
            let message = ProtoCheck(document, as: .sendMessageRequest).view?.message(.message)
        else { return nil }
        self.init(message, addsMutableContent: addsMutableContent)
    }

    init(_ message: ProtoView, addsMutableContent: Bool) {
        self.message = message
        self.addsMutableContent = addsMutableContent
    }

    var android: AndroidBlock { AndroidBlock(message) }
    private var apns: ProtoView? { message.message(.apns) }
    var web: ProtoView? { message.message(.webpush) }
    var common: ProtoView? { message.message(.notification) }

    var from: String {
        message.string(.topic).map { $0.hasPrefix("/topics/") ? $0 : "/topics/\($0)" } ?? Self.senderID
    }
    var isHighPriority: Bool {
        android.isHighPriority ?? (common != nil || android.notification != nil)
    }

    /// The data for a platform: its own data, if it has any, replaces all of the common data.
    func data(_ platform: ProtoView?) -> [(key: String, value: String)] {
        let specific = platform?.entries(.data) ?? []
        return specific.isEmpty ? message.entries(.data) : specific
    }

    /// The analytics label for a platform: its own if set, else the common one.
    func label(_ platform: ProtoView?) -> String? {
        platform?.message(.fcmOptions)?.string(.analyticsLabel)
            ?? message.message(.fcmOptions)?.string(.analyticsLabel)
    }

    /// The push token of the Live Activity to update, in addition to the device's token (docs/evidence/fcm.md §2.1,
    /// documented).
    package var liveActivityToken: String? { apns?.string(.liveActivityToken) }

    /// The fields of `apns.headers`, by name in lower case.
    package var appleHeaders: [String: String] {
        Dictionary((apns?.entries(.headers) ?? []).map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { $1 })
    }

    /// The payload for iPhones; nil if the message has no `apns.payload`.
    package var appleSpecific: [UInt8]? {
        guard apns?.has(.payload) == true else { return nil }
        var json = JSONWriter()
        writeApple(to: &json)
        return json.finish()
    }

    /// Keys that the gateway writes itself.
    private static let reservedKeys = [
        "aps", "gcm.message_id", "google.c.a.e", "google.c.a.m_l", "google.c.sender.id", "google.c.fid",
    ]

    /// Writes `userInfo` as an iOS app gets it: Apple's payload, the data next to `aps`, and Google's keys.
    package func writeApple(to json: inout JSONWriter) { _ = writeAppleLocatingFID(to: &json) }

    /// Writes what `writeApple(to:)` writes, and returns where the installation id is in the text, with its quotes. The
    /// rest of the text is the same for all iPhones.
    package func writeAppleLocatingFID(to json: inout JSONWriter) -> Range<Int> {
        let payload = apns?[.payload]
        let image = apns?.message(.fcmOptions)?.string(.image) ?? common?.string(.image)
        let label = label(apns)
        var place = 0..<0
        let addsMutable = addsMutableContent && image != nil && payload?["aps"]?["mutable-content"] == nil
        json.object { json in
            json.key("aps")
            writeAps(payload?["aps"], addsMutable, to: &json)
            for (key, value) in payload?.members.map({ ($0.key.string ?? "", $0.value) }) ?? []
            where !Self.reservedKeys.contains(key) && (key != "fcm_options" || image == nil) {
                json.member(key, JSONValue(value))
            }
            // If a key occurs more than once, the order of precedence is: Google's own keys, the `apns` payload, the
            // common data.
            for (key, value) in message.entries(.data)
            where payload?[key] == nil && !Self.reservedKeys.contains(key) && (key != "fcm_options" || image == nil) {
                json.member(key, value)
            }
            json.member("gcm.message_id", name)
            json.member("google.c.a.e", "1")
            if let label { json.member("google.c.a.m_l", label) }
            json.member("google.c.sender.id", Self.senderID)
            json.key("google.c.fid")
            let start = json.bytes.count
            json.string(fid)
            place = start..<json.bytes.count
            if let image {
                json.key("fcm_options")
                json.object { $0.member("image", image) }
            }
        }
        return place
    }

    /// Writes `aps`. The common notification becomes the alert, unless the `apns` payload has its own.
    private func writeAps(_ aps: JSONView?, _ addsMutable: Bool, to json: inout JSONWriter) {
        json.object { json in
            if let common, aps?["alert"] == nil {
                json.key("alert")
                json.object { json in
                    for field in [FCMField.title, .body] {
                        if let text = common.string(field) { json.member(field.camel, text) }
                    }
                }
            }
            for (key, value) in aps?.members.map({ ($0.key.string ?? "", $0.value) }) ?? [] {
                json.member(key, JSONValue(value))
            }
            if addsMutable { json.member("mutable-content", 1) }
        }
    }

    func write(_ entries: [(key: String, value: String)], to json: inout JSONWriter) {
        json.object { json in for (key, value) in entries { json.member(key, value) } }
    }
}
