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
    /// It has neither data nor anything to show: with topics such messages replace each other (documented).
    package let isEmpty: Bool
    /// The only package it is for.
    package let restrictedPackage: String?
    package let google: PushTraits
    /// And how Apple takes it to an iPhone.
    package let apple: PushTraits

    private static let longestTTL: Int64 = 2_419_200
    private static let longestApple: Int64 = 30 * 24 * 3_600_000

    init(_ message: ProtoView, name: String, at now: Timestamp) {
        self.name = name
        let android = AndroidBlock(message)
        let apns = message.message("apns", as: .apnsConfig)
        isForApple = apns != nil && android.config == nil && message["webpush"] == nil
        isNotification = message["notification"] != nil || android.shown != nil
        collapseKey = isNotification ? nil : android.config?.string("collapse_key")
        restrictedPackage = android.config?.string("restricted_package_name")
        isEmpty = !isNotification && message["data"] == nil && android.config?["data"] == nil
        let ttl = android.config?.seconds("ttl") ?? Self.longestTTL
        // Unset, it is high for what is shown (documented).
        let isHigh = android.isHigh ?? isNotification
        google = PushTraits(
            provider: .fcm, name: name, priority: isHigh ? 10 : 5, expires: ttl == 0 ? nil : now + ttl * 1000, isVisible: false,
            worksInDirectBoot: android.flag("direct_boot_ok"))
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
