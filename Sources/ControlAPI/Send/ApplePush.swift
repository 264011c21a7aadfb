internal import APNs
internal import HTTPCore
internal import JSON
internal import PushCore

extension Request {
    private static let placeholderToken = String(repeating: "0123456789abcdef", count: 4)

    /// A push to Apple's service, from the members `headers` and `body` of a call.
    ///
    /// - Parameter token: the device token; nil if `headers` has a `:path`, or if the token does not matter.
    init(applePush fields: inout FieldReader, to token: String?) throws(ControlProblem) {
        let (given, body) = (fields.value("headers"), fields.value("body"))
        var headers = HeaderBlock([.method: "POST"])
        var path = "/3/device/\(token ?? Self.placeholderToken)"
        var named: [(String, String)] = []
        if let given {
            guard given.kind == .object else {
                throw fields.problem("headers", "must be an object of header names and values")
            }
            for (key, value) in given.members {
                guard let name = key.string?.lowercased(), 1...40 ~= name.utf8.count,
                    name == ":path" || name.utf8.allSatisfy(Self.isNameByte), let text = value.string,
                    text.utf8.count <= 8000, text.utf8.allSatisfy(name == ":path" ? Self.isPathByte : Self.isValueByte)
                else {
                    throw .bad(
                        "'\(key.shortened)' must be a header name with a string of at most 8,000 bytes, without line breaks and other control characters (':path' also without spaces).",
                        at: "/headers" + FieldReader.escaped(key.shortened))
                }
                if name == ":path" { path = text } else { named.append((name, text)) }
            }
        }
        headers.append(.path, path)
        for (name, value) in named { headers.append(HeaderName(name), value) }
        self.init(version: .http2, headers: headers)
        if let body, body.kind != .string,
            body.source.count > APNsDialect.bodyLimit(headers, headers.range(of: .path) ?? 0..<0)
        {
            bodyIsOverLimit = true
        }
        self.body = body.map { $0.kind == .string ? Array(($0.string ?? "").utf8) : Array($0.source) } ?? []
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || 0x30...0x39 ~= byte || 0x61...0x7A ~= byte
    }

    private static func isValueByte(_ byte: UInt8) -> Bool {
        byte >= UInt8(ascii: " ") && byte != 0x7F || byte == UInt8(ascii: "\t")
    }

    private static func isPathByte(_ byte: UInt8) -> Bool { byte > UInt8(ascii: " ") && byte != 0x7F }
}
