package import JSON
internal import PushCore

/// What an app gets of a message, on each platform (facts/fcm.md §5, facts/device.md §3.4).
package struct FCMPayload {
    private let message: ProtoView
    /// What differs from one delivery to the next: the message's name, when Google accepted it, and the installation.
    package var name = ""
    package var sentTime: Int64 = 0
    package var fid = ""
    /// A switch (facts/fcm.md §10): the service itself has not been seen to do it.
    private let addsMutableContent: Bool

    /// The number that stands for every project here.
    package static let senderID = "900000000000"

    /// Nil for a body that is no message.
    package init?(_ body: [UInt8], addsMutableContent: Bool = false) {
        guard let document = try? JSONDocument(parsing: body, dialect: .google),
            let message = ProtoCheck(document, as: .sendMessageRequest).view?.message(.message)
        else { return nil }
        self.message = message
        self.addsMutableContent = addsMutableContent
    }

    private var android: AndroidBlock { AndroidBlock(message) }
    private var apns: ProtoView? { message.message(.apns) }
    private var web: ProtoView? { message.message(.webpush) }
    private var common: ProtoView? { message.message(.notification) }

    private var from: String {
        message.string(.topic).map { $0.hasPrefix("/topics/") ? $0 : "/topics/\($0)" } ?? Self.senderID
    }
    private var isHigh: Bool {
        android.isHigh ?? (common != nil || android.shown != nil)
    }

    /// A platform's own data replaces the common one as a whole.
    private func data(_ platform: ProtoView?) -> [(key: String, value: String)] {
        let own = platform?.entries(.data) ?? []
        return own.isEmpty ? message.entries(.data) : own
    }

    // MARK: Android

    /// RemoteMessage's fields.
    package func writeAndroid(app: String, to json: inout JSONWriter) {
        let notice = AndroidNotice(own: android.shown, common: common)
        let ttl = android.config?.seconds(.ttl) ?? FCMTraits.longestTTL
        let priority = isHigh ? "high" : "normal"
        let key = notice == nil ? android.config?.string(.collapseKey) : app
        let data = data(android.config)
        json.object { json in
            json.member("from", from)
            json.member("messageId", name)
            if let key { json.member("collapseKey", key) }
            json.member("sentTime", sentTime)
            json.member("ttl", ttl)
            json.member("originalPriority", priority)
            json.member("priority", priority)
            json.key("data")
            write(data.filter { !Self.isHidden($0.key) }, to: &json)
            if let notice {
                json.key("notification")
                notice.writeFields(to: &json)
            }
            json.key("extras")
            json.object { json in
                for (name, value) in data where key == nil || name != "collapse_key" { json.member(name, value) }
                json.member("from", from)
                json.member("google.message_id", name)
                json.member("google.sent_time", sentTime)
                json.member("google.ttl", ttl)
                json.member("google.original_priority", priority)
                json.member("google.delivered_priority", priority)
                json.member("google.c.sender.id", Self.senderID)
                if let label = label(android.config) {
                    json.member("google.c.a.e", "1")
                    json.member("google.c.a.m_l", label)
                }
                if let key { json.member("collapse_key", key) }
                notice?.writeExtras(to: &json)
            }
        }
    }

    /// What `getData()` leaves out (facts/device.md §3.1, code).
    private static func isHidden(_ key: String) -> Bool {
        key.hasPrefix("google.") || key.hasPrefix("gcm.") || ["from", "message_type", "collapse_key"].contains(key)
    }

    /// A platform's own label before the common one.
    private func label(_ platform: ProtoView?) -> String? {
        platform?.message(.fcmOptions)?.string(.analyticsLabel)
            ?? message.message(.fcmOptions)?.string(.analyticsLabel)
    }

    // MARK: iOS

    /// The activity that the push is for, beside the device (facts/fcm.md §2.1, documented).
    package var liveActivityToken: String? { apns?.string(.liveActivityToken) }

    private static let ownKeys = [
        "aps", "gcm.message_id", "google.c.a.e", "google.c.a.m_l", "google.c.sender.id", "google.c.fid",
    ]

    /// `userInfo`: Apple's payload, the data beside it, and Google's own keys.
    package func writeApple(to json: inout JSONWriter) {
        let payload = apns?[.payload]
        let image = apns?.message(.fcmOptions)?.string(.image) ?? common?.string(.image)
        let label = label(apns)
        let addsMutable = addsMutableContent && image != nil && payload?["aps"]?["mutable-content"] == nil
        json.object { json in
            json.key("aps")
            writeAps(payload?["aps"], addsMutable, to: &json)
            for (key, value) in payload?.members.map({ ($0.key.string ?? "", $0.value) }) ?? []
            where !Self.ownKeys.contains(key) && (key != "fcm_options" || image == nil) {
                json.member(key, JSONValue(value))
            }
            // Apple's own block before the common data; Google's keys before both.
            for (key, value) in message.entries(.data)
            where payload?[key] == nil && !Self.ownKeys.contains(key) && (key != "fcm_options" || image == nil) {
                json.member(key, value)
            }
            json.member("gcm.message_id", name)
            json.member("google.c.a.e", "1")
            if let label { json.member("google.c.a.m_l", label) }
            json.member("google.c.sender.id", Self.senderID)
            json.member("google.c.fid", fid)
            if let image {
                json.key("fcm_options")
                json.object { $0.member("image", image) }
            }
        }
    }

    /// The common notification as an alert where Apple's block has none, with what that says beside it.
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

    // MARK: Web

    /// What a push event's data is.
    package func writeWeb(to json: inout JSONWriter) {
        let link = web?.message(.fcmOptions)?.string(.link)
        json.object { json in
            json.member("from", from)
            json.member("fcmMessageId", name)
            json.member("priority", isHigh ? "high" : "normal")
            if let topic = web?.entries(.headers).last(where: { $0.key.lowercased() == "topic" })?.value {
                json.member("collapse_key", topic)
            }
            if common != nil || web?.has(.notification) == true {
                json.key("notification")
                json.object { json in
                    let own = web?[.notification]
                    for field in [FCMField.title, .body, .image] {
                        if own?[field.camel] == nil, let text = common?.string(field) { json.member(field.camel, text) }
                    }
                    for (key, value) in own?.members.map({ ($0.key.string ?? "", $0.value) }) ?? [] {
                        json.member(key, JSONValue(value))
                    }
                    if let link, own?["click_action"] == nil { json.member("click_action", link) }
                }
            }
            json.key("data")
            write(data(web), to: &json)
            let label = label(web)
            if link != nil || label != nil {
                json.key("fcmOptions")
                json.object { json in
                    if let link { json.member("link", link) }
                    if let label { json.member("analytics_label", label) }
                }
            }
        }
    }

    private func write(_ entries: [(key: String, value: String)], to json: inout JSONWriter) {
        json.object { json in for (key, value) in entries { json.member(key, value) } }
    }
}
