import HTTPCore
import Testing

@testable import HTTP2

/// What a client may send that costs the server work but brings no request forward.
@Suite struct AbuseTests {
    /// A server that has read the client's preface and SETTINGS.
    private final class Peer {
        let server: HTTP2Server
        private(set) var events: [HTTP2Event] = []
        /// The stream and code of each RST_STREAM, and stream 0 with the code of each GOAWAY.
        private(set) var ends: [[UInt32]] = []
        private(set) var debug = ""

        init(_ change: (inout HTTP2Limits) -> Void = { _ in }) throws {
            var limits = HTTP2Limits()
            change(&limits)
            server = HTTP2Server(settings: HTTP2Settings(), limits: limits) { _ in
                RequestPlan(route: RouteTag(0), bodyLimit: 4096)
            }
            try feed(Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + AbuseTests.frame(4, 0, 0))
        }

        func feed(_ bytes: [UInt8], at time: UInt64 = 0) throws {
            var offset = 0
            var output: [UInt8] = []
            while offset < bytes.count {
                try server.receive(bytes.span, from: &offset, at: time)
                while let event = server.nextEvent() { events.append(event) }
                server.drain(into: &output, upTo: .max)
            }
            var rest = output[...]
            while rest.count >= 9 {
                func word(_ at: Int) -> UInt32 { rest.dropFirst(at).prefix(4).reduce(0) { $0 << 8 | UInt32($1) } }
                let length = Int(word(0) >> 8)
                switch rest[rest.startIndex + 3] {
                case 3: ends.append([word(5), word(9)])
                case 7:
                    ends.append([0, word(13)])
                    debug += String(decoding: rest.dropFirst(17).prefix(length - 8), as: UTF8.self)
                default: break
                }
                rest = rest.dropFirst(9 + length)
            }
        }

        var requests: [StreamID] {
            events.compactMap { if case .request(let id, _) = $0 { id } else { nil } }
        }
        var oversized: [StreamID] {
            events.compactMap { if case .headersTooLarge(let id, _) = $0 { id } else { nil } }
        }
    }

    private static func frame(_ type: UInt8, _ flags: UInt8, _ stream: UInt32, _ payload: [UInt8] = []) -> [UInt8] {
        let count = UInt32(payload.count)
        return [count >> 16, count >> 8, count].map { UInt8(truncatingIfNeeded: $0) } + [type, flags]
            + [stream >> 24, stream >> 16, stream >> 8, stream].map { UInt8(truncatingIfNeeded: $0) } + payload
    }

    /// GET / over http from the authority `a`.
    private static let pseudoFields: [UInt8] = [0x82, 0x84, 0x86, 0x01, 1, 0x61]
    /// A field of 3,901 bytes that is added to HPACK's table. 0xBE refers to it.
    private static let largeField: [UInt8] = [0x40, 1, 0x78, 0x7F, 0xBD, 0x1D] + Array(repeating: 0x61, count: 3900)

    private static func request(_ stream: UInt32, _ fields: [UInt8] = [], ends: Bool = true) -> [UInt8] {
        frame(1, ends ? 5 : 4, stream, pseudoFields + fields)
    }

    @Test(arguments: [(1, "request"), (2, "too large"), (8, "too large"), (9, "reset"), (12_000, "reset")])
    func `a block that expands beyond the limit is not decoded to its end`(uses: Int, outcome: String) throws {
        let peer = try Peer()
        let references = Array(repeating: UInt8(0xBE), count: uses - 1)
        try peer.feed(Self.request(1, Self.largeField + references))
        #expect(peer.requests == (outcome == "request" ? [1] : []))
        #expect(peer.oversized == (outcome == "too large" ? [1] : []))
        #expect(peer.ends == (outcome == "reset" ? [[1, 2]] : []))
        // Our HPACK table is still in sync with the client's.
        try peer.feed(Self.request(3, [0xBE]))
        #expect(peer.requests.last == 3)
    }

    @Test func `trailers have the same limit`() throws {
        let peer = try Peer()
        try peer.feed(Self.request(1, ends: false))
        try peer.feed(Self.frame(1, 5, 1, Self.largeField + Array(repeating: 0xBE, count: 1000)))
        #expect(peer.ends == [[1, 2]])
    }

