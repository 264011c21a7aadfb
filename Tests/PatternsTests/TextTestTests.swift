import Patterns
import Testing

/// What a text has to be.
@Suite struct TextTestTests {
    /// Tests, texts that pass, and texts that do not.
    static let rows: [(test: TextTest, passes: [String], fails: [String])] = [
        (.equal("a"), ["a"], ["A", "", "aa"]), (.equal(""), [""], ["a"]),
        (.equalIgnoringCase("aB"), ["ab", "AB"], ["a", "abc"]),
        (.equalOrEnding("x", "/m/x"), ["x", "a/m/x", "/m/x"], ["a/x", "y/x", "xx", "m/x"]),
        (.contains(TextPattern("hel")), ["Oh HELLO"], ["he", "lo"]),
        (.beginsWith("hé"), ["hé", "héllo"], ["h", "he\u{301}llo", "Héllo", ""]), (.beginsWith(""), ["", "a"], []),
    ]

    private func passes(_ test: TextTest, _ text: String, portion: Int) -> Bool {
        var comparison = TextComparison()
        while true {
            var steps = portion
            if let passes = comparison.advance(test, text, steps: &steps) { return passes }
        }
    }

    @Test(arguments: rows.indices) func `a text passes or does not`(_ index: Int) {
        let (test, good, bad) = Self.rows[index]
        for text in good { #expect(passes(test, text, portion: 1), "\(test) \(text)") }
        for text in bad { #expect(!passes(test, text, portion: 1), "\(test) \(text)") }
    }

    @Test func `a regular expression is compared in portions, and a comparison can be used again`() throws {
        let test = TextTest.matches(try RegularExpression("a{3}b"))
        #expect(test.size == 5)
        for portion in [1, 3, 1000] {
            #expect(passes(test, "aaaaaab", portion: portion) && !passes(test, "aabaab", portion: portion))
        }
        var (comparison, steps) = (TextComparison(), 2)
        #expect(comparison.advance(test, "aaaaab", steps: &steps) == nil && steps <= 0)
        steps = 1000
        #expect(comparison.advance(test, "aaaaab", steps: &steps) == true)
        #expect(comparison.advance(test, "x", steps: &steps) == false)
    }
}
