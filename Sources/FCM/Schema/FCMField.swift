/// The names of all fields of all the API's messages.
enum FCMField: Int, Sendable, CaseIterable {
    case message, validateOnly
    case name, token, topic, condition, fid, data, notification, android, androidV2, webpush, apns, fcmOptions
    case title, body, image, analyticsLabel, link
    case collapseKey, priority, ttl, restrictedPackageName, directBootOk, bandwidthConstrainedOk, restrictedSatelliteOk
    case remoteNotification, backgroundSync, mutableContent, useAsV1DataMessage
    case icon, color, sound, tag, clickAction, bodyLocKey, bodyLocArgs, titleLocKey, titleLocArgs, channelId, ticker,
        sticky
    case eventTime, localOnly, notificationPriority, defaultSound, defaultVibrateTimings, defaultLightSettings
    case vibrateTimings, visibility, notificationCount, lightSettings, bypassProxyNotification, proxy, id
    case lightOnDuration, lightOffDuration, red, green, blue, alpha
    case headers, payload, liveActivityToken
    case topicName, createTime

    /// The name in lower camel case, as documented for JSON.
    var camel: String { Self.camels[rawValue] }
    /// The name with underscores, as in Google's error texts.
    var snake: String { Self.snakes[rawValue] }

    static let count = allCases.count

    private static let camels = allCases.map { "\($0)" }
    private static let snakes = camels.map { name in
        name.reduce(into: "") { text, letter in text += letter.isUppercase ? "_\(letter.lowercased())" : String(letter)
        }
    }
}
