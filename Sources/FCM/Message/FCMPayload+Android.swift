package import JSON

extension FCMPayload {
    /// Writes the fields of Android's `RemoteMessage`.
    package func writeAndroid(app: String, to json: inout JSONWriter) {
        let notification = AndroidNotificationPayload(specific: android.notification, common: common)
        let ttl = android.config?.seconds(.ttl) ?? FCMTraits.maximumTTL
        let priority = isHighPriority ? "high" : "normal"
        let collapseKey = notification == nil ? android.config?.string(.collapseKey) : app
        let data = data(android.config)
        json.object { json in
            json.member("from", from)
            json.member("messageId", name)
            if let collapseKey { json.member("collapseKey", collapseKey) }
            json.member("sentTime", sentTime)
            json.member("ttl", ttl)
            json.member("originalPriority", priority)
            json.member("priority", priority)
            json.key("data")
            write(data.filter { !Self.isHidden($0.key) }, to: &json)
            if let notification {
                json.key("notification")
                notification.writeFields(to: &json)
            }
            json.key("extras")
            json.object { json in
                for (name, value) in data where collapseKey == nil || name != "collapse_key" {
                    json.member(name, value)
                }
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
                if let collapseKey { json.member("collapse_key", collapseKey) }
                notification?.writeExtras(to: &json)
            }
        }
    }

    /// Whether `RemoteMessage.getData()` leaves the key out (docs/evidence/device.md §3.1, from the SDK's source).
    private static func isHidden(_ key: String) -> Bool {
        key.hasPrefix("google.") || key.hasPrefix("gcm.") || ["from", "message_type", "collapse_key"].contains(key)
    }
}
