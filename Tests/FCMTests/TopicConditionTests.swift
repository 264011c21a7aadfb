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
            PlaceSet(Self.devices.indices.filter { Self.devices[$0].contains(topic) })
        }
        let places = members.places { PlaceSet(Self.devices.indices) }
        #expect(Set(places.map { Self.devices[Int($0)] }) == Set(expected))
        #expect(places == places.sorted())
    }

    @Test func `set operations give the same results as the standard library's`() {
        var random = Random(seed: 7)
        let everyPlace = PlaceSet(0..<40)
        for _ in 0..<500 {
            func some() -> (PlaceSet, Set<Int>) {
                let members = Set((0..<Int(random.next() % 12)).map { _ in Int(random.next() % 40) })
                guard random.next() % 3 == 0 else { return (PlaceSet(members), members) }
                return (PlaceSet(members).inverted, Set(0..<40).subtracting(members))
            }
            func check(_ found: PlaceSet, _ expected: Set<Int>) {
                #expect(found.places { everyPlace }.map(Int.init) == expected.sorted())
                for place in 0..<40 { #expect(found.contains(place) == expected.contains(place)) }
            }
            let ((one, ones), (other, others)) = (some(), some())
            check(one, ones)
            check(one.union(other), ones.union(others))
            check(one.intersection(other), ones.intersection(others))
            check(one.inverted, Set(0..<40).subtracting(ones))
        }
    }

    @Test func `inserting and removing changes the members`() {
        var (set, expected, random) = (PlaceSet(), Set<Int>(), Random(seed: 3))
        for _ in 0..<2000 {
            let place = Int(random.next() % 50)
            if random.next() % 2 == 0 {
                set.insert(place)
                expected.insert(place)
            } else {
                set.remove(place)
                expected.remove(place)
            }
            #expect(set.isEmpty == expected.isEmpty)
        }
        #expect(set.places { PlaceSet() }.map(Int.init) == expected.sorted())
    }
}
