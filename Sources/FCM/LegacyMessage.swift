package import JSON
internal import PushCore

/// A message in the shape of the API that ended in 2024 (`to`, `collapse_key`, `priority`, `data`), and the request that
/// it has to be now (documented by Google's guide for migrating).
package struct LegacyMessage {
    /// What became of one member.
    package struct Change: Sendable, Equatable {
        /// A JSON pointer into what was sent.
        package let path: String
        package let text: String
    }

    /// A whole body for `messages:send`.
    package private(set) var body = JSONTree()
    package private(set) var changes: [Change] = []

    private static let mostChanges = 100
    private static let longestShown = 4000
    private static let api = "the API that Google ended in 2024"

    /// Nil for what has not that shape.
    package init?(_ root: JSONView) {
        guard root.kind == .object, root["message"] == nil,
            root.members.contains(where: { LegacyField.telling.contains($0.key.string ?? "") })
        else { return nil }
        for (key, value) in root.members where !value.isNull { add(key.string ?? "", value) }
    }

    /// What to say of a body that has this shape; nothing of any other.
    static func findings(in document: JSONDocument) -> [Finding] {
        guard let message = LegacyMessage(document.root) else { return [] }
        var json = JSONWriter()
        message.body.write(to: &json)
        let text = String(decoding: json.finish(), as: UTF8.self)
        let shown =
            text.utf8.count <= longestShown ? text : "(more than \(longestShown) octets: pushpit check shows it)"
        return [
            Finding(
                "fcm.legacy-shape", .warning, at: "",
                "This is the shape of \(api). The same for messages:send: \(shown)")
        ] + message.changes.map { Finding("fcm.legacy-change", .note, at: $0.path, $0.text) }
    }

    private mutating func add(_ key: String, _ value: JSONView) {
        switch key {
        case "to": addTarget(value.string ?? "")
        case "registration_ids":
            body.set(["message", "token"], .string(value.elements.first { _ in true }?.string ?? ""))
            tell(
                [key], "'registration_ids' is gone: send one request for each token; the first is 'message.token' here."
            )
        case "data": addData(value)
        case "notification" where value.kind == .object:
            for (name, inner) in value.members where !inner.isNull {
                add(field: name.string ?? "", inner, of: LegacyField.shown, under: [key])
            }
        default: add(field: key, value, of: LegacyField.root, under: [])
        }
    }

    private mutating func addTarget(_ to: String) {
        let isTopic = to.hasPrefix("/topics/")
        body.set(["message", isTopic ? "topic" : "token"], .string(isTopic ? String(to.dropFirst(8)) : to))
        tell(["to"], isTopic ? "'to' is 'message.topic' now, without '/topics/'." : "'to' is 'message.token' now.")
    }

    /// Strings alone: v1 turns nothing into a string by itself.
    private mutating func addData(_ data: JSONView) {
        tell(["data"], "'data' is 'message.data' now.")
        for (key, value) in data.members where !value.isNull {
            let name = key.string ?? ""
            if let text = value.string {
                body.set(["message", "data", name], .string(text))
            } else {
                body.set(["message", "data", name], .string(String(decoding: value.source, as: UTF8.self)))
                tell(
                    ["data", name],
                    "'\(name.prefix(40))' is \(value.shown.prefix(40)): values of 'data' have to be strings.")
            }
        }
    }

    private mutating func add(field key: String, _ value: JSONView, of table: [LegacyField], under outer: [String]) {
        guard let field = table.first(where: { $0.names.contains(key) }) else {
            return tell(outer + [key], "'\(key.prefix(40))' has no place in v1, and is left out.")
        }
        guard let converted = field.convert(value) else {
            return tell(
                outer + [key],
                "'\(key.prefix(40))' is \(value.shown.prefix(40)), which it could not be, and is left out.")
        }
        for place in field.places { body.set(place.split(separator: ".").map(String.init), converted) }
        tell(
            outer + [key],
            "'\((outer + [key]).joined(separator: "."))' is \(field.places.map { "'\($0)'" }.joined(separator: " and ")) now."
        )
    }

    private mutating func tell(_ path: [String], _ text: String) {
        guard changes.count < Self.mostChanges else { return }
        changes.append(Change(path: JSONPointer(tokens: path.map { String($0.prefix(100)) }).description, text: text))
    }
}

/// Where a member of the old shape is now.
struct LegacyField: Sendable {
    /// As it was documented, and as testers paste it.
    let names: [String]
    let places: [String]
    /// Nil for a value that it could not have.
    let convert: @Sendable (JSONView) -> JSONValue?

    private init(_ names: [String], _ places: [String], _ convert: @escaping @Sendable (JSONView) -> JSONValue?) {
        self.names = names
        self.places = places
        self.convert = convert
    }

    static let root = [
        LegacyField(["condition"], ["message.condition"], asIs),
        LegacyField(["collapse_key", "collapseKey"], ["message.android.collapse_key"], asIs),
        LegacyField(["priority"], ["message.android.priority"]) { value in
            ["high": "HIGH", "10": "HIGH", "normal": "NORMAL", "5": "NORMAL"][value.string ?? value.shown].map(
                JSONValue.string)
        },
        LegacyField(["time_to_live", "timeToLive"], ["message.android.ttl"]) { value in
            (value.exactInteger ?? Int64(value.string ?? "")).map { .string("\($0)s") }
        },
        LegacyField(
            ["restricted_package_name", "restrictedPackageName"], ["message.android.restricted_package_name"], asIs),
        LegacyField(["content_available", "contentAvailable"], ["message.apns.payload.aps.content-available"], flag),
        LegacyField(["mutable_content", "mutableContent"], ["message.apns.payload.aps.mutable-content"], flag),
        LegacyField(["dry_run", "dryRun"], ["validate_only"], asIs),
    ]

    static let shown =
        [
            LegacyField(["title"], ["message.notification.title"], asIs),
            LegacyField(["body"], ["message.notification.body"], asIs),
            LegacyField(["image"], ["message.notification.image"], asIs),
            LegacyField(["sound"], ["message.android.notification.sound", "message.apns.payload.aps.sound"], asIs),
            LegacyField(["badge"], ["message.apns.payload.aps.badge"]) { value in
                (value.exactInteger ?? Int64(value.string ?? "")).map(JSONValue.int)
            },
            LegacyField(["subtitle"], ["message.apns.payload.aps.alert.subtitle"], asIs),
            LegacyField(["android_channel_id"], ["message.android.notification.channel_id"], asIs),
            LegacyField(["body_loc_args"], ["message.android.notification.body_loc_args"], list),
            LegacyField(["title_loc_args"], ["message.android.notification.title_loc_args"], list),
        ]
        + ["icon", "tag", "color", "click_action", "body_loc_key", "title_loc_key"].map {
            LegacyField([$0], ["message.android.notification.\($0)"], asIs)
        }

    /// Keys that only the old shape has at its root.
    static let telling = Set(["to", "registration_ids"] + root.flatMap(\.names)).subtracting(["condition"])

    @Sendable private static func asIs(_ value: JSONView) -> JSONValue? { JSONValue(value) }

    /// 1 where it is on.
    @Sendable private static func flag(_ value: JSONView) -> JSONValue? {
        value.bool == true || value.exactInteger == 1 ? .int(1) : nil
    }

    /// Some wrote lists as JSON within a string.
    @Sendable private static func list(_ value: JSONView) -> JSONValue? {
        if value.kind == .array { return JSONValue(value) }
        guard let inner = value.utf8.flatMap({ try? JSONDocument(parsing: Array($0)).root }), inner.kind == .array
        else { return nil }
        return JSONValue(inner)
    }
}
