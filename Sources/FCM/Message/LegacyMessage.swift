package import JSON
internal import PushCore

/// A message in the format of the API that Google discontinued in 2024 (`to`, `collapse_key`, `priority`, `data`),
/// converted to a request for `messages:send` (documented in Google's migration guide).
package struct LegacyMessage {
    /// What the conversion did to one member.
    package struct Change: Sendable, Equatable {
        /// A JSON pointer into the original message.
        package let path: String
        package let text: String
    }

    /// The converted request, a complete body for `messages:send`.
    package private(set) var body = JSONTree()
    package private(set) var changes: [Change] = []

    private static let maximumChanges = 100
    private static let maximumShownLength = 4000
    private static let api = "the API that Google discontinued in 2024"

    /// Nil if the JSON does not have the legacy format.
    package init?(_ root: JSONView) {
        guard root.kind == .object, root["message"] == nil,
            root.members.contains(where: { LegacyField.distinctiveKeys.contains($0.key.string ?? "") })
        else { return nil }
        for (key, value) in root.members where !value.isNull { add(key.string ?? "", value) }
    }

    /// The findings for a body in the legacy format; empty for any other body.
    static func findings(in document: JSONDocument) -> [Finding] {
        guard let message = LegacyMessage(document.root) else { return [] }
        var json = JSONWriter()
        message.body.write(to: &json)
        let text = String(decoding: json.finish(), as: UTF8.self)
        let shown =
            text.utf8.count <= maximumShownLength
            ? text : "(longer than \(maximumShownLength) bytes: 'pushpit check' shows it)"
        return [
            Finding(
                "fcm.legacy-shape", .warning, at: "",
                "This message has the format of \(api). As a request for messages:send: \(shown)")
        ] + message.changes.map { Finding("fcm.legacy-change", .note, at: $0.path, $0.text) }
    }

    private mutating func add(_ key: String, _ value: JSONView) {
        switch key {
        case "to": addTarget(value.string ?? "")
        case "registration_ids":
            body.set(["message", "token"], .string(value.elements.first { _ in true }?.string ?? ""))
            record(
                [key],
                "'registration_ids' has no equivalent: send one request for each token. Only the first was kept, as 'message.token'."
            )
        case "data": addData(value)
        case "notification" where value.kind == .object:
            for (name, inner) in value.members where !inner.isNull {
                add(field: name.string ?? "", inner, of: LegacyField.notificationFields, under: [key])
            }
        default: add(field: key, value, of: LegacyField.rootFields, under: [])
        }
    }

    private mutating func addTarget(_ to: String) {
        let isTopic = to.hasPrefix("/topics/")
        body.set(["message", isTopic ? "topic" : "token"], .string(isTopic ? String(to.dropFirst(8)) : to))
        record(["to"], isTopic ? "'to' becomes 'message.topic', without '/topics/'." : "'to' becomes 'message.token'.")
    }

    /// Converts `data`, whose values have to be strings in v1.
    private mutating func addData(_ data: JSONView) {
        record(["data"], "'data' becomes 'message.data'.")
        for (key, value) in data.members where !value.isNull {
            let name = key.string ?? ""
            if let text = value.string {
                body.set(["message", "data", name], .string(text))
            } else {
                body.set(["message", "data", name], .string(String(decoding: value.source, as: UTF8.self)))
                record(
                    ["data", name],
                    "'\(name.prefix(40))' is \(value.shown.prefix(40)) and becomes a string: the values of 'data' have to be strings."
                )
            }
        }
    }

    private mutating func add(field key: String, _ value: JSONView, of table: [LegacyField], under outer: [String]) {
        guard let field = table.first(where: { $0.names.contains(key) }) else {
            return record(outer + [key], "'\(key.prefix(40))' has no equivalent in v1 and is left out.")
        }
        guard let converted = field.convert(value) else {
            return record(
                outer + [key],
                "'\(key.prefix(40))' has the invalid value \(value.shown.prefix(40)) and is left out.")
        }
        for destination in field.destinations {
            body.set(destination.split(separator: ".").map(String.init), converted)
        }
        record(
            outer + [key],
            "'\((outer + [key]).joined(separator: "."))' becomes \(field.destinations.map { "'\($0)'" }.joined(separator: " and "))."
        )
    }

    private mutating func record(_ path: [String], _ text: String) {
        guard changes.count < Self.maximumChanges else { return }
        changes.append(Change(path: JSONPointer(tokens: path.map { String($0.prefix(100)) }).description, text: text))
    }
}

