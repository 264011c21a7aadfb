internal import JSON
internal import PushCore

/// The members of a payload that iOS reads (docs/evidence/device.md §2.3, documented). Unknown keys are ignored.
package final class AppleContent: Sendable {
    /// The text of the alert; empty if nothing is shown. For a text that is given by key this is the key itself, which
    /// iOS shows if the app has no such text.
    let text: ShownText
    /// The texts that are given by key; nil if there are none.
    let keys: TextKeys?
    /// The alert is a dictionary, without which the service extension does not run.
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

        /// Nil if the payload is not for a Live Activity; the keys have no meaning then.
        init?(_ aps: JSONView) {
            guard let event = aps["event"]?.string, ["start", "update", "end"].contains(event),
                aps["content-state"] != nil || aps["attributes-type"] != nil || aps["alert"] == nil
            else { return nil }
            self.event = event
            timestamp = aps["timestamp"]?.exactInteger ?? 0
            attributesType = aps["attributes-type"]?.string
            staleDate = aps["stale-date"]?.exactInteger
            dismissalDate = aps["dismissal-date"]?.exactInteger
            channel = aps["input-push-channel"]?.string
            // Title and body may each be an object with a key.
            func text(_ key: String) -> String {
                aps["alert"]?[key].flatMap { $0.string ?? $0["loc-key"]?.string } ?? ""
            }
            alert = aps["alert"].map { _ in (text("title"), text("body")) }
            sound = aps["alert"]?["sound"]?.string
        }
    }

    /// The push wakes the app, and shows and plays nothing.
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
            func localizationKey(_ key: String, _ locKey: String, _ locArgs: String) -> TextKeys.Key? {
                // A literal text takes precedence, as on Android (ours).
                alert[key] == nil
                    ? alert[locKey]?.string.map {
                        TextKeys.Key(key: $0, arguments: alert[locArgs]?.elements.map(\.plainText) ?? [])
                    } : nil
            }
            keys.title = localizationKey("title", "title-loc-key", "title-loc-args")
            keys.subtitle = localizationKey("subtitle", "subtitle-loc-key", "subtitle-loc-args")
            keys.body = localizationKey("body", "loc-key", "loc-args")
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
    /// The text of a format argument. A number is shown as it was written.
    var plainText: String { string ?? shown }
}
