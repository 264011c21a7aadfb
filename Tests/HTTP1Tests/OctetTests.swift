import HTTP1
import Testing

/// Every octet in every place of a request, against lists written out here.
struct OctetTests {
    private static let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    private static let digits = "0123456789"

    private func accepted(_ before: String, _ after: String) -> Set<UInt8> {
        Set(
            (UInt8.min...UInt8.max).filter { octet in
                let input = Array(before.utf8) + [octet] + Array(after.utf8)
                return ChunkingVerifier.requests().run([input[...]]).events.last == "end"
            })
    }

    @Test func `a field name is made of token characters`() {
        let expected = Set((Self.letters + Self.digits + "!#$%&'*+-.^_`|~").utf8)
        #expect(
            accepted("GET / HTTP/1.1\r\nHost: a\r\nb", "c: d\r\n\r\n") == expected.union([0x3A]),
            "and the colon")
    }

    @Test func `a method is made of token characters but lower-case letters`() {
        let expected = Set((Self.letters.uppercased() + Self.digits + "!#$%&'*+-.^_`|~").utf8)
        #expect(accepted("X", "X / HTTP/1.1\r\nHost: a\r\n\r\n") == expected)
    }

    @Test func `a target is made of printable ASCII but the number sign`() {
        #expect(accepted("GET /", " HTTP/1.1\r\nHost: a\r\n\r\n") == Set(0x21...0x7E).subtracting([0x23]))
    }

    @Test func `a value has no control characters but tabs`() {
        let expected = Set(UInt8(0x20)...0xFF).subtracting([0x7F]).union([0x09])
        #expect(accepted("GET / HTTP/1.1\r\nHost: a\r\nb: c", "d\r\n\r\n") == expected)
    }

    @Test func `a host is made of what a registered name is made of`() {
        let expected = Set((Self.letters + Self.digits + "-._~!$&'()*+,;=").utf8)
        #expect(accepted("GET / HTTP/1.1\r\nHost: a", "b\r\n\r\n") == expected)
    }

    @Test func `a port is made of digits`() {
        #expect(
            accepted("GET / HTTP/1.1\r\nHost: a:1", "\r\n\r\n") == Set((Self.digits + " \t").utf8),
            "and blanks behind")
    }

    @Test func `a length is made of digits`() {
        let before = "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 0"
        #expect(
            accepted(before, "\r\n\r\n") == Set("0 \t".utf8), "other digits make a body that does not come")
    }

    @Test func `a chunk's size is made of hexadecimal digits`() {
        let before = "PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0"
        #expect(
            accepted(before, "\r\n\r\n") == Set("0;".utf8), "other digits make a chunk that does not come")
        let whole = before.dropLast()
        let sizes = "0123456789abcdefABCDEF".filter { digit in
            let data = String(repeating: "x", count: digit.hexDigitValue ?? 0)
            let input = Array((whole + "\(digit)\r\n\(data)\(data.isEmpty ? "" : "\r\n0\r\n")\r\n").utf8)
            return ChunkingVerifier.requests().run([input[...]]).events.last == "end"
        }
        #expect(sizes.count == 22)
    }
}
