internal import PushCore

/// FCM's messages and fields (Tests/Conformance/fixtures/fcm.v1.json, revision 20261023, documented).
///
/// Parsing, field paths, error texts, checks of values, and docs/fcm-fields.md are all derived from this table.
package enum FCMSchema {
    /// The name of a message type.
    enum MessageType: Int, Sendable, CaseIterable {
        case sendMessageRequest, message, notification, fcmOptions, androidConfig, androidNotification, lightSettings
        case color, androidFcmOptions, androidConfigV2, androidRemoteNotification, androidBackgroundSync
        case androidNotificationV2, apnsConfig, apnsFcmOptions, webpushConfig, webpushFcmOptions, topicSubscription
    }

    static subscript(name: MessageType) -> ProtoMessage { messages[name.rawValue] }

    /// The index of a field among a message's fields; nil if the message does not have it.
    static func index(of field: FCMField, in name: MessageType) -> Int? {
        let index = indexByField[name.rawValue &* FCMField.count &+ field.rawValue]
        return index < 0 ? nil : Int(index)
    }

    /// The index of the field with this key, by either of its names.
    static func index(of key: Span<UInt8>, in name: MessageType) -> Int? { nameIndexes[name.rawValue].find(key) }

    static func field(_ index: Int, of name: MessageType) -> ProtoField { fields[starts[name.rawValue] &+ index] }

    /// The names of a message's fields, for guesses about misspelled ones.
    static func spelling(of name: MessageType) -> NameGuesser { spellings[name.rawValue] }

    private static let spellings = messages.map { NameGuesser($0.fields.map(\.field.camel), minLength: 4) }

    static func count(of name: MessageType) -> Int { starts[name.rawValue &+ 1] &- starts[name.rawValue] }

    // The same table, arranged for fast lookup.
    private static let fields = messages.flatMap(\.fields)
    private static let starts = messages.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.fields.count) }
    private static let nameIndexes = messages.map(FieldIndex.init)
    private static let indexByField: [Int8] = messages.flatMap { message in
        FCMField.allCases.map { field in Int8(message.fields.firstIndex { $0.field == field } ?? -1) }
    }

    private static let messages: [ProtoMessage] = MessageType.allCases.map { name in
        switch name {
        case .sendMessageRequest:
            ProtoMessage(
                name: "SendMessageRequest",
                fields: [ProtoField(.message, .message(.message))] + bools([.validateOnly]))
        case .message:
            ProtoMessage(
                name: "Message",
                fields: [
                    ProtoField(.data, .map, .unreservedKeys), ProtoField(.notification, .message(.notification)),
                    ProtoField(.android, .message(.androidConfig)),
                    ProtoField(.androidV2, .message(.androidConfigV2), .exactlyOneKind),
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
                fields: androidFields + [
                    ProtoField(.priority, .enumeration(.priority)),
                    ProtoField(.notification, .message(.androidNotification)),
                ])
        case .androidNotification:
            ProtoMessage(
                name: "AndroidNotification",
                fields: androidNotificationFields(isVersion2: false) + bools([.bypassProxyNotification]) + [
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
                fields: androidFields + [
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
                fields: androidNotificationFields(isVersion2: true) + [ProtoField(.id, .int32)])
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
                    ProtoField(.headers, .map, .webPushHeaders), ProtoField(.data, .map, .unreservedKeys),
                    ProtoField(.notification, .structure),
                    ProtoField(.fcmOptions, .message(.webpushFcmOptions)),
                ])
        case .webpushFcmOptions: ProtoMessage(name: "WebpushFcmOptions", fields: [label] + strings([.link]))
        case .topicSubscription:
            ProtoMessage(
                name: "TopicSubscription", fields: strings([.name, .topicName]) + [ProtoField(.createTime, .timestamp)])
        }
    }

    /// The fields that `android` and `android_v2` share.
    private static let androidFields =
        [
            ProtoField(.ttl, .duration, .ttl), ProtoField(.data, .map, .unreservedKeys),
            ProtoField(.fcmOptions, .message(.androidFcmOptions)),
        ]
        + strings([.collapseKey, .restrictedPackageName])
        + bools([.directBootOk, .bandwidthConstrainedOk, .restrictedSatelliteOk])

    private static func androidNotificationFields(isVersion2: Bool) -> [ProtoField] {
        strings([
            .title, .body, .icon, .sound, .tag, .clickAction, .bodyLocKey, .titleLocKey, .channelId, .ticker,
        ]) + [ProtoField(.color, .string, .color), ProtoField(.image, .string, isVersion2 ? .https : nil)]
            + [FCMField.bodyLocArgs, .titleLocArgs].map { ProtoField($0, .string, isRepeated: true) }
            + bools([.sticky, .localOnly, .defaultSound, .defaultVibrateTimings, .defaultLightSettings]) + [
                ProtoField(.eventTime, .timestamp), ProtoField(.notificationCount, .int32),
                ProtoField(.vibrateTimings, .duration, isRepeated: true, .nonNegative),
                ProtoField(.lightSettings, .message(.lightSettings), .completeLightSettings),
                ProtoField(
                    .notificationPriority, .enumeration(isVersion2 ? .notificationPriorityV2 : .notificationPriority)),
                ProtoField(.visibility, .enumeration(isVersion2 ? .visibilityV2 : .visibility)),
            ]
    }

    private static let label = ProtoField(.analyticsLabel, .string, .label)

    private static func strings(_ fields: [FCMField]) -> [ProtoField] { fields.map { ProtoField($0, .string) } }
    private static func bools(_ fields: [FCMField]) -> [ProtoField] { fields.map { ProtoField($0, .bool) } }
}
