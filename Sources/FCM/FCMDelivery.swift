package import PushCore

/// What of an accepted message decides how it gets to a device.
package struct FCMDelivery: Sendable {
    /// Only Apple's block is there, so that an unknown token is an iPhone's.
    package let isForApple: Bool
    /// The last part of the message's name.
    package let name: String
    /// How Google takes it to Android and to browsers; nil: notifications share one key, the app's package.
    package let collapseKey: String?
    package let isNotification: Bool
    package let google: PushTraits
    /// And how Apple takes it to an iPhone.
    package let apple: PushTraits

    private static let longestTTL: Int64 = 2_419_200
    private static let longestApple: Int64 = 30 * 24 * 3_600_000

    init(_ message: ProtoView, name: String, at now: Timestamp) {
        self.name = name
        let android = message.message("android", as: .androidConfig)
        let apns = message.message("apns", as: .apnsConfig)
        isForApple = apns != nil && android == nil && message["android_v2"] == nil && message["webpush"] == nil
        isNotification = message["notification"] != nil || android?["notification"] != nil
        collapseKey = isNotification ? nil : android?.string("collapse_key")
        let ttl = android?.seconds("ttl") ?? Self.longestTTL
        // Unset, it is high for what is shown (documented).
        let priority = android?["priority"].flatMap { ProtoScalar.enumeration($0, .priority) }
        let isHigh = priority.map { $0 == 1 } ?? isNotification
        google = PushTraits(
            provider: .fcm, name: name, priority: isHigh ? 10 : 5, expires: ttl == 0 ? nil : now + ttl * 1000, isVisible: false)
        let headers = Dictionary(
            (apns?.entries("headers") ?? []).map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { $1 })
        let seconds = headers["apns-expiration"].flatMap(Int64.init)
        let latest = now + Self.longestApple
        apple = PushTraits(
            name: name, priority: headers["apns-priority"].flatMap(Int.init) ?? 10,
            expires: seconds.map { $0 == 0 ? nil : min(latest, Timestamp(milliseconds: min($0, 1 << 40) * 1000)) } ?? latest,
            isVisible: isNotification, collapseID: Array((headers["apns-collapse-id"] ?? "").utf8))
    }
}

/// A registration as far as sending to it goes.
package struct FCMRegistration: Sendable {
    let isGone: Bool
    let project: String?

    package init(isGone: Bool, project: String?) {
        self.isGone = isGone
        self.project = project
    }
}
