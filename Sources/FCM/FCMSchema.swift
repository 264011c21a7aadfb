/// FCM's messages and fields (facts/fcm.v1.json, revision 20261023, documented).
/// Decoding, paths and error texts follow from this table.
enum FCMSchema {
    enum Name: Int, Sendable, CaseIterable {
        case sendMessageRequest, message, notification, fcmOptions, androidConfig, androidNotification, lightSettings
        case color, androidFcmOptions, androidConfigV2, androidRemoteNotification, androidBackgroundSync
        case androidNotificationV2, apnsConfig, apnsFcmOptions, webpushConfig, webpushFcmOptions, topicSubscription
    }

    static subscript(name: Name) -> ProtoMessage { messages[name.rawValue] }

    private static let messages: [ProtoMessage] = Name.allCases.map { name in
        switch name {
        case .sendMessageRequest:
            ProtoMessage(
                name: "SendMessageRequest",
                fields: [ProtoField("message", .message(.message))] + bools(["validate_only"]))
        case .message:
            ProtoMessage(
                name: "Message",
                fields: [
                    ProtoField("data", .map), ProtoField("notification", .message(.notification)),
                    ProtoField("android", .message(.androidConfig)), ProtoField("android_v2", .message(.androidConfigV2)),
                    ProtoField("webpush", .message(.webpushConfig)), ProtoField("apns", .message(.apnsConfig)),
                    ProtoField("fcm_options", .message(.fcmOptions)),
                ] + strings(["token", "topic", "condition", "fid", "name"]),
                oneof: ("target", ["token", "topic", "condition", "fid"]))
        case .notification: ProtoMessage(name: "Notification", fields: strings(["title", "body", "image"]))
        case .fcmOptions: ProtoMessage(name: "FcmOptions", fields: strings(["analytics_label"]))
        case .androidConfig:
            ProtoMessage(
                name: "AndroidConfig",
                fields: android + [
                    ProtoField("priority", .enumeration(.priority)),
                    ProtoField("notification", .message(.androidNotification)),
                ])
        case .androidNotification:
            ProtoMessage(
                name: "AndroidNotification",
                fields: androidNotification(isSecond: false) + bools(["bypass_proxy_notification"]) + [
                    ProtoField("proxy", .enumeration(.proxy))
                ])
        case .lightSettings:
            ProtoMessage(
                name: "LightSettings",
                fields: [
                    ProtoField("color", .message(.color)), ProtoField("light_on_duration", .duration),
                    ProtoField("light_off_duration", .duration),
                ])
        case .color:
            ProtoMessage(name: "Color", fields: ["red", "green", "blue", "alpha"].map { ProtoField($0, .float) })
        case .androidFcmOptions: ProtoMessage(name: "AndroidFcmOptions", fields: strings(["analytics_label"]))
        case .androidConfigV2:
            ProtoMessage(
                name: "AndroidConfigV2",
                fields: android + [
                    ProtoField("remote_notification", .message(.androidRemoteNotification)),
                    ProtoField("background_sync", .message(.androidBackgroundSync)),
                ])
        case .androidRemoteNotification:
            ProtoMessage(
                name: "AndroidRemoteNotification",
                fields: bools(["mutable_content", "use_as_v1_data_message"]) + [
                    ProtoField("notification", .message(.androidNotificationV2))
                ])
        case .androidBackgroundSync: ProtoMessage(name: "AndroidBackgroundSyncMessage", fields: [])
        case .androidNotificationV2:
            ProtoMessage(
                name: "AndroidNotificationV2",
                fields: androidNotification(isSecond: true) + [ProtoField("id", .int32)])
        case .apnsConfig:
            ProtoMessage(
                name: "ApnsConfig",
                fields: [
                    ProtoField("headers", .map), ProtoField("payload", .structure),
                    ProtoField("fcm_options", .message(.apnsFcmOptions)),
                ] + strings(["live_activity_token"]))
        case .apnsFcmOptions: ProtoMessage(name: "ApnsFcmOptions", fields: strings(["analytics_label", "image"]))
        case .webpushConfig:
            ProtoMessage(
                name: "WebpushConfig",
                fields: [
                    ProtoField("headers", .map), ProtoField("data", .map), ProtoField("notification", .structure),
                    ProtoField("fcm_options", .message(.webpushFcmOptions)),
                ])
        case .webpushFcmOptions: ProtoMessage(name: "WebpushFcmOptions", fields: strings(["link", "analytics_label"]))
        case .topicSubscription: ProtoMessage(name: "TopicSubscription", fields: strings(["name", "topic_name"]))
        }
    }

    /// What both ways of sending to Android have.
    private static let android =
        [ProtoField("ttl", .duration), ProtoField("data", .map), ProtoField("fcm_options", .message(.androidFcmOptions))]
        + strings(["collapse_key", "restricted_package_name"])
        + bools(["direct_boot_ok", "bandwidth_constrained_ok", "restricted_satellite_ok"])

    private static func androidNotification(isSecond: Bool) -> [ProtoField] {
        strings([
            "title", "body", "icon", "color", "sound", "tag", "click_action", "body_loc_key", "title_loc_key",
            "channel_id", "ticker", "image",
        ]) + ["body_loc_args", "title_loc_args"].map { ProtoField($0, .string, isRepeated: true) }
            + bools(["sticky", "local_only", "default_sound", "default_vibrate_timings", "default_light_settings"]) + [
                ProtoField("event_time", .timestamp), ProtoField("notification_count", .int32),
                ProtoField("vibrate_timings", .duration, isRepeated: true),
                ProtoField("light_settings", .message(.lightSettings)),
                ProtoField("notification_priority", .enumeration(isSecond ? .notificationPriorityV2 : .notificationPriority)),
                ProtoField("visibility", .enumeration(isSecond ? .visibilityV2 : .visibility)),
            ]
    }

    private static func strings(_ names: [String]) -> [ProtoField] { names.map { ProtoField($0, .string) } }
    private static func bools(_ names: [String]) -> [ProtoField] { names.map { ProtoField($0, .bool) } }
}
