package import PushCore

/// The format in which the entries of a shade are stored on disk.
extension ShadeEntry {
    func encode(to writer: inout ByteWriter) {
        writer.number(push.number)
        writer.signed(time.milliseconds)
        shown.encode(to: &writer)
    }

    /// Nil if `content` no longer knows the push.
    static func read(
        from reader: inout ByteReader, _ content: (PushID, Device.Platform) -> PushContent?
    ) throws(ByteReader.Damage) -> ShadeEntry? {
        let (push, time) = (try reader.push(), try reader.timestamp())
        return try ShownNotification.read(from: &reader, content: { content(push, $0) }).map {
            ShadeEntry(push: push, time: time, shown: $0)
        }
    }
}

extension ShownNotification {
    /// Added to the number of the platform if the entry has a style. Entries without a style keep the format of earlier
    /// versions.
    private static let styleOffset: UInt64 = 3

    /// Writes everything except the content, which can be derived from the push again.
    package func encode(to writer: inout ByteWriter) {
        let platform: UInt64 = content.platform == .ios ? 0 : content.platform == .android ? 1 : 2
        writer.number(overrides?.style == nil ? platform : platform + Self.styleOffset)
        writer.number(UInt64(number))
        writer.number(UInt64(surfaces.rawValue))
        writer.flag(overrides != nil)
        guard let overrides else { return }
        writer.optional(overrides.key)
        writer.flag(overrides.text != nil)
        if let text = overrides.text {
            for part in [text.title, text.subtitle, text.body] { writer.text(part) }
            writer.optional(text.image)
        }
        if let style = overrides.style {
            for part in [style.channel, style.icon, style.color] { writer.optional(part) }
        }
        writer.flag(overrides.category != nil)
        guard let category = overrides.category else { return }
        writer.text(category.id)
        writer.flag(category.hasDismissAction)
        writer.number(UInt64(category.actions.count))
        for action in category.actions {
            writer.text(action.id)
            writer.text(action.title)
            writer.flag(action.isForeground)
            writer.flag(action.takesText)
        }
    }

    /// Nil if `content` no longer knows the push.
    package static func read(
        from reader: inout ByteReader, content: (Device.Platform) -> PushContent?
    ) throws(ByteReader.Damage) -> ShownNotification? {
        let (kind, number, surfaces) = (
            try reader.number(), try reader.count(upTo: Int(UInt32.max)), try reader.count(upTo: Int(UInt8.max))
        )
        guard kind < 2 * styleOffset else { throw ByteReader.Damage() }
        let platform = kind % styleOffset
        var overrides: Overrides?
        if try reader.flag() {
            let key = try reader.optional()
            var text: NotificationText?
            if try reader.flag() {
                text = NotificationText(
                    title: try reader.text(), subtitle: try reader.text(), body: try reader.text(),
                    image: try reader.optional())
            }
            let style =
                kind < styleOffset
                ? nil
                : Style(channel: try reader.optional(), icon: try reader.optional(), color: try reader.optional())
            var category: NotificationCategory?
            if try reader.flag() {
                let (id, hasDismissAction) = (try reader.text(), try reader.flag())
                let actions = try reader.list { (reader) throws(ByteReader.Damage) in
                    NotificationCategory.Action(
                        id: try reader.text(), title: try reader.text(), isForeground: try reader.flag(),
                        takesText: try reader.flag())
                }
                category = NotificationCategory(id: id, hasDismissAction: hasDismissAction, actions: actions)
            }
            overrides = Overrides.make(key: key, text: text, category: category, style: style)
        }
        guard let content = content(platform == 0 ? .ios : platform == 1 ? .android : .web) else { return nil }
        return ShownNotification(
            content: content, overrides: overrides, number: UInt32(number),
            surfaces: Surfaces(rawValue: UInt8(surfaces)))
    }
}

extension PushContent {
    var platform: Device.Platform {
        switch self {
        case .apple: .ios
        case .android: .android
        case .web: .web
        }
    }
}
