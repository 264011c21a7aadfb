internal import JSON
internal import PushCore

/// The members of a RemoteMessage that Firebase's Android code reads (docs/evidence/device.md §3.3, code).
package final class AndroidContent: Sendable {
    /// Nil for a data message.
    let notification: Notification?
    let data: [String: String]
    /// `from`: the sender id or topic.
    let sender: String?
    /// The text of the notification that the app itself posts for a data message.
    let dataText: NotificationText
    let adobe: AdobeIDs
    let size: Int

    struct Notification: Sendable {
        let text: NotificationText
        /// The localization keys of the texts; nil if there are none.
        let keys: LocalizationKeys?
        /// A notification replaces another one with the same tag.
        let tag: String?
        let channel: String?
        let sound: String?
        let clickAction: String?
        let icon: String?
        let color: String?
        /// It stays in the shade when it is tapped.
        let isSticky: Bool
    }

    init(_ payload: JSONView?) {
        var data: [String: String] = [:]
        for (key, value) in payload?["data"]?.members.map({ ($0.key.string, $0.value.string) }) ?? [] {
            if let key, let value { data[key] = value }
        }
        self.data = data
        sender = payload?["from"]?.string
        dataText = NotificationText(title: data["title"] ?? "", body: data["body"] ?? "")
        notification = payload?["notification"].map { json in
            func text(_ key: String) -> String { json[key]?.string ?? "" }
            // A literal text wins over a localization key.
            func localizationKey(_ key: String) -> LocalizationKeys.Key? {
                guard json[key]?.string == nil, let name = json["\(key)LocKey"]?.string else { return nil }
                return LocalizationKeys.Key(
                    key: name, arguments: json["\(key)LocArgs"]?.elements.map(\.plainText) ?? [])
            }
            let keys = LocalizationKeys(title: localizationKey("title"), body: localizationKey("body"))
            return Notification(
                text: NotificationText(title: text("title"), body: text("body"), image: json["image"]?.string),
                keys: keys.isEmpty ? nil : keys, tag: json["tag"]?.string,
                channel: json["channelId"]?.string, sound: json["sound"]?.string,
                clickAction: json["clickAction"]?.string, icon: json["icon"]?.string, color: json["color"]?.string,
                isSticky: json["sticky"]?.bool == true)
        }
        adobe = AdobeIDs(android: data)
        size = (notification?.text.size ?? 0) + data.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
    }
}

/// The members of a message that Firebase's code in a page or service worker reads (docs/evidence/fcm.md §5.4, code).
package final class WebContent: Sendable {
    let text: NotificationText?
    let link: String?
    let tag: String?
    /// The buttons of the notification.
    let actions: [NotificationCategory.Action]
    let size: Int
    /// Whether a sender sent it to an endpoint, so that Firebase's code has nothing to do with it.
    let isWebPush: Bool
    /// Whether a browser may show it without the site's code (declarative web push, documented by WebKit).
    let isDeclarative: Bool

    /// The number of actions that a browser shows: Chrome's `Notification.maxActions` (assumed, docs/evidence/fcm.md
    /// §5.4).
    private static let maxActions = 2

    init(_ payload: JSONView?, isWebPush: Bool) {
        self.isWebPush = isWebPush
        let notification = payload?["notification"]
        isDeclarative =
            isWebPush && payload?["web_push"]?.int == 8030 && notification?["title"]?.string?.isEmpty == false
        func string(_ key: String) -> String { notification?[key]?.string ?? "" }
        text = notification.map { _ in
            NotificationText(title: string("title"), body: string("body"), image: notification?["image"]?.string)
        }
        link =
            payload?["fcmOptions"]?["link"]?.string ?? notification?["click_action"]?.string
            ?? notification?["navigate"]?.string
        tag = notification?["tag"]?.string
        actions =
            notification?["actions"]?.elements.lazy.compactMap { json in
                json["action"]?.string.map { NotificationCategory.Action(id: $0, title: json["title"]?.string ?? "") }
            }.prefix(Self.maxActions).map(\.self) ?? []
        size = (text?.size ?? 0) + actions.reduce(0) { $0 + $1.id.utf8.count + $1.title.utf8.count }
    }
}
