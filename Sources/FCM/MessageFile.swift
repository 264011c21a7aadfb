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

    /// Nil for what is no FCM message.
    package init?(_ bytes: [UInt8]) {
        guard let root = try? JSONDocument(parsing: bytes, dialect: .google).root, root.kind == .object, root["aps"] == nil else {
            return nil
        }
        if let legacy = LegacyMessage(root) {
            var json = JSONWriter(.pretty)
            legacy.body.write(to: &json)
            shape = .legacy
            body = json.finish()
            changes = legacy.changes
        } else if root["message"]?.kind == .object {
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

    /// One of a message's own fields is there.
    private static func isMessage(_ root: JSONView) -> Bool {
        let document = root.document
        return root.members.contains { FCMSchema[.message].field(at: document.place(of: $0.key), of: document) != nil }
    }

    /// The same for another device or topic instead of its own, or only to be tried.
    package func body(token: String?, topic: String?, isDryRun: Bool) -> [UInt8] {
        guard token != nil || topic != nil || isDryRun, let root = try? JSONDocument(parsing: body, dialect: .google).root,
            let message = root["message"]
        else { return body }
        var json = JSONWriter()
        json.object { json in
            json.key("message")
            json.object { json in
                for (key, value) in message.members {
                    let name = key.string ?? ""
                    let isTarget = (token != nil || topic != nil) && ["token", "topic", "condition", "fid"].contains(name)
                    if !isTarget { json.member(name, JSONValue(value)) }
                }
                if let token { json.member("token", token) } else if let topic { json.member("topic", topic) }
            }
            let isDry = root["validate_only"] ?? root["validateOnly"]
            if isDryRun { json.member("validate_only", true) } else if let isDry { json.member("validate_only", JSONValue(isDry)) }
        }
        return json.finish()
    }

    /// Where an octet of the body is in the file; nil where the file has other octets.
    package func offset(_ offset: Int) -> Int? { shape == .legacy ? nil : max(0, offset - shift) }
}
