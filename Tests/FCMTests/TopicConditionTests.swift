import Testing

@testable import FCM

/// Which sets of topics a condition holds for: parentheses first, then from left to right.
@Suite struct TopicConditionTests {
    @Test(arguments: [
        ("'a' in topics", ["a", "ab"]), ("!('a' in topics)", ["", "b"]), ("!!'a' in topics", ["a", "ab"]),
        ("'a' in topics && 'b' in topics", ["ab"]), ("'a' in topics || 'b' in topics", ["a", "b", "ab"]),
        ("'a' in topics || 'b' in topics && 'c' in topics", ["ac", "bc", "abc"]),
        ("'a' in topics || ('b' in topics && 'c' in topics)", ["a", "ab", "bc", "abc", "ac"]),
        ("'a' in topics && !('b' in topics || 'c' in topics)", ["a"]), ("'a'in topics&&'b'in topics", ["ab", "abc"]),
    ]) func `a condition holds for these`(text: String, sets: [String]) throws {
        let condition = try #require(TopicCondition(text))
        for set in ["", "a", "b", "c", "ab", "ac", "bc", "abc"] {
            let holds = condition.holds { topic in set.contains(topic) }
            if sets.contains(set) { #expect(holds, "\(set)") }
        }
        for set in sets { #expect(condition.holds { set.contains($0) }) }
        let others = ["", "a", "b", "ab"].filter { !sets.contains($0) }
        if !text.contains("c") { for set in others { #expect(!condition.holds { set.contains($0) }, "\(set)") } }
    }
}
