package import JSON
package import PushCore

/// One notification in a device's shade.
package struct ShadeEntry: Sendable {
    package let push: PushID
    package let time: Timestamp
    package let shown: ShownNotification

    package var key: String { shown.key }
    package var text: NotificationText { shown.text }
    var content: PushContent { shown.content }
    var category: NotificationCategory? { shown.overrides?.category }

    /// The app's own code posted it (Android). Otherwise Firebase's code did.
    var isPostedByApp: Bool {
        if shown.surfaces.contains(.postedByApp) { return true }
        guard case .android(let content) = content else { return false }
        return content.notification == nil
    }

    /// Its memory in bytes. The content is included, although other entries may share it.
    var size: Int { 100 + content.size + (shown.overrides?.size ?? 0) }

    package func write(to json: inout JSONWriter) { json.object { shown.write(push, time, to: &$0) } }
}

/// A notification as it was shown. It takes three machine words, so that an event can hold it without an allocation.
package struct ShownNotification: Sendable, EventData {
    let content: PushContent
    /// Properties that differ from the push's content. Nil for most notifications.
    let overrides: Overrides?
    /// Its number on the device, counted from 1. A generated key contains it.
    package let number: UInt32
    let surfaces: Surfaces

    /// Where the notification appeared.
    struct Surfaces: OptionSet {
        let rawValue: UInt8
        static let banner = Surfaces(rawValue: 1)
        static let lockScreen = Surfaces(rawValue: 2)
        static let statusBar = Surfaces(rawValue: 4)
        static let list = Surfaces(rawValue: 8)
        static let sound = Surfaces(rawValue: 16)
        /// Not a surface. It marks a notification in the fallback channel that Firebase's code creates.
        static let inFallbackChannel = Surfaces(rawValue: 32)
        /// Not a surface. The app's own code posted the notification, even if the message has one (Android).
        static let postedByApp = Surfaces(rawValue: 64)
        /// Not a surface. The app does not have the push's sound, so the phone plays the default sound (iOS).
        static let defaultSound = Surfaces(rawValue: 128)

        private static let names: [(Surfaces, String)] = [
            (.banner, "banner"), (.lockScreen, "lockScreen"), (.statusBar, "statusBar"), (.list, "list"),
            (.sound, "sound"),
        ]
        var names: [String] { Self.names.filter { contains($0.0) }.map(\.1) }
    }

    final class Overrides: Sendable {
        /// The key that the sender chose (a collapse id or tag). Nil if the key is generated from the number.
        let key: String?
        /// The text after an extension or a localization has changed it.
        let text: NotificationText?
        let category: NotificationCategory?
        let style: Style?

        /// Nil if nothing differs, so that most notifications allocate no object.
        static func make(
            key: String?, text: NotificationText?, category: NotificationCategory? = nil, style: Style? = nil
        ) -> Overrides? {
            guard key != nil || text != nil || category != nil || style != nil else { return nil }
            return Overrides(key: key, text: text, category: category, style: style)
        }

        private init(key: String?, text: NotificationText?, category: NotificationCategory?, style: Style?) {
            self.key = key
            self.text = text
            self.category = category
            self.style = style
        }

        var size: Int { (key?.utf8.count ?? 0) + (text?.size ?? 0) + 100 }
    }

    /// What the app's manifest sets for a notification if the message does not set it (Android).
    struct Style: Sendable {
        let channel: String?
        let icon: String?
        let color: String?

        var isEmpty: Bool { channel == nil && icon == nil && color == nil }
    }

    var key: String { overrides?.key ?? Self.key(number) }
    var text: NotificationText { overrides?.text ?? content.text }

    /// The buttons: those of the category (iOS), or of the message (web).
    var actions: [NotificationCategory.Action] { overrides?.category?.actions ?? content.actions }

    static func key(_ number: UInt32) -> String {
        String(decoding: [UInt8](capacity: Decimal.maximumDigits + 1) { write(number, to: &$0) }, as: UTF8.self)
    }

    private static func write(_ number: UInt32, to output: inout OutputSpan<UInt8>) {
        output.append(UInt8(ascii: "n"))
        Decimal.append(UInt64(number), to: &output)
    }

    /// Whether a key has the form of a generated key.
    static func looksGenerated(_ key: String) -> Bool {
        key.utf8.first == UInt8(ascii: "n") && key.utf8.dropFirst().allSatisfy { 0x30...0x39 ~= $0 }
    }

    private var group: String? {
        surfaces.contains(.inFallbackChannel)
            ? "fcm_fallback_notification_channel" : overrides?.style?.channel ?? content.group
    }

    /// Writes the data of a `presented` event.
    package func write(of event: Event, to json: inout JSONWriter, _ marks: inout FrameTemplate.Placeholders) {
        json.object { json in
            writeIdentity(event.push ?? PushID(0), event.time, to: &json, &marks)
            writeContent(to: &json)
            json.key("surfaces")
            json.array { json in for name in surfaces.names { json.string(name) } }
            guard surfaces.contains(.sound), let sound = content.sound else { return }
            json.member("sound", surfaces.contains(.defaultSound) ? "default" : sound)
        }
    }

    package var templateKey: TemplateKey? {
        overrides == nil ? TemplateKey(of: content.source, surfaces.rawValue) : nil
    }

    /// Writes an entry of a device's `shade` (docs/devices.md).
    fileprivate func write(_ push: PushID, _ time: Timestamp, to json: inout JSONWriter) {
        var marks = FrameTemplate.Placeholders()
        writeIdentity(push, time, to: &json, &marks)
        writeContent(to: &json)
    }

    /// Writes the members that differ for every notification: key, push and time.
    private func writeIdentity(
        _ push: PushID, _ time: Timestamp, to json: inout JSONWriter, _ marks: inout FrameTemplate.Placeholders
    ) {
        if let key = overrides?.key {
            json.member("key", key)
        } else {
            marks.member("key", .number, to: &json) {
                $0.plain(Decimal.maximumDigits + 1) { Self.write(number, to: &$0) }
            }
        }
        marks.member("push", .push, to: &json) { $0.value(push) }
        marks.member("time", .time, to: &json) { $0.value(time) }
    }

    private func writeContent(to json: inout JSONWriter) {
        let text = text
        json.member("title", text.title)
        json.member("subtitle", text.subtitle)
        json.member("body", text.body)
        if let image = text.image { json.member("image", image) }
        if let group { json.member("group", group) }
        let look = content.look
        if let icon = look.icon ?? overrides?.style?.icon { json.member("icon", icon) }
        if let color = look.color ?? overrides?.style?.color { json.member("color", color) }
        if let category = overrides?.category { json.member("category", category.id) }
        json.key("actions")
        json.array { json in
            for action in actions {
                json.object { json in
                    json.member("id", action.id)
                    json.member("title", action.title)
                    if action.takesText { json.member("text", true) }
                }
            }
        }
    }
}
