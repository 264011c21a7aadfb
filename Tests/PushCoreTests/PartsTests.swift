import PushCore
import Testing

@Suite struct PartsTests {
    @Test(
        arguments: [
            ("", "", true), ("", "a", false), ("abc", "", true), ("abc", "abc", true), ("abc", "bc", true),
            ("aab", "ab", true), ("abab", "abb", false), ("ab", "abc", false), ("https://a", "://", true),
            ("grün", "ün", true), ("gru\u{308}n", "ün", false),
        ])
    func includes(text: String, part: String, isIncluded: Bool) {
        #expect(text.includes(part) == isIncluded)
        #expect(text.dropFirst(0).includes(part) == isIncluded)
    }

    @Test func placeIsTheFirst() {
        let text = "one. two. three"
        #expect(text.place(of: ". ").map { String(text[..<$0]) } == "one")
    }
}
