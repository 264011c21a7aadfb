internal import JSON
internal import PushCore

/// What iOS reads of a payload (facts/device.md §2.3, documented). Unknown keys are passed over.
package final class AppleContent: Sendable {
    /// Empty: nothing is shown. A text by key is the key, as iOS shows one that the app has no text for.
    let text: ShownText
    /// Nil where no text is named by key.
    let keys: TextKeys?
    /// The alert is a dictionary, as the extension wants it.
    let isDictionary: Bool
    let badge: Int64?
    let sound: String?
    let isContentAvailable: Bool
    let isMutable: Bool
    let category: String?
    let thread: String?
    let level: Level
    let activity: Activity?
    /// `fcm_options.image`, where it is a string.
    let image: String?
    /// `media-attachment-url`, where it is a string.
    let media: String?
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
        let kind: String?
        /// When what it shows is out of date, and when it goes after its end: seconds.
        let stale: Int64?
        let dismissal: Int64?
        /// The channel it is to hear.
        let channel: String?
        /// What comes up with it; nil where nothing does.
        let alert: (title: String, body: String)?
        let sound: String?

        /// Nil where it is none: elsewhere these keys mean nothing.
        init?(_ aps: JSONView) {
            guard let event = aps["event"]?.string, ["start", "update", "end"].contains(event),
                aps["content-state"] != nil || aps["attributes-type"] != nil || aps["alert"] == nil
            else { return nil }
            self.event = event
            timestamp = aps["timestamp"]?.exactInteger ?? 0
            kind = aps["attributes-type"]?.string
            stale = aps["stale-date"]?.exactInteger
            dismissal = aps["dismissal-date"]?.exactInteger
            channel = aps["input-push-channel"]?.string
            // Either may be an object that names it by key.
            func text(_ key: String) -> String {
                aps["alert"]?[key].flatMap { $0.string ?? $0["loc-key"]?.string } ?? ""
            }
            alert = aps["alert"].map { _ in (text("title"), text("body")) }
            sound = aps["alert"]?["sound"]?.string
        }
    }

    /// Wakes the app, and shows and plays nothing.
    var isBackground: Bool { isContentAvailable && !isVisible }
    var hasAlert: Bool { !text.isEmpty }
    var isVisible: Bool { hasAlert || badge != nil || sound != nil }

    init(_ payload: JSONView?) {
        let aps = payload?["aps"]
        let alert = aps?["alert"]
        var (text, keys) = (ShownText(), TextKeys())
        isDictionary = alert?.kind == .object
        if let plain = alert?.string {
            text.body = plain
        } else if let alert, isDictionary {
            func shown(_ key: String, _ locKey: String) -> String { alert[key]?.string ?? alert[locKey]?.string ?? "" }
            func named(_ key: String, _ locKey: String, _ locArgs: String) -> TextKeys.Key? {
                // Ours: a literal text wins, as it does on Android.
                alert[key] == nil
                    ? alert[locKey]?.string.map {
                        TextKeys.Key(key: $0, arguments: alert[locArgs]?.elements.map(\.plainText) ?? [])
                    } : nil
            }
            keys.title = named("title", "title-loc-key", "title-loc-args")
            keys.subtitle = named("subtitle", "subtitle-loc-key", "subtitle-loc-args")
            keys.body = named("body", "loc-key", "loc-args")
            text.title = shown("title", "title-loc-key")
            text.subtitle = shown("subtitle", "subtitle-loc-key")
            text.body = shown("body", "loc-key")
        }
        self.text = text
        self.keys = keys.isEmpty ? nil : keys
        badge = aps?["badge"]?.exactInteger
        let sound = aps?["sound"]
        self.sound = sound?.string ?? sound?["name"]?.string
        // JSON's true is not 1.
        isContentAvailable = aps?["content-available"]?.exactInteger == 1
        isMutable = aps?["mutable-content"]?.exactInteger == 1
        category = aps?["category"]?.string
        thread = aps?["thread-id"]?.string
        level = aps?["interruption-level"]?.string.flatMap(Level.init(rawValue:)) ?? .active
        activity = aps.flatMap(Activity.init)
        image = payload?["fcm_options"]?["image"]?.string
        media = payload?["media-attachment-url"]?.string
        adobe = AdobeIDs(apple: payload)
        size = text.size + (payload?.range.count ?? 0) / 4
    }
}

extension JSONView {
    /// An argument of a text: a number is as it was written.
    var plainText: String { string ?? shown }
}
