internal import JSON

/// An FCM message from a file: a complete request, only the message, or a message in the legacy format.
package struct MessageFile {
    package enum Shape: Sendable, Equatable { case request, message, legacy }

    package let shape: Shape
    /// The request for `messages:send`.
    package let body: [UInt8]
    /// The changes that the conversion from the legacy format made.
    package let changes: [LegacyMessage.Change]

    private static let prefix = Array(#"{"message":"#.utf8)
    /// How many bytes of `body` precede the file's content.
    private var prefixLength: Int { shape == .message ? Self.prefix.count : 0 }

    /// Nil if the file is not an FCM message, so that it may be a payload for APNs.
    package init?(_ bytes: [UInt8]) {
        guard let root = try? JSONDocument(parsing: bytes, dialect: .google).root else {
            guard let shape = Self.shape(of: bytes) else { return nil }
            self.shape = shape
            body = shape == .message ? Self.prefix + bytes : bytes
            changes = []
            return
        }
        guard root.kind == .object, root["aps"] == nil else { return nil }
        if let legacy = LegacyMessage(root) {
            var json = JSONWriter(.pretty)
            legacy.body.write(to: &json)
            shape = .legacy
            body = json.finish()
            changes = legacy.changes
        } else if Self.isRequest(root) {
            shape = .request
            body = bytes
            changes = []
        } else if Self.isMessage(root) {
            shape = .message
            body = Self.prefix + bytes + [UInt8(ascii: "}")]
            changes = []
        } else {
            return nil
        }
    }

    /// Whether this is a request: it has no field of a message, and it has a field of a request or contains an object
    /// with a target. Such an object is assumed to be the message under a misspelled key.
    private static func isRequest(_ root: JSONView) -> Bool {
        root.members.contains { key, value in
            FCMSchema.index(of: Array(key.utf8 ?? []).span, in: .sendMessageRequest) != nil
                || value.kind == .object
                    && ["token", "topic", "condition", "fid"].contains { value[$0]?.kind == .string }
        } && !isMessage(root)
    }

    /// Guesses the shape from the first key, for text that is not valid JSON.
    private static func shape(of bytes: [UInt8]) -> Shape? {
        let key = bytes.drop {
            [0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: "{"), UInt8(ascii: "\""), UInt8(ascii: "'")].contains($0)
        }
        .prefix { FCMSyntax.isTopicCharacter($0) }
        if FCMSchema.index(of: Array(key).span, in: .sendMessageRequest) != nil { return .request }
        return FCMSchema.index(of: Array(key).span, in: .message) == nil ? nil : .message
    }

    /// Whether this is a message: it has one of a message's fields.
    private static func isMessage(_ root: JSONView) -> Bool {
        root.members.contains { FCMSchema.index(of: Array($0.key.utf8 ?? []).span, in: .message) != nil }
    }

    /// The request with another target, or as a dry run.
    package func body(token: String?, topic: String?, isDryRun: Bool) -> [UInt8] {
        guard token != nil || topic != nil || isDryRun,
            let root = try? JSONDocument(parsing: body, dialect: .google).root,
            let message = root["message"]
        else { return body }
        var json = JSONWriter()
        json.object { json in
            json.key("message")
            json.object { json in
                for (key, value) in message.members {
                    let name = key.string ?? ""
                    let isTarget =
                        (token != nil || topic != nil) && ["token", "topic", "condition", "fid"].contains(name)
                    if !isTarget { json.member(name, JSONValue(value)) }
                }
                if let token { json.member("token", token) } else if let topic { json.member("topic", topic) }
            }
            let validatesOnly = root["validate_only"] ?? root["validateOnly"]
            if isDryRun {
                json.member("validate_only", true)
            } else if let validatesOnly {
                json.member("validate_only", JSONValue(validatesOnly))
            }
        }
        return json.finish()
    }

    /// Converts an offset in `body` to an offset in the file; nil if the body was converted from the legacy format.
    package func offset(_ offset: Int) -> Int? { shape == .legacy ? nil : max(0, offset - prefixLength) }
}
