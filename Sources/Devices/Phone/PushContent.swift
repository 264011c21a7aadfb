package import JSON
package import PushCore

/// A push as the app on a device gets it, read once for all devices of its kind.
package enum PushContent: Sendable {
    case apple(AppleContent)
    case android(AndroidContent)
    case web(WebContent)

    /// An event of a Live Activity.
    package var isActivity: Bool {
        if case .apple(let content) = self { content.activity != nil } else { false }
    }

    /// - Parameter payload: iOS's `userInfo`, Android's RemoteMessage or a browser's push data (protocol.md); nil: no JSON.
    package init(_ payload: JSONView?, for platform: Device.Platform) {
        switch platform {
        case .ios: self = .apple(AppleContent(payload))
        case .android: self = .android(AndroidContent(payload))
        case .web: self = .web(WebContent(payload))
        }
    }

    /// The one object behind it.
    var source: AnyObject {
        switch self {
        case .apple(let content): content
        case .android(let content): content
        case .web(let content): content
        }
    }

    /// What it holds in memory, as far as that varies.
    var size: Int {
        switch self {
        case .apple(let content): content.size
        case .android(let content): content.size
        case .web(let content): content.size
        }
    }

    /// What is shown of it, where nothing changes that.
    var text: ShownText {
        switch self {
        case .apple(let content): content.text
        case .android(let content): content.notification?.text ?? content.own
        case .web(let content): content.text ?? ShownText()
        }
    }

    /// What it is grouped with: a thread, or a channel.
    var group: String? {
        switch self {
        case .apple(let content): content.thread
        case .android(let content): content.notification?.channel
        case .web: nil
        }
    }

    /// What Adobe's code reads of it.
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
    /// `apns-collapse-id`; empty where there is none.
    package let collapseID: [UInt8]
    /// The Live Activity whose own token it came to.
    package let activity: String?

    package init(push: PushID, content: PushContent, collapseID: [UInt8] = [], activity: String? = nil) {
        self.push = push
        self.content = content
        self.collapseID = collapseID
        self.activity = activity
    }
}

/// What is shown of a push: as it came, or as an extension made it.
package struct ShownText: Sendable, Equatable {
    package var title = ""
    package var subtitle = ""
    package var body = ""
    package var image: String?

    var isEmpty: Bool { title.isEmpty && subtitle.isEmpty && body.isEmpty }
    var size: Int { title.utf8.count + subtitle.utf8.count + body.utf8.count + (image?.utf8.count ?? 0) }
}