/// How a member of a legacy message is converted.
struct LegacyField: Sendable {
    /// The documented name, and a spelling that senders often use instead.
    let names: [String]
    /// The paths of the member in a v1 request.
    let destinations: [String]
    /// Returns nil for an invalid value.
    let convert: @Sendable (JSONView) -> JSONValue?

    private init(_ names: [String], _ destinations: [String], _ convert: @escaping @Sendable (JSONView) -> JSONValue?) {
        self.names = names
        self.destinations = destinations
        self.convert = convert
    }

    static let rootFields = [
        LegacyField(["condition"], ["message.condition"], unchanged),
        LegacyField(["collapse_key", "collapseKey"], ["message.android.collapse_key"], unchanged),
        LegacyField(["priority"], ["message.android.priority"]) { value in
            ["high": "HIGH", "10": "HIGH", "normal": "NORMAL", "5": "NORMAL"][value.string ?? value.shown].map(
                JSONValue.string)
        },
        LegacyField(["time_to_live", "timeToLive"], ["message.android.ttl"]) { value in
            (value.exactInteger ?? Int64(value.string ?? "")).map { .string("\($0)s") }
        },
        LegacyField(
            ["restricted_package_name", "restrictedPackageName"], ["message.android.restricted_package_name"], unchanged
        ),
        LegacyField(["content_available", "contentAvailable"], ["message.apns.payload.aps.content-available"], flag),
        LegacyField(["mutable_content", "mutableContent"], ["message.apns.payload.aps.mutable-content"], flag),
        LegacyField(["dry_run", "dryRun"], ["validate_only"], unchanged),
    ]

    static let notificationFields =
        [
            LegacyField(["title"], ["message.notification.title"], unchanged),
            LegacyField(["body"], ["message.notification.body"], unchanged),
            LegacyField(["image"], ["message.notification.image"], unchanged),
            LegacyField(
                ["sound"], ["message.android.notification.sound", "message.apns.payload.aps.sound"], unchanged),
            LegacyField(["badge"], ["message.apns.payload.aps.badge"]) { value in
                (value.exactInteger ?? Int64(value.string ?? "")).map(JSONValue.int)
            },
            LegacyField(["subtitle"], ["message.apns.payload.aps.alert.subtitle"], unchanged),
            LegacyField(["android_channel_id"], ["message.android.notification.channel_id"], unchanged),
            localized("body_loc_key", "loc-key", unchanged), localized("body_loc_args", "loc-args", list),
            localized("title_loc_key", "title-loc-key", unchanged),
            localized("title_loc_args", "title-loc-args", list),
        ]
        + ["icon", "tag", "color", "click_action"].map {
            LegacyField([$0], ["message.android.notification.\($0)"], unchanged)
        }

    /// A key that Google also sent to iPhones, under Apple's name.
    private static func localized(
        _ name: String, _ appleName: String, _ convert: @escaping @Sendable (JSONView) -> JSONValue?
    ) -> LegacyField {
        LegacyField(
            [name], ["message.android.notification.\(name)", "message.apns.payload.aps.alert.\(appleName)"], convert)
    }

    /// The top-level keys that only a legacy message has.
    static let distinctiveKeys = Set(["to", "registration_ids"] + rootFields.flatMap(\.names)).subtracting(["condition"]
    )

    @Sendable private static func unchanged(_ value: JSONView) -> JSONValue? { JSONValue(value) }

    /// Converts true to 1, as Apple's keys need it.
    @Sendable private static func flag(_ value: JSONView) -> JSONValue? {
        value.bool == true || value.exactInteger == 1 ? .int(1) : nil
    }

    /// Converts a list; some senders wrote it as JSON in a string.
    @Sendable private static func list(_ value: JSONView) -> JSONValue? {
        if value.kind == .array { return JSONValue(value) }
        guard let inner = value.utf8.flatMap({ try? JSONDocument(parsing: Array($0)).root }), inner.kind == .array
        else { return nil }
        return JSONValue(inner)
    }
}
