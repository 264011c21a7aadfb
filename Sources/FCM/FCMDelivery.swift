internal import JSON
package import PushCore

/// What of a message decides how it gets to devices.
final class FCMTraits: Sendable {
    /// Only Apple's block is there, so that an unknown token is an iPhone's.
    let isForApple: Bool
    let isNotification: Bool
    /// An iPhone shows it, so that a person may have switched it off.
    let isVisibleOnApple: Bool
    /// It has an image for an iPhone, which no extension is woken for.
    let lacksMutableContent: Bool
    /// It has neither data nor anything to show.
    let isEmpty: Bool
    let collapseKey: String?
    let restrictedPackage: String?
    let isHigh: Bool
    let worksInDirectBoot: Bool
    /// Seconds; 0: now or never.
    let ttl: Int64
    let applePriority: Int
    /// Seconds since 1970, 0: now or never; nil: as long as Google asks for.
    let appleExpiration: Int64?
    let appleCollapseID: [UInt8]

    /// What browsers' push services are asked for.
    let web: (ttl: Int64, isHigh: Bool, topic: String?)

    static let longestTTL: Int64 = 2_419_200
    private static let aps = Array("aps".utf8)
    private static let shown = ["alert", "badge", "sound"].map { Array($0.utf8) }

    init(_ message: ProtoView) {
        let android = AndroidBlock(message)
        let apns = message.message(.apns)
        isForApple = apns != nil && android.config == nil && !message.has(.webpush)
        isNotification = message.has(.notification) || android.shown != nil
        collapseKey = isNotification ? nil : android.config?.string(.collapseKey)
        restrictedPackage = android.config?.string(.restrictedPackageName)
        isEmpty =
            !isNotification && message.entriesSize(.data) == 0
            && android.config.map { $0.entriesSize(.data) == 0 } ?? true
        ttl = android.config?.seconds(.ttl) ?? Self.longestTTL
        // Unset, it is high for what is shown (documented).
        isHigh = android.isHigh ?? isNotification
        let document = message.document
        let aps = apns?.place(.payload).flatMap { document.value(of: Self.aps, in: $0) }
        func number(_ key: String) -> Int64? { aps.flatMap { document.view(at: $0)[key]?.exactInteger } }
        let showsSomething =
            message.has(.notification)
            || aps.map { aps in Self.shown.contains { document.value(of: $0, in: aps) != nil } } ?? false
        isVisibleOnApple = showsSomething && number("content-available") != 1
        lacksMutableContent = message.message(.notification)?.has(.image) == true && number("mutable-content") != 1
        let fields = message.message(.webpush)?.entries(.headers) ?? []
        func field(_ name: String) -> String? { fields.last { $0.key.lowercased() == name }?.value }
        web = (
            field("ttl").flatMap(Int64.init) ?? Self.longestTTL, field("urgency").map { $0 == "high" } ?? isHigh,
            field("topic")
        )
        worksInDirectBoot = android.flag(.directBootOk)
        let headers = Dictionary(
            (apns?.entries(.headers) ?? []).map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { $1 })
        applePriority = headers["apns-priority"].flatMap(Int.init) ?? 10
        appleExpiration = headers["apns-expiration"].flatMap(Int64.init)
        appleCollapseID = Array((headers["apns-collapse-id"] ?? "").utf8)
    }
}

/// An accepted message on its way.
package struct FCMDelivery: Sendable {
    /// The last part of its name.
    package let name: String
    private let traits: FCMTraits
    private let sent: Timestamp

    private static let longestApple: Int64 = 30 * 24 * 3_600_000

    init(_ traits: FCMTraits, name: String, at now: Timestamp) {
        self.traits = traits
        self.name = name
        sent = now
    }

    package var isForApple: Bool { traits.isForApple }
    /// Notifications share one key, the app's package.
    package var isNotification: Bool { traits.isNotification }
    /// With topics such messages replace each other (documented).
    package var isEmpty: Bool { traits.isEmpty }
    package var collapseKey: String? { traits.collapseKey }
    /// The only package it is for.
    package var restrictedPackage: String? { traits.restrictedPackage }

    /// How Google takes it to Android.
    package var google: PushTraits {
        PushTraits(
            provider: .fcm, name: name, sent: sent, priority: traits.isHigh ? 10 : 5,
            expires: traits.ttl == 0 ? nil : sent + traits.ttl * 1000,
            isVisible: false, worksInDirectBoot: traits.worksInDirectBoot)
    }

    /// How a push service takes it to a browser.
    package var web: PushTraits {
        let ttl = max(0, min(traits.web.ttl, FCMTraits.longestTTL))
        return PushTraits(
            provider: .fcm, name: name, sent: sent, priority: traits.web.isHigh ? 10 : 5,
            expires: ttl == 0 ? nil : sent + ttl * 1000, isVisible: false)
    }

    /// What replaces others in a browser's queue.
    package var webTopic: String? { traits.web.topic }

    /// And how Apple takes it to an iPhone.
    package var apple: PushTraits {
        let latest = sent + Self.longestApple
        let expires = traits.appleExpiration.map {
            $0 == 0 ? nil : min(latest, Timestamp(milliseconds: max(0, min($0, 1 << 40)) * 1000))
        }
        return PushTraits(
            name: name, sent: sent, priority: traits.applePriority, expires: expires ?? latest,
            isVisible: traits.isVisibleOnApple,
            collapseID: traits.appleCollapseID)
    }
}

/// A registration as far as sending to it goes.
package struct FCMRegistration: Sendable {
    package enum Platform: Sendable { case android, apple, web }

    /// Whose it is, for whoever asked.
    package let place: Int
    let platform: Platform
    let isGone: Bool
    let project: String?

    package init(place: Int, platform: Platform, isGone: Bool, project: String?) {
        self.place = place
        self.platform = platform
        self.isGone = isGone
        self.project = project
    }
}
