internal import JSON
internal import PushCore

/// Reads the headers of a fault's answer.
extension FaultEffect {
    /// Headers that a fault cannot set: they control message framing, or are set by another member (`contentType`).
    private static let framing = [
        "connection", "content-length", "content-type", "keep-alive", "proxy-connection", "te", "trailer",
        "transfer-encoding", "upgrade",
    ]

    /// Whether the text can be sent as the value of a header. Without this check, a line break would start another
    /// header or crash the gateway, and HTTP/2 clients would refuse a space at the start or end.
    static func isHeaderValue(_ text: String) -> Bool {
        text.utf8.allSatisfy { 0x20...0x7E ~= $0 } && !text.hasPrefix(" ") && !text.hasSuffix(" ")
    }

    /// Reads headers that are safe to send: lowercase names for HTTP/2, and values without line breaks.
    static func readHeaders(
        _ json: JSONView, at pointer: String
    ) throws(ControlProblem) -> [(name: String, value: String)] {
        guard json.kind == .object, json.count <= 32, json.source.count <= 8000 else {
            throw .bad("'headers' must be an object with at most 32 members and 8,000 bytes.", at: pointer)
        }
        var headers: [(name: String, value: String)] = []
        for (key, value) in json.members {
            let name = (key.string ?? "").lowercased()
            let isName = name.utf8.allSatisfy { $0 == UInt8(ascii: "-") || 0x30...0x39 ~= $0 || 0x61...0x7A ~= $0 }
            let place = pointer + FieldReader.escaped(key.shortened)
            guard isName, 1...40 ~= name.utf8.count else {
                throw .bad(
                    "\(key.shortened.quoted) is not a header name: use 1 to 40 letters, digits and '-'.", at: place)
            }
            guard !framing.contains(name) else {
                throw .bad(
                    "A fault cannot set '\(name)', which controls how the answer is sent: remove it, or set the content type with 'contentType'.",
                    at: place)
            }
            guard let text = value.string, isHeaderValue(text) else {
                throw .bad(
                    "'\(name)' must be a string of printable ASCII, without a space at the start or end; it is \(value.briefly).",
                    at: place)
            }
            headers.append((name, text))
        }
        return headers
    }
}
