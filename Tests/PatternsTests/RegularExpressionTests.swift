import Testing

@testable import Patterns

/// Which texts an expression matches, and which expressions are refused.
@Suite struct RegularExpressionTests {
    /// Expressions, texts that match, and texts that do not.
    static let rows: [(expression: String, matches: [String], others: [String])] = [
        ("", ["", "a"], []), ("a", ["a", "xax"], ["", "A", "x"]), ("a.c", ["abc", "aéc", "a🍵c"], ["ac", "a\nc"]),
        ("^a", ["a", "ab"], ["ba", "\na"]), ("a$", ["a", "ba"], ["ab", "a\n"]), ("^$", [""], ["\n", "a"]),
        ("^a|b$", ["ax", "xb"], ["xa", "bx"]), ("a|", ["", "a", "b"], []),
        ("^(a|bc)d$", ["ad", "bcd"], ["d", "abcd"]),
        ("^a*$", ["", "aaa"], ["ab"]), ("^a+$", ["a", "aa"], ["", "b"]), ("^a?b$", ["b", "ab"], ["aab"]),
        ("^a{2}$", ["aa"], ["a", "aaa"]), ("^a{2,}$", ["aa", "aaaa"], ["a"]), ("^a{1,2}$", ["a", "aa"], ["", "aaa"]),
        ("^a{,2}$", ["", "aa"], ["aaa"]), ("^a{0}$", [""], ["a"]), ("^(ab){2}$", ["abab"], ["ab", "abb"]),
        ("^(?:a|b)*c$", ["c", "abbac"], ["abx", "d"]), ("^(a*)*$", ["", "aa"], ["b"]),
        ("^(a*)+b$", ["b", "aab"], ["a"]),
        ("^(|a)+$", ["", "aa"], ["b"]), ("a(\\b)*(^)?b", ["ab"], ["a b"]), ("^a*?b$", ["b", "aab"], ["a"]),
        ("^a{1,2}?$", ["a", "aa"], ["aaa"]),
        ("^[abc]$", ["a", "c"], ["d", "ab"]), ("^[^abc]$", ["d", "\n", "é"], ["a", ""]),
        ("^[a-cx]$", ["b", "x"], ["d"]),
        ("^[a-]$", ["a", "-"], ["b"]), ("^[-a]$", ["a", "-"], ["b"]), ("^[\\]\\\\]$", ["]", "\\"], ["["]),
        ("^[.]$", ["."], ["a"]), ("^[\\d.]+$", ["1.5"], ["1a"]), ("^[^\\s]+$", ["ab"], ["a b"]),
        ("^[é-ü]$", ["ö"], ["a"]),
        ("^\\d+$", ["0123456789"], ["a", "٣"]), ("^\\D$", ["a", "٣"], ["1"]), ("^\\w+$", ["aZ_9"], ["a-b", "é"]),
        ("^\\W$", ["-", "é"], ["a"]), ("^\\s+$", [" \t\r\n\u{B}\u{C}"], ["a", "\u{A0}"]),
        ("^\\S+$", ["a\u{A0}"], [" "]),
        ("\\bcat\\b", ["cat", "a cat.", "(cat)"], ["cats", "_cat"]), ("\\Bcat", ["scat"], ["cat", "a cat"]),
        ("\\b", ["a"], ["", "-"]), ("^é\\b", ["éa"], ["é", "é "]),
        ("\\.\\*\\(\\)\\[\\]\\{\\}\\?\\+\\|\\^\\$\\/", [".*()[]{}?+|^$/"], ["a"]),
        ("^\\x41\\u00e9\\t$", ["Aé\t"], ["A\u{65}\u{301}\t"]), ("🍵{2}", ["a🍵🍵"], ["🍵"]),
        ("^(a|ab)(c|bcd)$", ["abcd", "abc"], ["ab"]),
        (
            "order #\\d{3,5} (shipped|delivered)", ["Your order #1234 shipped"],
            ["order #12 shipped", "order #1234 lost"]
        ),
    ]

