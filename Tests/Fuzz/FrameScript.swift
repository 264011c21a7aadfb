/// Bytes that are read one after the other; zeros behind the end.
struct ByteReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    var isAtEnd: Bool { rest.isEmpty }
    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    mutating func bytes(_ count: Int) -> ArraySlice<UInt8> {
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }
}

/// Turns bytes into HTTP/2 frames whose lengths are right, most of them of kinds and on streams that mean something.
enum FrameScript {
    static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    /// The next frame: a byte for its type, one for its flags, one for its stream, one for its length, then as much
    /// payload. Types from 16 on are a request from the table, with a block no reader refuses.
    static func frame(_ reader: inout ByteReader) -> [UInt8] {
        let kind = reader.byte()
        let flags = reader.byte()
        let stream = reader.byte()
        let payload = Array(reader.bytes(Int(reader.byte())))
        if kind >= 16 { return frame(1, flags | 4, stream | 1, blocks[Int(kind) % blocks.count] + payload) }
        return frame(kind, flags, stream, payload)
    }

    static func frame(_ type: UInt8, _ flags: UInt8, _ stream: UInt8, _ payload: [UInt8]) -> [UInt8] {
        let length = payload.count
        return [0, UInt8(length >> 8), UInt8(length & 255), type, flags, 0, 0, 0, stream] + payload
    }

    /// HPACK without a dynamic table: literals that are not indexed, two names from the static table.
    static func block(_ fields: [(String, String)]) -> [UInt8] {
        fields.flatMap { name, value in
            let known: [String: [UInt8]] = [":path": [4], "authorization": [0x0F, 8]]
            return (known[name] ?? [0, UInt8(name.utf8.count)] + name.utf8) + [UInt8(value.utf8.count)]
                + Array(value.utf8)
        }
    }

    private static func request(_ method: String, _ path: String, _ more: [(String, String)] = []) -> [UInt8] {
        block(
            [(":method", method), (":scheme", "https"), (":authority", "localhost"), (":path", path)] + more)
    }

    private static let token = String(repeating: "a1b2c3d4", count: 8)
    private static let bearer = "bearer aaaa.bbbb.cccc"

    static let blocks: [[UInt8]] = [
        request("GET", "/livez"),
        request(
            "POST", "/3/device/\(token)", [("apns-topic", "com.example.app"), ("authorization", bearer)]),
        request(
            "POST", "/3/device/\(token)",
            [("apns-topic", "com.example.app"), ("authorization", bearer), ("content-length", "20")]),
        request(
            "POST", "/3/device/\(token)",
            [("apns-priority", "7"), ("apns-id", "x"), ("apns-expiration", "-1")]),
        request("POST", "/v1/projects/p/messages:send", [("content-type", "application/json")]),
        request("HEAD", "/"), request("GET", "/metrics"), request("GET", "/devices/socket"),
        request("CONNECT", "/devices/socket", [(":protocol", "websocket")]),
        request("DELETE", "/api/v1/pushes"), request("GET", "*"),
        block([("x", "y")]),
        block([(":status", "200")]),
    ]
}
