internal import JSON
internal import PushCore

/// The members of a payload that iOS reads (docs/evidence/device.md §2.3, documented). Unknown keys are ignored.
package final class AppleContent: Sendable {
    /// The text of the alert; empty if nothing is shown. For a text that is given by a localization key, this is the
    /// key itself, which iOS shows if the app has no such text.
    let text: NotificationText
    /// The localization keys of the texts; nil if there are none.
    let keys: LocalizationKeys?
    /// The alert is a dictionary. Otherwise the service extension does not run.
    let isDictionary: Bool
    let badge: Int64?
    let sound: String?
    let isContentAvailable: Bool
    let isMutable: Bool
    let category: String?
    let thread: String?
    let level: Level
    let activity: Activity?
    /// `fcm_options.image`, if it is a string.
    let image: String?
    /// `media-attachment-url`, if it is a string.
    let media: String?
    /// The URL of a media file under another key at the top level, which no known extension reads.
    let unreadMedia: String?
    /// The URLs outside `aps`, for extensions that read the sender's own key.
    let links: PayloadLinks
    let adobe: AdobeIDs
    let size: Int

    enum Level: String, Sendable, CaseIterable {
        case passive, active
        case timeSensitive = "time-sensitive"
        case critical
    }

    /// An event of a Live Activity.
    struct Activity: Sendable {
        let event: String
        let timestamp: Int64
        let attributesType: String?
        /// When the content becomes stale, in seconds since 1970.
        let staleDate: Int64?
        /// When the ended activity leaves the screen, in seconds since 1970.
        let dismissalDate: Int64?
        /// The broadcast channel to subscribe to.
        let channel: String?
        /// The alert that is shown with the event; nil without an alert.
        let alert: (title: String, body: String)?
        let sound: String?

        /// Nil if the payload is not for a Live Activity. Its keys then have no special meaning.
        init?(_ aps: JSONPlace?, _ json: JSONDocument) {
            guard let event = json.string(at: json["event", in: aps]), ["start", "update", "end"].contains(event)
            else { return nil }
            let alert = json["alert", in: aps]
            attributesType = json.string(at: json["attributes-type", in: aps])
            guard json["content-state", in: aps] != nil || json["attributes-type", in: aps] != nil || alert == nil
            else { return nil }
            self.event = event
            timestamp = json.exactInteger(at: json["timestamp", in: aps]) ?? 0
            staleDate = json.exactInteger(at: json["stale-date", in: aps])
            dismissalDate = json.exactInteger(at: json["dismissal-date", in: aps])
            channel = json.string(at: json["input-push-channel", in: aps])
            // Title and body may each be an object with a localization key.
            func text(_ key: String) -> String {
                let text = json[key, in: alert]
                return json.string(at: text) ?? json.string(at: json["loc-key", in: text]) ?? ""
            }
            self.alert = alert.map { _ in (text("title"), text("body")) }
            sound = json.string(at: json["sound", in: alert])
        }
    }

    /// The push wakes the app, and shows and plays nothing.
    var isBackground: Bool { isContentAvailable && !isVisible }
    var hasAlert: Bool { !text.isEmpty }
    var isVisible: Bool { hasAlert || badge != nil || sound != nil }

    /// - Parameter json: the payload; nil if it is not valid JSON.
    init(_ json: JSONDocument?) {
        let json = json ?? JSONDocument.null
        let root = json.rootPlace
        let aps = json["aps", in: root]
        let alert = json["alert", in: aps]
        var (text, keys) = (NotificationText(), LocalizationKeys())
        isDictionary = alert.map(json.kind) == .object
        if let plain = json.string(at: alert) {
            text.body = plain
        } else if let alert, isDictionary {
            (text.title, keys.title) = Self.text(of: alert, json, "title", "title-loc-key", "title-loc-args")
            (text.subtitle, keys.subtitle) =
                Self.text(of: alert, json, "subtitle", "subtitle-loc-key", "subtitle-loc-args")
            (text.body, keys.body) = Self.text(of: alert, json, "body", "loc-key", "loc-args")
        }
        self.text = text
        self.keys = keys.isEmpty ? nil : keys
        badge = json.exactInteger(at: json["badge", in: aps])
        let sound = json["sound", in: aps]
        self.sound = json.string(at: sound) ?? json.string(at: json["name", in: sound])
        // The JSON value `true` does not count as 1.
        isContentAvailable = json.exactInteger(at: json["content-available", in: aps]) == 1
        isMutable = json.exactInteger(at: json["mutable-content", in: aps]) == 1
        category = json.string(at: json["category", in: aps])
        thread = json.string(at: json["thread-id", in: aps])
        level = json.string(at: json["interruption-level", in: aps]).flatMap(Level.init(rawValue:)) ?? .active
        activity = Activity(aps, json)
        image = json.string(at: json["image", in: json["fcm_options", in: root]])
        media = json.string(at: json["media-attachment-url", in: root])
        unreadMedia = Self.unreadMedia(json, in: root)
        links = isMutable && isDictionary ? PayloadLinks(json.root) : PayloadLinks()
        adobe = AdobeIDs(apple: json)
        size = text.size + links.size + json.bytes.count / 4
    }

    private static func unreadMedia(_ json: JSONDocument, in root: JSONPlace) -> String? {
        var next = json.firstKey(in: root)
        while let key = next {
            next = json.key(after: key, in: root)
            let value = json.value(ofKey: key)
            guard json.kind(at: value) == .string, let name = json.string(at: key), name != "media-attachment-url",
                let url = json.string(at: value), NameGuesser.isMedia(name, url)
            else { continue }
            return url
        }
        return nil
    }

    /// A text of the alert, and its localization key if it has one. A literal text takes precedence, as on Android
    /// (ours).
    private static func text(
        of alert: JSONPlace, _ json: JSONDocument, _ name: String, _ keyName: String, _ argumentsName: String
    ) -> (String, LocalizationKeys.Key?) {
        let literal = json[name, in: alert]
        if let text = json.string(at: literal) { return (text, nil) }
        guard let key = json.string(at: json[keyName, in: alert]) else { return ("", nil) }
        guard literal == nil else { return (key, nil) }
        let arguments = json[argumentsName, in: alert].map { json.view(at: $0).elements.map(\.plainText) }
        return (key, LocalizationKeys.Key(key: key, arguments: arguments ?? []))
    }
}

extension JSONView {
    /// The text of a format argument. A number is shown as it was written.
    var plainText: String { string ?? shown }
}
