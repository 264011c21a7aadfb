import Testing

@testable import WebSocket

struct TextTests {
    @Test(arguments: [
        "", "Hello-µ@ßöäüàá-UTF-8!!", "κόσμε", "\u{0}", "\u{7F}", "\u{80}", "\u{7FF}", "\u{800}", "\u{D7FF}",
        "\u{E000}",
        "\u{FFFD}", "\u{FFFE}", "\u{FFFF}", "\u{10000}", "\u{10FFFF}", "👩‍👩‍👧‍👦",
    ])
    func `text is decoded, even if a character is split between fragments`(_ string: String) {
        check(Sample(string, text(string), gives: [.text(string)]))
        let bytes = Array(string.utf8)
        for cut in 0...bytes.count {
            let input = frame(1, bytes[..<cut], final: false) + frame(9, [0xFF]) + frame(0, bytes[cut...])
            check(Sample(string, input, gives: [.ping([0xFF]), .text(string)]))
        }
    }

    /// Each text with the index of its first invalid byte.
    @Test(
        arguments: [
            ([0x80], 0), ([0xBF], 0), ([0xC0, 0xAF], 0), ([0xC1, 0xBF], 0), ([0xC2, 0x41], 1),
            ([0xC2, 0xC2], 1),
            ([0xE0, 0x80, 0xAF], 1), ([0xE0, 0x9F, 0xBF], 1), ([0xE1, 0x80, 0x41], 2),
            ([0xED, 0xA0, 0x80], 1),
            ([0xED, 0xBF, 0xBF], 1), ([0xEF, 0xBF, 0xC0], 2), ([0xF0, 0x80, 0x80, 0xAF], 1),
            ([0xF0, 0x8F, 0xBF, 0xBF], 1),
            ([0xF0, 0x90, 0x41], 2), ([0xF1, 0x80, 0x80, 0x7F], 3), ([0xF4, 0x90, 0x80, 0x80], 1),
            ([0xF5], 0), ([0xF8], 0),
            ([0xFE], 0), ([0xFF], 0), ([0xCE, 0xBA, 0xE1, 0xBD, 0xB9, 0xED, 0xA0], 6),
        ] as [([UInt8], Int)])
    func `text is refused at its first invalid byte, before the frame is complete`(_ bytes: [UInt8], _ place: Int) {
        let before = [0x01, 125] + bytes[..<place]
        check(Sample("before the invalid byte", before))
        check(Sample("at the invalid byte", before, [bytes[place]], fails: .invalidText))
        let fragments = frame(1, bytes[..<place], final: false) + frame(9, [])
        check(
            Sample(
                "in the next fragment", fragments, [0x00, 9, bytes[place]], gives: [.ping([])],
                fails: .invalidText))
    }

    @Test(arguments: [[0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x91], [0x61, 0xF4]] as [[UInt8]])
    func `text cannot end within a character`(_ bytes: [UInt8]) {
        check(Sample("complete", frame(1, bytes), fails: .invalidText))
        check(Sample("in fragments", frame(1, bytes, final: false), frame(0, []), fails: .invalidText))
        check(Sample("incomplete", frame(1, bytes, final: false), frame(0, [], final: false)))
        check(Sample("binary", frame(2, bytes), gives: [.message(.binary, bytes)]))
    }

    @Test func `the validator agrees with the standard library on every pair of first bytes`() {
        var disagreements: [[UInt8]] = []
        for first in 0...255 as ClosedRange<UInt8> {
            for second in 0...255 as ClosedRange<UInt8> {
                for tail in [[], [0x80], [0xBF, 0x80], [0x41]] as [[UInt8]] {
                    let bytes = [first, second] + tail
                    var validator = UTF8Validator()
                    let isText = validator.accepts(bytes.span) && validator.isBetweenCharacters
                    if isText != (String(validating: bytes, as: UTF8.self) != nil) {
                        disagreements.append(bytes)
                    }
                }
            }
        }
        #expect(disagreements.isEmpty)
    }
}