    /// What a client repeats, on the open stream 1 or for each new stream.
    struct Flood: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let why: String
        let bytes: @Sendable (UInt32) -> [UInt8]

        init(_ name: String, _ why: String, _ bytes: @escaping @Sendable (UInt32) -> [UInt8]) {
            (testDescription, self.why, self.bytes) = (name, why, bytes)
        }
    }

    static let floods: [Flood] = [
        Flood("blocks that expand", "too many streams with errors") { stream in
            request(stream, largeField + Array(repeating: 0xBE, count: 100))
        },
        Flood("windows that overflow", "too many streams with errors") { stream in
            request(stream, ends: false) + frame(8, 0, stream, [0x7F, 0xFF, 0xFF, 0xFF])
        },
        Flood("bodies that are too long", "too many streams with errors") { stream in
            request(stream, [0x0F, 13, 1, 0x31], ends: false) + frame(0, 1, stream, [1, 2])
        },
        Flood("streams over the limit", "too many streams were refused") { request($0, ends: false) },
        Flood("WINDOW_UPDATE", "too many window updates") { _ in frame(8, 0, 0, [0, 0, 0, 1]) },
        Flood("unknown frames", "too many frames without a request") { _ in frame(0xFB, 0, 0, [1]) },
        Flood("PING", "too many frames without a request") { _ in frame(6, 0, 0, Array(repeating: 0, count: 8)) },
        Flood("DATA of one byte", "too many frames without a request") { _ in frame(0, 0, 1, [1]) },
        Flood("DATA with padding only", "too many frames without a request") { _ in
            frame(0, 8, 1, [200] + Array(repeating: 0, count: 200))
        },
    ]

    @Test(arguments: floods) func `a flood ends the connection`(flood: Flood) throws {
        let peer = try Peer { limits in
            limits.provokedResets = TokenBucket(capacity: 3, perSecond: 10)
            limits.refusals = TokenBucket(capacity: 3, perSecond: 10)
            limits.openStreams = 2
            limits.idleFrames = TokenBucket(capacity: 5, perSecond: 10)
            limits.windowUpdates = TokenBucket(capacity: 5, perSecond: 10)
        }
        try peer.feed(Self.request(1, ends: false))
        // The capacity is not used up, and a second later it is full again.
        for (second, stream) in [UInt32](arrayLiteral: 3, 5, 7, 9, 11, 13).enumerated() {
            try peer.feed(flood.bytes(stream), at: UInt64(second) * 1000)
        }
        #expect(!peer.ends.contains { $0[0] == 0 })
        for stream in stride(from: UInt32(15), to: 31, by: 2) { try peer.feed(flood.bytes(stream), at: 6000) }
        try peer.feed(Self.request(31), at: 6000)
        #expect(peer.ends.contains([0, HTTP2ErrorCode.enhanceYourCalm.rawValue]))
        #expect(peer.debug == flood.why)
        #expect(!peer.requests.contains(31))
    }

    @Test func `resets that the server decides on are not the client's errors`() throws {
        let peer = try Peer { $0.provokedResets = TokenBucket(capacity: 1, perSecond: 1) }
        for stream in stride(from: UInt32(1), to: 41, by: 2) {
            try peer.feed(Self.request(stream))
            peer.server.reset(StreamID(stream), .protocolError)
        }
        try peer.feed(Self.request(41))
        #expect(peer.requests.count == 21)
        #expect(peer.ends.count == 20 && !peer.ends.contains { $0[0] == 0 })
    }

    @Test func `a body of large frames is not a flood`() throws {
        let peer = try Peer { $0.idleFrames = TokenBucket(capacity: 2, perSecond: 1) }
        try peer.feed(Self.request(1, ends: false))
        for _ in 0..<100 { try peer.feed(Self.frame(0, 0, 1, Array(repeating: 7, count: 16))) }
        try peer.feed(Self.frame(0, 1, 1, [7]))
        #expect(peer.requests == [1])
    }
}
