package import HTTPCore
internal import JSON
package import PushCore

/// The properties of a message that decide how it is delivered.
final class FCMTraits: Sendable {
    /// `apns` is the only platform block, so an unknown token is assumed to belong to an iPhone.
    let isForApple: Bool
    /// There is an `apns` block, possibly along with others.
    let hasApplePart: Bool
    let isNotification: Bool
    /// An iPhone only shows it and does not wake the app, so it is discarded if the person allows no notifications.
    let onlyShowsOnApple: Bool
    /// It has an image, but not `mutable-content`, so no extension runs on an iPhone to fetch the image.
    let lacksMutableContent: Bool
    /// It has neither data nor a notification.
    let isEmpty: Bool
    let collapseKey: String?
    let restrictedPackage: String?
    let isHighPriority: Bool
    let worksInDirectBoot: Bool
    /// The time to live in seconds; 0 means that it is dropped if it can't be delivered at once.
    let ttl: Int64
    let applePriority: Int
    /// In seconds since 1970. 0 means that it is dropped unless it can be delivered at once; nil means Google's
    /// default.
    let appleExpiration: Int64?
    let appleCollapseID: [UInt8]
    /// The fields of `apns.headers`, by name in lower case.
    let appleHeaders: [String: String]
    let liveActivityToken: String?
    /// It has no notification, shows nothing on an iPhone, and asks for priority 10.
    let isUrgentData: Bool
    /// The values of the Web Push headers.
    let web: (ttl: Int64, isHighPriority: Bool, topic: String?)

    static let maximumTTL: Int64 = 2_419_200
    private static let aps = Array("aps".utf8)
    private static let visibleKeys = ["alert", "badge", "sound"].map { Array($0.utf8) }

    /// See `isForApple`.
    static func isForApple(_ message: ProtoView) -> Bool {
        message.message(.apns) != nil && AndroidBlock(message).config == nil && !message.has(.webpush)
    }

    init(_ message: ProtoView) {
        let android = AndroidBlock(message)
        let apns = message.message(.apns)
        hasApplePart = apns != nil
        isForApple = Self.isForApple(message)
        isNotification = message.has(.notification) || android.notification != nil
        collapseKey = isNotification ? nil : android.config?.string(.collapseKey)
        restrictedPackage = android.config?.string(.restrictedPackageName)
        isEmpty =
            !isNotification && message.entriesSize(.data) == 0
            && android.config.map { $0.entriesSize(.data) == 0 } ?? true
        ttl = android.config?.seconds(.ttl) ?? Self.maximumTTL
        // Without a priority, notifications are of high priority and data messages of normal priority (documented).
        isHighPriority = android.isHighPriority ?? isNotification
        let document = message.document
        let aps = apns?.place(.payload).flatMap { document.value(of: Self.aps, in: $0) }
        func number(_ key: String) -> Int64? { aps.flatMap { document.view(at: $0)[key]?.exactInteger } }
        let showsSomething =
            message.has(.notification)
            || aps.map { aps in Self.visibleKeys.contains { document.hasValue(of: $0, in: aps) } } ?? false
        onlyShowsOnApple = showsSomething && number("content-available") != 1
        lacksMutableContent = message.message(.notification)?.has(.image) == true && number("mutable-content") != 1
        let fields = message.message(.webpush)?.entries(.headers) ?? []
        func field(_ name: String) -> String? { fields.last { $0.key.lowercased() == name }?.value }
        web = (
            field("ttl").flatMap(Int64.init) ?? Self.maximumTTL,
            field("urgency").map { $0 == "high" } ?? isHighPriority,
            field("topic")
        )
        worksInDirectBoot = android.flag(.directBootOk)
        let headers = Dictionary(
            (apns?.entries(.headers) ?? []).map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { $1 })
        appleHeaders = headers
        liveActivityToken = apns?.string(.liveActivityToken)
        let isActivity = liveActivityToken != nil || aps.map { document["event", in: $0] != nil } ?? false
        isUrgentData = !showsSomething && !isActivity && headers["apns-priority"] == "10"
        applePriority = headers["apns-priority"].flatMap(Int.init) ?? 10
        appleExpiration = headers["apns-expiration"].flatMap(Int64.init)
        appleCollapseID = Array((headers["apns-collapse-id"] ?? "").utf8)
    }
}

