internal import JSON

/// An FCM message as people keep it in files: a whole request, a bare message, or the shape of the API that is gone.
package struct MessageFile {
    package enum Shape: Sendable, Equatable { case request, message, legacy }

    package let shape: Shape
    /// A whole request for `messages:send`.
    package let body: [UInt8]
    /// What had to be changed, where it has the old shape.
    package let changes: [LegacyMessage.Change]

    private static let opening = Array(#"{"message":"#.utf8)
    /// Octets that stand before the file's own in `body`.
    private var shift: Int { shape == .message ? Self.opening.count : 0 }

    /// Nil for what is no FCM message, but a payload for Apple.
    package init?(_ bytes: [UInt8]) {
        guard let root = try? JSONDocument(parsing: bytes, dialect: .google).root else {
            guard let shape = Self.shape(of: bytes) else { return nil }
            self.shape = shape
            body = shape == .message ? Self.opening + bytes : bytes
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
            body = Self.opening + bytes + [UInt8(ascii: "}")]
            changes = []
        } else {
            return nil
        }
    }

    /// One of a request's own fields is there, or what must have been meant for one.
    private static func isRequest(_ root: JSONView) -> Bool {
        root.members.contains { key, value in
            FCMSchema.number(of: Array(key.utf8 ?? []).span, in: .sendMessageRequest) != nil
                || value.kind == .object
                    && ["token", "topic", "condition", "fid"].contains { value[$0]?.kind == .string }
        } && !isMessage(root)
    }

    /// By its first key, for a text that is no JSON.
    private static func shape(of bytes: [UInt8]) -> Shape? {
        let key = bytes.drop {
            [0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: "{"), UInt8(ascii: "\""), UInt8(ascii: "'")].contains($0)
        }
        .prefix { FCMSyntax.isTopicLetter($0) }
        if FCMSchema.number(of: Array(key).span, in: .sendMessageRequest) != nil { return .request }
        return FCMSchema.number(of: Array(key).span, in: .message) == nil ? nil : .message
    }

    /// One of a message's own fields is there.
    private static func isMessage(_ root: JSONView) -> Bool {
        root.members.contains { FCMSchema.number(of: Array($0.key.utf8 ?? []).span, in: .message) != nil }
    }

    /// The same for another device or topic instead of its own, or only to be tried.
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
            let isDry = root["validate_only"] ?? root["validateOnly"]
            if isDryRun {
                json.member("validate_only", true)
            } else if let isDry {
                json.member("validate_only", JSONValue(isDry))
            }
        }
        return json.finish()
    }

    /// Where an octet of the body is in the file; nil where the file has other octets.
    package func offset(_ offset: Int) -> Int? { shape == .legacy ? nil : max(0, offset - shift) }
}
