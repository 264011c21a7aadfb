import PushCore
import Testing

@testable import FCM

/// Which devices a condition selects.
@Suite struct TopicConditionTests {
    /// The topics of eight devices.
    static let devices = ["", "a", "b", "c", "ab", "ac", "bc", "abc"]

    @Test(arguments: [
        ("'a' in topics", ["a", "ab", "ac", "abc"]), ("!('a' in topics)", ["", "b", "c", "bc"]),
        ("!!'a' in topics", ["a", "ab", "ac", "abc"]),
        ("'a' in topics && 'b' in topics", ["ab", "abc"]),
        ("'a' in topics || 'b' in topics", ["a", "b", "ab", "ac", "bc", "abc"]),
        ("'a' in topics || 'b' in topics && 'c' in topics", ["ac", "bc", "abc"]),
        ("'a' in topics || ('b' in topics && 'c' in topics)", ["a", "ab", "bc", "abc", "ac"]),
        ("'a' in topics && !('b' in topics || 'c' in topics)", ["a"]), ("'a'in topics&&'b'in topics", ["ab", "abc"]),
        ("!('a' in topics) || !('b' in topics)", ["", "a", "b", "c", "ac", "bc"]),
        ("!('a' in topics) && 'b' in topics", ["b", "bc"]),
        ("'x' in topics", []), ("!('x' in topics)", devices),
    ]) func `a condition selects the devices for which it is true`(text: String, expected: [String]) throws {
        let condition = try #require(TopicCondition(text))
        let members = condition.members { topic in
            DeviceSet(Self.devices.indices.filter { Self.devices[$0].contains(topic) })
        }
        let slots = members.slots { DeviceSet(Self.devices.indices) }
        #expect(Set(slots.map { Self.devices[Int($0)] }) == Set(expected))
        #expect(slots == slots.sorted())
    }

    @Test(arguments: [
        "", " ", "a", "'a'", "'a' in", "'a' in topic", "'a' in topics &&", "&& 'a' in topics",
        "'a' in topics 'b' in topics",
        "'a' in topics & 'b' in topics", "('a' in topics", "'a' in topics)", "()", "!", "'' in topics",
        "'/topics/a' in topics",
        "'a b' in topics", "\"a\" in topics", "'a' intopics", "'a' IN topics", "'a' in topics;",
        (1...6).map { "'t\($0)' in topics" }.joined(separator: " || "),
        "'\(String(repeating: "a", count: 901))' in topics",
        String(repeating: "(", count: 32) + "'a' in topics" + String(repeating: ")", count: 32),
    ]) func `a text that is not a condition is refused`(text: String) { #expect(TopicCondition(text) == nil) }

    @Test func `a condition may have five topics, 31 parentheses and a topic of 900 characters`() throws {
        let five = try #require(TopicCondition((1...5).map { "'t\($0)' in topics" }.joined(separator: "&&")))
        #expect(five.topics == ["t1", "t2", "t3", "t4", "t5"])
        let deep = String(repeating: "(", count: 31) + "'a' in topics" + String(repeating: ")", count: 31)
        #expect(TopicCondition(deep)?.topics == ["a"])
        #expect(TopicCondition("  '\(String(repeating: "a", count: 900))'  in   topics  ") != nil)
        #expect(TopicCondition("'a' in topics || 'a' in topics")?.topics == ["a", "a"])
    }

    @Test func `set operations give the same results as the standard library's`() {
        var random = Random(seed: 7)
        let everySlot = DeviceSet(0..<40)
        for _ in 0..<500 {
            func some() -> (DeviceSet, Set<Int>) {
                let members = Set((0..<Int(random.next() % 12)).map { _ in Int(random.next() % 40) })
                guard random.next() % 3 == 0 else { return (DeviceSet(members), members) }
                return (DeviceSet(members).inverted, Set(0..<40).subtracting(members))
            }
            func check(_ found: DeviceSet, _ expected: Set<Int>) {
                #expect(found.slots { everySlot }.map(Int.init) == expected.sorted())
                for slot in 0..<40 { #expect(found.contains(slot) == expected.contains(slot)) }
            }
            let ((one, ones), (other, others)) = (some(), some())
            check(one, ones)
            check(one.union(other), ones.union(others))
            check(one.intersection(other), ones.intersection(others))
            check(one.inverted, Set(0..<40).subtracting(ones))
        }
    }

    @Test func `inserting and removing changes the members`() {
        var (set, expected, random) = (DeviceSet(), Set<Int>(), Random(seed: 3))
        for _ in 0..<2000 {
            let slot = Int(random.next() % 50)
            if random.next() % 2 == 0 {
                set.insert(slot)
                expected.insert(slot)
            } else {
                set.remove(slot)
                expected.remove(slot)
            }
            #expect(set.isEmpty == expected.isEmpty)
        }
        #expect(set.slots { DeviceSet() }.map(Int.init) == expected.sorted())
    }
}
