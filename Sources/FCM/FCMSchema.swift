/// FCM's messages and fields (facts/fcm.v1.json, revision 20261023, documented).
/// Decoding, paths, error texts, what values have to be, and docs/fcm-fields.md follow from this table.
package enum FCMSchema {
    enum Name: Int, Sendable, CaseIterable {
        case sendMessageRequest, message, notification, fcmOptions, androidConfig, androidNotification, lightSettings
        case color, androidFcmOptions, androidConfigV2, androidRemoteNotification, androidBackgroundSync
        case androidNotificationV2, apnsConfig, apnsFcmOptions, webpushConfig, webpushFcmOptions, topicSubscription
    }

    static subscript(name: Name) -> ProtoMessage { messages[name.rawValue] }

    /// Where a message has a field among its own; nil where it has none of that name.
    static func number(of field: FCMField, in name: Name) -> Int? {
        let number = numbers[name.rawValue &* FCMField.count &+ field.rawValue]
        return number < 0 ? nil : Int(number)
    }

    /// The same for a key, by either of a field's names.
    static func number(of key: Span<UInt8>, in name: Name) -> Int? { indices[name.rawValue].find(key) }

    static func field(_ number: Int, of name: Name) -> ProtoField { rows[starts[name.rawValue] &+ number] }

    static func count(of name: Name) -> Int { starts[name.rawValue &+ 1] &- starts[name.rawValue] }

    // The same table in forms that are quick to look into.
    private static let rows = messages.flatMap(\.fields)
    private static let starts = messages.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.fields.count) }
    private static let indices = messages.map(FieldIndex.init)
    private static let numbers: [Int8] = messages.flatMap { message in
        FCMField.allCases.map { field in Int8(message.fields.firstIndex { $0.field == field } ?? -1) }
    }

    private static let messages: [ProtoMessage] = Name.allCases.map { name in
        switch name {
        case .sendMessageRequest:
            ProtoMessage(
                name: "SendMessageRequest",
                fields: [ProtoField(.message, .message(.message))] + bools([.validateOnly]))
        case .message:
            ProtoMessage(
                name: "Message",
                fields: [
                    ProtoField(.data, .map, .freeKeys), ProtoField(.notification, .message(.notification)),
                    ProtoField(.android, .message(.androidConfig)),
                    ProtoField(.androidV2, .message(.androidConfigV2), .oneKind),
                    ProtoField(.webpush, .message(.webpushConfig)), ProtoField(.apns, .message(.apnsConfig)),
                    ProtoField(.fcmOptions, .message(.fcmOptions)),
                ] + strings([.name])
                    + [FCMField.token, .topic, .condition, .fid].map { ProtoField($0, .string, oneof: true) },
                oneof: "target")
        case .notification: ProtoMessage(name: "Notification", fields: strings([.title, .body, .image]))
        case .fcmOptions: ProtoMessage(name: "FcmOptions", fields: [label])
        case .androidConfig:
            ProtoMessage(
                name: "AndroidConfig",
                fields: android + [
                    ProtoField(.priority, .enumeration(.priority)),
                    ProtoField(.notification, .message(.androidNotification)),
                ])
        case .androidNotification:
            ProtoMessage(
                name: "AndroidNotification",
                fields: androidNotification(isSecond: false) + bools([.bypassProxyNotification]) + [
                    ProtoField(.proxy, .enumeration(.proxy))
                ])
        case .lightSettings:
            ProtoMessage(
                name: "LightSettings",
                fields: [
                    ProtoField(.color, .message(.color)), ProtoField(.lightOnDuration, .duration),
                    ProtoField(.lightOffDuration, .duration),
                ])
        case .color:
            ProtoMessage(name: "Color", fields: [FCMField.red, .green, .blue, .alpha].map { ProtoField($0, .float) })
        case .androidFcmOptions: ProtoMessage(name: "AndroidFcmOptions", fields: [label])
        case .androidConfigV2:
            ProtoMessage(
                name: "AndroidConfigV2",
                fields: android + [
                    ProtoField(.remoteNotification, .message(.androidRemoteNotification)),
                    ProtoField(.backgroundSync, .message(.androidBackgroundSync)),
                ])
        case .androidRemoteNotification:
            ProtoMessage(
                name: "AndroidRemoteNotification",
                fields: bools([.mutableContent, .useAsV1DataMessage]) + [
                    ProtoField(.notification, .message(.androidNotificationV2))
                ])
        case .androidBackgroundSync: ProtoMessage(name: "AndroidBackgroundSyncMessage", fields: [])
        case .androidNotificationV2:
            ProtoMessage(
                name: "AndroidNotificationV2",
                fields: androidNotification(isSecond: true) + [ProtoField(.id, .int32)])
        case .apnsConfig:
            ProtoMessage(
                name: "ApnsConfig",
                fields: [
                    ProtoField(.headers, .map), ProtoField(.payload, .structure, .apsPayload),
                    ProtoField(.fcmOptions, .message(.apnsFcmOptions)),
                ] + strings([.liveActivityToken]))
        case .apnsFcmOptions: ProtoMessage(name: "ApnsFcmOptions", fields: [label] + strings([.image]))
        case .webpushConfig:
            ProtoMessage(
                name: "WebpushConfig",
                fields: [
                    ProtoField(.headers, .map, .webHeaders), ProtoField(.data, .map, .freeKeys),
                    ProtoField(.notification, .structure),
                    ProtoField(.fcmOptions, .message(.webpushFcmOptions)),
                ])
        case .webpushFcmOptions: ProtoMessage(name: "WebpushFcmOptions", fields: [label] + strings([.link]))
        case .topicSubscription:
            ProtoMessage(
                name: "TopicSubscription", fields: strings([.name, .topicName]) + [ProtoField(.createTime, .timestamp)])
        }
    }

    /// What both ways of sending to Android have.
    private static let android =
        [
            ProtoField(.ttl, .duration, .ttl), ProtoField(.data, .map, .freeKeys),
            ProtoField(.fcmOptions, .message(.androidFcmOptions)),
        ]
        + strings([.collapseKey, .restrictedPackageName])
        + bools([.directBootOk, .bandwidthConstrainedOk, .restrictedSatelliteOk])

    private static func androidNotification(isSecond: Bool) -> [ProtoField] {
        strings([
            .title, .body, .icon, .sound, .tag, .clickAction, .bodyLocKey, .titleLocKey, .channelId, .ticker,
        ]) + [ProtoField(.color, .string, .color), ProtoField(.image, .string, isSecond ? .https : nil)]
            + [FCMField.bodyLocArgs, .titleLocArgs].map { ProtoField($0, .string, isRepeated: true) }
            + bools([.sticky, .localOnly, .defaultSound, .defaultVibrateTimings, .defaultLightSettings]) + [
                ProtoField(.eventTime, .timestamp), ProtoField(.notificationCount, .int32),
                ProtoField(.vibrateTimings, .duration, isRepeated: true, .notNegative),
                ProtoField(.lightSettings, .message(.lightSettings), .wholeLight),
                ProtoField(
                    .notificationPriority, .enumeration(isSecond ? .notificationPriorityV2 : .notificationPriority)),
                ProtoField(.visibility, .enumeration(isSecond ? .visibilityV2 : .visibility)),
            ]
    }

    private static let label = ProtoField(.analyticsLabel, .string, .label)

    private static func strings(_ fields: [FCMField]) -> [ProtoField] { fields.map { ProtoField($0, .string) } }
    private static func bools(_ fields: [FCMField]) -> [ProtoField] { fields.map { ProtoField($0, .bool) } }
}
