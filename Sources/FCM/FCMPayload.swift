package import JSON
internal import PushCore

/// What an app gets of a message, on each platform (facts/fcm.md §5, facts/device.md §3.4).
package struct FCMPayload {
    private let message: ProtoView
    private let name: String
    private let sentTime: Int64
    private let fid: String
    /// A switch (facts/fcm.md §10): the service itself has not been seen to do it.
    private let addsMutableContent: Bool

    /// The number that stands for every project here.
    package static let senderID = "900000000000"

    /// Nil for a body that is no message.
    package init?(_ body: [UInt8], name: String, sentTime: Int64, fid: String, addsMutableContent: Bool = false) {
        guard let root = try? JSONDocument(parsing: body, dialect: .google).root, root.kind == .object,
            let message = ProtoView(root, as: .sendMessageRequest).message("message", as: .message)
        else { return nil }
        self.message = message
        self.name = name
        self.sentTime = sentTime
        self.fid = fid
        self.addsMutableContent = addsMutableContent
    }

    private var android: AndroidBlock { AndroidBlock(message) }
    private var apns: ProtoView? { message.message("apns", as: .apnsConfig) }
    private var web: ProtoView? { message.message("webpush", as: .webpushConfig) }
    private var common: ProtoView? { message.message("notification", as: .notification) }

    private var from: String { message.string("topic").map { $0.hasPrefix("/topics/") ? $0 : "/topics/\($0)" } ?? Self.senderID }
    private var isHigh: Bool {
        android.isHigh ?? (common != nil || android.shown != nil)
    }

    /// A platform's own data replaces the common one as a whole.
    private func data(_ platform: ProtoView?) -> [(key: String, value: String)] {
        platform?["data"] != nil ? platform?.entries("data") ?? [] : message.entries("data")
    }

    // MARK: Android

    /// RemoteMessage's fields.
    package func writeAndroid(app: String, to json: inout JSONWriter) {
        let notice = AndroidNotice(own: android.shown, common: common)
        let ttl = android.config?.seconds("ttl") ?? 2_419_200
        let priority = isHigh ? "high" : "normal"
        let key = notice == nil ? android.config?.string("collapse_key") : app
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
            write(data, to: &json)
            if let notice {
                json.key("notification")
                notice.writeFields(to: &json)
            }
            json.key("extras")
            json.object { json in
                for (key, value) in data { json.member(key, value) }
                json.member("from", from)
                json.member("google.message_id", name)
                json.member("google.sent_time", sentTime)
                json.member("google.ttl", ttl)
                json.member("google.original_priority", priority)
                json.member("google.delivered_priority", priority)
                json.member("google.c.sender.id", Self.senderID)
                if let label = label(android.config, .androidFcmOptions) {
                    json.member("google.c.a.e", "1")
                    json.member("google.c.a.m_l", label)
                }
                if let key { json.member("collapse_key", key) }
                notice?.writeExtras(to: &json)
            }
        }
    }

    /// A platform's own label before the common one.
    private func label(_ platform: ProtoView?, _ options: FCMSchema.Name) -> String? {
        platform?.message("fcm_options", as: options)?.string("analytics_label")
            ?? message.message("fcm_options", as: .fcmOptions)?.string("analytics_label")
    }

    // MARK: iOS

    /// `userInfo`: Apple's payload, the data beside it, and Google's own keys.
    package func writeApple(to json: inout JSONWriter) {
        let payload = apns?["payload"]
        let image = apns?.message("fcm_options", as: .apnsFcmOptions)?.string("image") ?? common?.string("image")
        let label = label(apns, .apnsFcmOptions)
        let addsMutable = addsMutableContent && image != nil && payload?["aps"]?["mutable-content"] == nil
        json.object { json in
            json.key("aps")
            writeAps(payload?["aps"], addsMutable, to: &json)
            for (key, value) in payload?.members.map({ ($0.key.string ?? "", $0.value) }) ?? [] where key != "aps" {
                json.member(key, JSONValue(value))
            }
            for (key, value) in message.entries("data") { json.member(key, value) }
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
                    for name in ["title", "body"] { if let text = common.string(name) { json.member(name, text) } }
                }
            }
            for (key, value) in aps?.members.map({ ($0.key.string ?? "", $0.value) }) ?? [] { json.member(key, JSONValue(value)) }
            if addsMutable { json.member("mutable-content", 1) }
        }
    }

    // MARK: Web

    /// What a push event's data is.
    package func writeWeb(to json: inout JSONWriter) {
        let link = web?.message("fcm_options", as: .webpushFcmOptions)?.string("link")
        json.object { json in
            json.member("from", from)
            json.member("fcmMessageId", name)
            json.member("priority", isHigh ? "high" : "normal")
            if let key = android.config?.string("collapse_key") { json.member("collapse_key", key) }
            if common != nil || web?["notification"] != nil {
                json.key("notification")
                json.object { json in
                    let own = web?["notification"]
                    for name in ["title", "body", "image"] {
                        if own?[name] == nil, let text = common?.string(name) { json.member(name, text) }
                    }
                    for (key, value) in own?.members.map({ ($0.key.string ?? "", $0.value) }) ?? [] {
                        json.member(key, JSONValue(value))
                    }
                    if let link, own?["click_action"] == nil { json.member("click_action", link) }
                }
            }
            json.key("data")
            write(data(web), to: &json)
            let label = label(web, .webpushFcmOptions)
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
