import TestSupport
import Testing

@testable import WebSocket

struct FragmentationTests {
    @Test(arguments: [
        Sample("two", text("a", final: false), more("b"), gives: [.text("ab")]),
        Sample(
            "empty first and last", text("", final: false), more("b", final: false), more(""),
            gives: [.text("b")]),
        Sample(
            "only empty fragments", text("", final: false), more("", final: false), more(""),
            gives: [.text("")]),
        Sample(
            "binary", frame(2, [0xFF], final: false), frame(0, [0xFE]),
            gives: [.message(.binary, [0xFF, 0xFE])]),
        Sample(
            "ping between", text("a", final: false), frame(9, [1]), more("b"),
            gives: [.ping([1]), .text("ab")]),
        Sample(
            "pings between each", text("a", final: false), frame(9, [1]), more("b", final: false),
            frame(10, [2]), more("c"),
            gives: [.ping([1]), .pong([2]), .text("abc")]),
        Sample("close between", text("a", final: false), close(1000), gives: [.close(.normal, "")]),
        Sample(
            "two messages", text("a", final: false), more("b"), text("c", final: false), more("d"),
            gives: [.text("ab"), .text("cd")]),
        Sample("continuation without a message", more("a"), fails: .protocolError),
        Sample(
            "continuation without a message, not final", more("a", final: false), text("b"), fails: .protocolError),
        Sample(
            "continuation of a complete message", text("a"), more("b"), gives: [.text("a")], fails: .protocolError),
        Sample(
            "continuation of a complete fragmented message", text("a", final: false), more("b"), more("c"),
            gives: [.text("ab")], fails: .protocolError),
        Sample("text within text", text("a", final: false), text("b"), fails: .protocolError),
        Sample("binary within text", text("a", final: false), frame(2, []), fails: .protocolError),
        Sample(
            "text within an empty fragment's message", text("", final: false), text("b"),
            fails: .protocolError),
        Sample("ping in fragments", frame(9, [1], final: false), frame(0, [2]), fails: .protocolError),
    ])
    func `fragments are joined around control frames`(_ sample: Sample) { check(sample) }

    @Test func `a message may have a thousand empty fragments`() {
        let empty = Array(Array(repeating: more("", final: false), count: 999).joined())
        let start = text("", final: false) + empty
        check(Sample("thousand", start, more("b"), start, more("c"), gives: [.text("b"), .text("c")]))
        check(Sample("one more", start, more("", final: false), more("b"), fails: .notAllowed))
    }

    @Test func `a message may be cut into a thousand fragments`() {
        let inner = Array(Array(repeating: more("xy", final: false), count: 1000).joined())
        let whole = "a" + String(repeating: "xy", count: 1000) + "b"
        check(Sample("thousand", text("a", final: false), inner, more("b"), gives: [.text(whole)]))
    }

    @Test(arguments: [
        Sample("at the limit", text("12345678"), gives: [.text("12345678")]),
        Sample("over the limit, known from the header", [0x81, 9], fails: .tooBig),
        Sample("fragments at the limit", text("1234", final: false), more("5678"), gives: [.text("12345678")]),
        Sample("fragments over the limit", text("1234", final: false), [0x80, 5], fails: .tooBig),
        Sample("empty fragment at the limit", text("12345678", final: false), more(""), gives: [.text("12345678")]),
        Sample(
            "another message after one at the limit", text("12345678"), text("12345678"),
            gives: [.text("12345678"), .text("12345678")]),
        Sample(
            "a control frame is not counted", frame(9, [1, 2, 3, 4, 5, 6, 7, 8, 9]),
            gives: [.ping([1, 2, 3, 4, 5, 6, 7, 8, 9])]),
        Sample(
            "a ping between fragments is not counted", text("1234", final: false), frame(9, [1, 2, 3, 4, 5]),
            more("5678"), gives: [.ping([1, 2, 3, 4, 5]), .text("12345678")]),
    ])
    func `a message over the limit is refused as soon as its length is known`(_ sample: Sample) {
        check(sample, .frames(limit: 8))
    }

    @Test func `an error is final`() throws {
        var decoder = FrameDecoder(expectsMask: false, messageLimit: 8)
        for input in [[0x83], text("a"), []] {
            var offset = 0
            #expect(throws: CloseCode.protocolError) { try decoder.next(input.span, from: &offset) }
        }
    }
}