    @Test(arguments: rows.indices) func `an expression matches any part of a text`(_ index: Int) throws {
        let (source, matches, others) = Self.rows[index]
        let expression = try RegularExpression(source)
        for text in matches { #expect(expression.matches(text), "\(source) \(text)") }
        for text in others { #expect(!expression.matches(text), "\(source) \(text)") }
    }

    @Test(arguments: rows.indices) func `a search in portions finds the same`(_ index: Int) throws {
        let (source, matches, others) = Self.rows[index]
        let expression = try RegularExpression(source)
        for text in matches + others {
            var (search, portions) = (RegexSearch(expression), 0)
            var isFound: Bool?
            while isFound == nil {
                var steps = 1
                isFound = search.advance(in: text, steps: &steps)
                portions += 1
            }
            #expect(isFound == expression.matches(text), "\(source) \(text)")
            #expect(portions <= text.unicodeScalars.count + 1)
        }
    }

    /// Expressions that are refused, and where.
    @Test(
        arguments: [
            ("a(b", 2, "the group has no ')'"), ("a)", 2, "the ')' has no '('"),
            ("*a", 1, "'*' has nothing to repeat"),
            ("a|+", 3, "'+' has nothing to repeat"), ("(?)", 1, "'(?' must be '(?:'"),
            ("(?=a)", 1, "'(?' must be '(?:'"),
            ("(?i)a", 1, "'(?' must be '(?:'"), ("a**", 3, "'*' repeats a repetition"), ("a{2}{3}", 5, "'{' repeats"),
            ("a*+", 3, "'+' repeats a repetition"), ("^*", 2, "'*' has nothing to repeat"), ("{", 1, "'{' has nothing"),
            ("a}", 2, "'}' has nothing"), ("a{x}", 2, "the '{' does not begin a count"),
            ("a{", 2, "the '{' does not begin a count"),
            ("a{,}", 2, "the '{' does not begin a count"), ("a{}", 2, "the '{' does not begin a count"),
            ("a{1", 2, "the '{' does not begin a count"),
            ("a{3,2}", 2, "{3,2} is empty"), ("a{1001}", 3, "a count is at most 1000"),
            ("a{1,99999999999999999999}", 5, "a count"),
            ("[a", 1, "the '[' has no ']'"), ("[]", 1, "the brackets are empty"), ("[^]", 1, "the brackets are empty"),
            ("[b-a]", 2, "the range is empty"), ("[a-\\d]", 2, "a range such as a-z"), ("[a-", 1, "the '[' has no ']'"),
            ("a\\", 2, "'\\' must have a character"), ("\\1", 1, "'\\1' refers to a group"),
            ("\\q", 1, "'\\q' has no meaning"),
            ("\\x4", 1, "'\\x' needs 2 hexadecimal digits"), ("\\ud800", 1, "'\\u' needs 4 hexadecimal digits"),
            ("[\\b]", 2, "'\\b' has no meaning"), ("éé(", 3, "the group has no ')'"),
        ])
    func `a wrong expression is refused with the position of the mistake`(
        source: String, position: Int, reason: String
    ) {
        let problem = #expect(throws: RegularExpression.Problem.self) { try RegularExpression(source) }
        #expect(problem?.position == position, "\(source)")
        #expect(problem?.reason.hasPrefix(reason) == true, "\(source): \(problem?.reason ?? "")")
        #expect(problem?.sentence.hasPrefix("character \(position): \(reason)") == true)
    }

    @Test func `the length, the depth and the size of an expression have a limit`() throws {
        #expect(try RegularExpression(String(repeating: "a", count: 999)).size == 1000)
        _ = try RegularExpression(String(repeating: "(", count: 50) + String(repeating: ")", count: 50))
        for source in [
            String(repeating: "a", count: 1000), String(repeating: "a", count: 1001),
            String(repeating: "(", count: 51) + String(repeating: ")", count: 51),
            "(a{100}){11}", "((((((a{1000}){1000}){1000}){1000}){1000}){1000}){1000}", "(a|b){501}", ".{0,501}",
        ] {
            #expect(throws: RegularExpression.Problem.self, "\(source.prefix(40))") { try RegularExpression(source) }
        }
        // Repeating nothing adds nothing, and does not take forever.
        #expect(try RegularExpression("(((((){1000}){1000}){1000}){1000}){1000}").size == 1)
    }

    @Test(
        arguments: [
            "(a*)*b", "(a|a)*b", "(a|aa)+$b", "(.*)(.*)(.*)(.*)(.*)x", "^(([a-z])+.)+[A-Z]([a-z])+$", "(x+x+)+y",
            "(a?){200}a{200}b",
            "(?:a*)*(?:a*)*(?:a*)*[^a]", "(((a{0,9}){0,9}){0,5})*c",
        ])
    func `the steps grow with the text, not with the number of ways through it`(source: String) throws {
        let expression = try RegularExpression(source)
        for count in [100, 1000] {
            let text = String(repeating: source.contains("x+") ? "x" : "a", count: count)
            var search = RegexSearch(expression)
            let allowed = 6 * expression.size * (count + 1)
            var steps = allowed
            let isFound = search.advance(in: text, steps: &steps)
            #expect(isFound == false, "\(source) \(count): \(allowed - steps) steps")
        }
    }
}
