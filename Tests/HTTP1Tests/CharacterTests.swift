import HTTP1
import TestSupport
import Testing

/// Tries every byte in every part of a request and compares the accepted ones with lists written out here.
struct CharacterTests {
    private static let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    private static let digits = "0123456789"

    private func accepted(_ before: String, _ after: String) -> Set<UInt8> {
        Set(
            (UInt8.min...UInt8.max).filter { byte in
                let input = Array(before.utf8) + [byte] + Array(after.utf8)
                return ChunkingVerifier.requests().run([input[...]]).events.last == "end"
            })
    }

    @Test func `a field name is made of token characters`() {
        let expected = Set((Self.letters + Self.digits + "!#$%&'*+-.^_`|~").utf8)
        #expect(
            accepted("GET / HTTP/1.1\r\nHost: a\r\nb", "c: d\r\n\r\n") == expected.union([0x3A]),
            "and the colon, which ends the name")
    }

    @Test func `a method is made of token characters except lower-case letters`() {
        let expected = Set((Self.letters.uppercased() + Self.digits + "!#$%&'*+-.^_`|~").utf8)
        #expect(accepted("X", "X / HTTP/1.1\r\nHost: a\r\n\r\n") == expected)
    }

    @Test func `a target is made of printable ASCII except the number sign`() {
        #expect(accepted("GET /", " HTTP/1.1\r\nHost: a\r\n\r\n") == Set(0x21...0x7E).subtracting([0x23]))
    }

    @Test func `tab is the only control character in a value`() {
        let expected = Set(UInt8(0x20)...0xFF).subtracting([0x7F]).union([0x09])
        #expect(accepted("GET / HTTP/1.1\r\nHost: a\r\nb: c", "d\r\n\r\n") == expected)
    }

    @Test func `a host is made of the characters of a registered name (RFC 3986)`() {
        let expected = Set((Self.letters + Self.digits + "-._~!$&'()*+,;=").utf8)
        #expect(accepted("GET / HTTP/1.1\r\nHost: a", "b\r\n\r\n") == expected)
    }

    @Test func `a port is made of digits`() {
        #expect(
            accepted("GET / HTTP/1.1\r\nHost: a:1", "\r\n\r\n") == Set((Self.digits + " \t").utf8),
            "and white space after it")
    }

    @Test func `a length is made of digits`() {
        let before = "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 0"
        #expect(
            accepted(before, "\r\n\r\n") == Set("0 \t".utf8), "with other digits a body would have to follow")
    }

    @Test func `a chunk's size is made of hexadecimal digits`() {
        let before = "PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0"
        #expect(
            accepted(before, "\r\n\r\n") == Set("0;".utf8), "with other digits a chunk would have to follow")
        let whole = before.dropLast()
        let sizes = "0123456789abcdefABCDEF".filter { digit in
            let data = String(repeating: "x", count: digit.hexDigitValue ?? 0)
            let input = Array((whole + "\(digit)\r\n\(data)\(data.isEmpty ? "" : "\r\n0\r\n")\r\n").utf8)
            return ChunkingVerifier.requests().run([input[...]]).events.last == "end"
        }
        #expect(sizes.count == 22)
    }
}
