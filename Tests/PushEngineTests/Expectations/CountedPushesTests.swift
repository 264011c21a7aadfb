import PushCore
import TestSupport
import Testing

@testable import PushEngine

@Suite struct CountedPushesTests {
    /// The pushes that are still there, found by removing none.
    private static func numbers(_ pushes: CountedPushes) -> [UInt64] {
        var (copy, numbers): (CountedPushes, [UInt64]) = (pushes, [])
        copy.removeAll {
            numbers.append($0.number)
            return false
        }
        return numbers
    }

    @Test func `the set does what a set of numbers does`() {
        var generator = SeededGenerator(seed: 11)
        for highest in [70, 1000, 100_000] as [UInt64] {
            var (pushes, expected) = (CountedPushes(), Set<UInt64>())
            for _ in 0..<500 {
                let number = UInt64.random(in: 0..<highest, using: &generator)
                switch UInt64.random(in: 0..<10, using: &generator) {
                case 0..<7: #expect(pushes.insert(PushID(number)) == expected.insert(number).inserted)
                case 7, 8:
                    pushes.remove(PushID(number))
                    expected.remove(number)
                default:
                    pushes.removeAll { $0.number % 7 == number % 7 }
                    expected = expected.filter { $0 % 7 != number % 7 }
                }
                #expect(pushes.count == expected.count)
            }
            #expect(Self.numbers(pushes) == expected.sorted())
        }
    }

    @Test func `only the pushes of the journal stay`() {
        let fixture = EngineFixture()
        for _ in 0..<200 { fixture.push() }
        fixture.engine.deleteMessages([PushID(3), PushID(64), PushID(200)])
        var pushes = CountedPushes()
        for number in [1, 3, 63, 64, 65, 130, 200, 201, 9000] as [UInt64] { _ = pushes.insert(PushID(number)) }
        pushes.removeAll(outside: fixture.engine.journal.rows)
        #expect(Self.numbers(pushes) == [1, 63, 65, 130] && pushes.count == 4)
    }
}
