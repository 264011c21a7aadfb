import HTTPCore
import TestSupport
import Testing

@testable import HTTP2

/// Compares two servers: one gets complete frames, in which literals are replaced by placeholders; the other gets
/// single bytes, so that nothing is replaced. Both must read the same requests.
@Suite struct HeaderLiteralCacheTests {
    private static let path = "/3/device/" + String(repeating: "a1b2c3d4", count: 8)
    private static let bearer = "bearer " + String(repeating: "e.", count: 60)
    private static let start: [UInt8] = [0x83, 0x87] + literal(1, "a")

    private static func literal(_ name: Int, _ value: String, flags: UInt8 = 0, prefix: Int = 4) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(name, prefix: prefix, flags: flags)
        bytes.append(value.utf8.count, prefix: 7, flags: 0)
        return bytes + Array(value.utf8)
    }

    private static func frame(_ block: [UInt8], _ id: Int, flags: UInt8 = 5, type: UInt8 = 1) -> [UInt8] {
        [0, UInt8(block.count >> 8), UInt8(block.count & 255), type, flags, 0, 0, UInt8(id >> 8), UInt8(id & 255)]
            + block
    }

    private final class Side {
        let server = HTTP2Server(settings: HTTP2Settings()) { _ in RequestPlan(route: RouteTag(0), bodyLimit: 0) }
        var heads: [String] = []

        func take(_ bytes: some Sequence<UInt8>) throws {
            let bytes = Array(bytes)
            var offset = 0
            while offset < bytes.count {
                try server.receive(bytes.span, from: &offset, at: 0)
                while let event = server.nextEvent() {
                    guard case .request(let id, let request) = event else { continue }
                    heads.append(
                        request.headers.map { String(decoding: $0.name + [0x3D] + $0.value, as: UTF8.self) }.joined(
                            separator: "|"))
                    server.respond(Response(status: 200), on: id)
                }
                var output: [UInt8] = []
                server.drain(into: &output, upTo: .max)
            }
        }
    }

    /// The requests that both servers read, and the number of frames with placeholders.
    private func read(_ frames: [[UInt8]]) throws -> (heads: [String], rewritten: Int) {
        let whole = Side()
        let split = Side()
        var rewritten = 0
        let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + [0, 0, 0, 4, 0, 0, 0, 0, 0]
        for frame in [preface] + frames {
            try whole.take(frame)
            if whole.server.state.literalCache.hasPlaceholders { rewritten += 1 }
            for byte in frame { try split.take([byte]) }
        }
        #expect(whole.heads == split.heads)
        let isSplitRewritten = split.server.state.literalCache.hasPlaceholders
        #expect(!isSplitRewritten)
        return (whole.heads, rewritten)
    }

    @Test func `a repeated path and bearer token are read unchanged`() throws {
        let block = Self.start + Self.literal(4, Self.path) + Self.literal(23, Self.bearer, flags: 0x10)
        let (heads, rewritten) = try read([1, 3, 5].map { Self.frame(block, $0) })
        #expect(
            heads
                == Array(
                    repeating:
                        ":method=POST|:scheme=https|:authority=a|:path=\(Self.path)|authorization=\(Self.bearer)",
                    count: 3))
        #expect(rewritten == 2)
    }

    @Test func `the path and the token may change independently`() throws {
        let other = Self.path.replacing("a", with: "b")
        let rows = [
            (Self.path, Self.bearer), (other, Self.bearer), (other, Self.bearer + "x"), (Self.path, Self.bearer),
            (Self.path, Self.bearer),
        ]
        let (heads, rewritten) = try read(
            rows.enumerated().map { number, row in
                Self.frame(Self.start + Self.literal(4, row.0) + Self.literal(23, row.1), 2 * number + 1)
            })
        #expect(heads == rows.map { ":method=POST|:scheme=https|:authority=a|:path=\($0.0)|authorization=\($0.1)" })
        #expect(rewritten == 3)
    }

    /// A token from HPACK's table together with a literal one, in either order; two literal tokens; padding; a block in
    /// two frames; a trailer; a refused request; names and values that encoders do not write.
    @Test func `ambiguous frames are read unchanged`() throws {
        let first = "bearer " + String(repeating: "f.", count: 60)
        let table = Self.start + Self.literal(4, Self.path) + Self.literal(23, first, flags: 0x40, prefix: 6)
        let literal = Self.literal(23, Self.bearer)
        let both = Self.start + Self.literal(4, Self.path) + [0xBE] + literal
        let reverse = Self.start + Self.literal(4, Self.path) + literal + [0xBE]
        let twice = Self.start + Self.literal(4, Self.path) + literal + Self.literal(23, first)
        // nghttp2 resets the stream because of this value. If it only dropped the field, the cache could store the
        // valid value for the literal of the invalid one.
        let refused = Self.literal(23, Self.bearer + "\u{1}")
        let named = [0, 13] + Array("authorization".utf8) + literal.dropFirst(2)
        let plain = Self.start + Self.literal(4, Self.path) + literal
        let frames = [
            Self.frame(table, 1), Self.frame(both, 3), Self.frame(both, 5), Self.frame(plain, 7), Self.frame(plain, 9),
            Self.frame(reverse, 11), Self.frame(reverse, 13), Self.frame(twice, 15), Self.frame(twice, 17),
            Self.frame([3] + plain + [0, 0, 0], 19, flags: 0x0D), Self.frame([0, 0, 0, 0, 9] + plain, 21, flags: 0x25),
            Self.frame(Array(plain.prefix(9)), 23, flags: 1),
            Self.frame(Array(plain.dropFirst(9)), 23, flags: 4, type: 9),
            Self.frame(plain, 25, flags: 4), Self.frame(Self.literal(23, first), 25), Self.frame(plain, 27),
            Self.frame(Self.start + Self.literal(4, Self.path + "\u{7F}"), 29),
            Self.frame(Self.start + Self.literal(4, Self.path + "\u{7F}"), 31),
            Self.frame(Self.start + Self.literal(5, Self.path), 33), Self.frame(plain, 35),
            Self.frame(Self.start + Self.literal(4, "/x") + Self.literal(23, ""), 37), Self.frame(plain, 39),
            Self.frame(Self.start + Self.literal(4, Self.path) + refused + named, 41),
            Self.frame(Self.start + Self.literal(4, Self.path) + refused, 43),
            Self.frame(plain, 45),
        ]
        let (heads, rewritten) = try read(frames)
        #expect(heads.count == 19)
        #expect(heads.filter { $0.contains(Self.bearer) }.count == 16)
        #expect(rewritten > 0)
    }

    @Test func `a frame that is too large is still refused`() throws {
        let long = Self.literal(4, "/" + String(repeating: "x", count: 2000))
        let frames = [
            Self.start + long, Self.start + long + Self.literal(58, String(repeating: "a", count: 14_600)),
            Self.start + long,
        ]
        let (heads, _) = try read(frames.enumerated().map { Self.frame($1, 2 * $0 + 1) })
        #expect(heads.count == 1)
    }

    @Test func `random blocks are read unchanged`() throws {
        var random = SeededGenerator(seed: 1)
        let path = Self.literal(4, Self.path)
        let tables = [
            Self.literal(23, Self.bearer + "t", flags: 0x40, prefix: 6),
            Self.literal(58, "table", flags: 0x40, prefix: 6),
        ]
        let bearers =
            [
                Self.literal(23, Self.bearer), Self.literal(23, Self.bearer + "0", flags: 0x10),
                Self.literal(23, Self.path), [0xBE], [0xBF], [],
            ] + tables
        let paths = [path, Self.literal(4, Self.path + "0"), Self.literal(5, Self.path, flags: 0x10), [0x84]]
        for _ in 0..<40 {
            let first = Self.frame(Self.start + path + tables.joined(), 1)
            let (heads, rewritten) = try read(
                [first]
                    + (1..<40).map { number in
                        let fields =
                            [paths.randomElement(using: &random)!]
                            + (0..<2).map { _ in bearers.randomElement(using: &random)! }
                        return Self.frame(Self.start + fields.joined(), 2 * number + 1)
                    })
            #expect(heads.count == 40)
            #expect(rewritten > 0)
        }
    }
}
