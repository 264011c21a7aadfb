import Testing

import Patterns

@Suite struct TextPatternTests {
    private func isFound(_ pattern: String, in text: String) -> Bool {
        TextPattern(pattern).isContained(in: Array(text.utf8).span)
    }

    @Test(
        arguments: [
            ("hello", "Say HELLO to them", true), ("HELLO", "say hello", true), ("hello", "hell o", false),
            ("", "", true), ("", "a", true), ("a", "", false), ("a", "bA", true), ("z", "aaa", false),
            ("ab", "aab", true), ("aab", "aaab", true), ("é", "caf\u{E9}", true), ("É", "caf\u{E9}", false),
            ("a]", "A]", true), ("a]", "a}", false), ("[", "{", false), ("@", "`", false), ("long", "lon", false),
            ("🍵", "tea 🍵!", true),
        ])
    func `ASCII letters match in either case, everything else byte by byte`(
        pattern: String, text: String, expected: Bool
    ) {
        #expect(isFound(pattern, in: text) == expected)
    }

    @Test func `a match is found at every position, whatever the length of the text`() {
        for length in [1, 2, 63, 64, 65, 128, 200] {
            for start in 0..<length {
                var text = [UInt8](repeating: UInt8(ascii: "n"), count: length)
                for (offset, byte) in "nEedLe".utf8.enumerated() where start + offset < length {
                    text[start + offset] = byte
                }
                let fits = start + 6 <= length
                #expect(TextPattern("needle").isContained(in: text.span) == fits, "\(start) of \(length)")
            }
        }
    }
}
