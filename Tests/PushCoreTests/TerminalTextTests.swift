import PushCore
import Testing

@Suite struct TerminalTextTests {
    @Test(arguments: [
        ("", ""), ("plain, ünïcödé, 漢字 👩‍👩‍👧", "plain, ünïcödé, 漢字 👩‍👩‍👧"), ("a\tb\nc", "a\tb\nc"),
        ("\u{1B}[2J", "\\u001b[2J"), ("a\r\nb", "a\\u000d\nb"), ("\0\u{7}\u{8}", "\\u0000\\u0007\\u0008"),
        ("\u{7F}\u{80}\u{9B}31m\u{9F}\u{A0}", "\\u007f\\u0080\\u009b31m\\u009f\u{A0}"),
        ("\u{202E}gpj.exe\u{202C}", "\\u202egpj.exe\\u202c"), ("\u{2066}\u{2069}\u{200F}", "\\u2066\\u2069\\u200f"),
        ("\u{061C}\u{2028}", "\\u061c\\u2028"), ("\u{200D}\u{2030}", "\u{200D}\u{2030}"),
    ])
    func `characters that control a terminal are escaped, others are not`(text: String, shown: String) {
        #expect(text.escapedForTerminals(keepsLines: true).unicodeScalars.elementsEqual(shown.unicodeScalars))
    }

    @Test func `a value that has to stay on its line loses line feeds and tabs too`() {
        #expect("a\tb\nc".onOneLine == "a\\u0009b\\u000ac")
        #expect(["a\nb", "", "\u{202E}c"].asLines == "a\\u000ab\n\n\\u202ec\n")
    }
}