extension JSONDocument {
    /// Whether an object has a member that is not null.
    fileprivate func hasValue(of key: [UInt8], in object: JSONPlace) -> Bool {
        value(of: key, in: object).map { kind(at: $0) != .null } ?? false
    }
}

/// An accepted message that is to be delivered.
package struct FCMDelivery: Sendable {
    /// The message id: the last part of the name in the answer.
    package let name: String
    private let traits: FCMTraits
    package let sent: Timestamp
    /// The iPhones that get it. Always `all` for a message to a single iPhone: if Apple refuses such a message, Google
    /// refuses it too, and there is no delivery.
    package var reach = AppleReach.all

    /// The iPhones for which Apple accepts a message.
    package enum AppleReach: Sendable {
        case all
        /// `apns-topic` names this app, and Apple refuses the message for all others.
        case app(String)
        /// Apple refuses it for this reason.
        case none(why: RuleID)
    }

    private static let maximumAppleLifetime: Int64 = 30 * 24 * 3_600_000

    init(_ traits: FCMTraits, name: String, at now: Timestamp) {
        self.traits = traits
        self.name = name
        sent = now
    }

    /// A delivery that was saved; nil if the request does not contain a message.
    package init?(savedIn request: Request, name: String, sent: Timestamp) {
        guard let document = try? GoogleBody.parse(request),
            let message = ProtoCheck(document, as: .sendMessageRequest).view?.message(.message)
        else { return nil }
        self.init(FCMTraits(message), name: name, at: sent)
    }

    package var isForApple: Bool { traits.isForApple }
    /// The message has a part for Apple, possibly along with others.
    package var hasApplePart: Bool { traits.hasApplePart }
    /// All notifications of an app share one collapse key, its package name.
    package var isNotification: Bool { traits.isNotification }
    /// It has neither data nor a notification. Such messages to a topic replace each other (documented).
    package var isEmpty: Bool { traits.isEmpty }
    package var collapseKey: String? { traits.collapseKey }
    /// The fields of `apns.headers`, by name in lower case.
    package var appleHeaders: [String: String] { traits.appleHeaders }
    /// The token of the Live Activity that gets it; nil if the app gets it.
    package var liveActivityToken: String? { traits.liveActivityToken }
    /// The only package that may receive the message; nil if any package may.
    package var restrictedPackage: String? { traits.restrictedPackage }

    /// How Google delivers it to Android.
    package var google: PushTraits {
        PushTraits(
            provider: .fcm, name: name, sent: sent, priority: traits.isHighPriority ? 10 : 5,
            expires: traits.ttl == 0 ? nil : sent + traits.ttl * 1000,
            onlyShowsNotification: false, worksInDirectBoot: traits.worksInDirectBoot)
    }

    /// How a web push service delivers it to a browser.
    package var web: PushTraits {
        let ttl = max(0, min(traits.web.ttl, FCMTraits.maximumTTL))
        return PushTraits(
            provider: .fcm, name: name, sent: sent, priority: traits.web.isHighPriority ? 10 : 5,
            expires: ttl == 0 ? nil : sent + ttl * 1000, onlyShowsNotification: false)
    }

    /// The Web Push topic: a waiting message with the same topic is replaced.
    package var webTopic: String? { traits.web.topic }

    /// How Apple delivers it to an iPhone.
    package var apple: PushTraits {
        let latest = sent + Self.maximumAppleLifetime
        let expires = traits.appleExpiration.map {
            $0 == 0 ? nil : min(latest, Timestamp(milliseconds: max(0, min($0, 1 << 40)) * 1000))
        }
        return PushTraits(
            name: name, sent: sent, priority: traits.applePriority, expires: expires ?? latest,
            onlyShowsNotification: traits.onlyShowsOnApple,
            collapseID: traits.appleCollapseID)
    }
}
