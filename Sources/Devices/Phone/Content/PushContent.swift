package import JSON
package import PushCore

/// The content of a push for one platform, parsed once for all devices of that platform.
package enum PushContent: Sendable {
    case apple(AppleContent)
    case android(AndroidContent)
    case web(WebContent)

    /// Whether it is an event of a Live Activity.
    package var isActivity: Bool {
        if case .apple(let content) = self { content.activity != nil } else { false }
    }

    /// - Parameters:
    ///   - payload: the `userInfo` of iOS, the RemoteMessage of Android, or the push data of a browser
    ///     (docs/devices.md). Nil if the payload is not JSON.
    ///   - isWebPush: whether a sender sent it to an endpoint, and not Firebase.
    package init(_ payload: JSONDocument?, for platform: Device.Platform, isWebPush: Bool = false) {
        switch platform {
        case .ios: self = .apple(AppleContent(payload))
        case .android: self = .android(AndroidContent(payload?.root))
        case .web: self = .web(WebContent(payload?.root, isWebPush: isWebPush))
        }
    }

    /// The shared object that holds the content.
    var source: AnyObject {
        switch self {
        case .apple(let content): content
        case .android(let content): content
        case .web(let content): content
        }
    }

    /// The variable part of its memory, in bytes.
    var size: Int {
        switch self {
        case .apple(let content): content.size
        case .android(let content): content.size
        case .web(let content): content.size
        }
    }

    /// The text that is shown if neither an extension nor a localization changes it.
    var text: NotificationText {
        switch self {
        case .apple(let content): content.text
        case .android(let content): content.notification?.text ?? content.dataText
        case .web(let content): content.text ?? NotificationText()
        }
    }

    /// The thread (iOS) or channel (Android) that groups it with others.
    var group: String? {
        switch self {
        case .apple(let content): content.thread
        case .android(let content): content.notification?.channel
        case .web: nil
        }
    }

    /// The sound that the push names (iOS). On Android the channel has the sound.
    var sound: String? {
        if case .apple(let content) = self { content.sound } else { nil }
    }

    /// The icon and color that the message names (Android).
    var look: (icon: String?, color: String?) {
        guard case .android(let content) = self else { return (nil, nil) }
        return (content.notification?.icon, content.notification?.color)
    }

    /// The buttons that the message itself has.
    var actions: [NotificationCategory.Action] {
        if case .web(let content) = self { content.actions } else { [] }
    }

    /// The ids that Adobe's code reads.
    var adobe: AdobeIDs {
        switch self {
        case .apple(let content): content.adobe
        case .android(let content): content.adobe
        case .web: AdobeIDs()
        }
    }
}

/// A push that has reached its device.
package struct Arrival: Sendable {
    package let push: PushID
    package let content: PushContent
    /// `apns-collapse-id`; empty if it is absent.
    package let collapseID: [UInt8]
    /// The type of the Live Activity whose token it was sent to; nil for other tokens.
    package let activity: String?
    /// The kind of token that it was sent to; nil for the app's own token, and for those of Live Activities.
    package let kind: TokenKind?

    package init(
        push: PushID, content: PushContent, collapseID: [UInt8] = [], activity: String? = nil, kind: TokenKind? = nil
    ) {
        self.push = push
        self.content = content
        self.collapseID = collapseID
        self.activity = activity
        self.kind = kind
    }
}

/// The text of a notification, as it was sent or as an extension changed it.
package struct NotificationText: Sendable, Equatable {
    package var title = ""
    package var subtitle = ""
    package var body = ""
    package var image: String?

    var isEmpty: Bool { title.isEmpty && subtitle.isEmpty && body.isEmpty }
    var size: Int { title.utf8.count + subtitle.utf8.count + body.utf8.count + (image?.utf8.count ?? 0) }
}
