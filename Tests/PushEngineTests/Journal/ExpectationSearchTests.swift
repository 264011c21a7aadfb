import PushCore
import Testing

@testable import PushEngine

/// What happens between the search for messages and the verdict of an expectation.
@Suite struct ExpectationSearchTests {
    private static let filter = MessageFilter()

    private static func target(_ stream: Int32) -> ReplyTarget {
        ReplyTarget(connection: ClientID(slot: 1, generation: 1), stream: stream)
    }

    @Test func `pushes that came during its search count, although others were compared with them before`() {
        let fixture = EngineFixture()
        let (first, _) = fixture.judge(PushExpectation(Self.filter, .atLeast(9), within: 5000))
        fixture.engine.expectations.add(first, Self.target(1), at: 0)
        let (second, verdict) = fixture.judge(
            PushExpectation(Self.filter, .atLeast(2), within: 5000), upTo: fixture.engine.events.newest
        ) {
            fixture.push()
            fixture.push()
            _ = fixture.engine.evaluateExpectations()
        }
        #expect(verdict == nil && !fixture.hasExpectationsToEvaluate)
        fixture.engine.expectations.add(second, Self.target(3), at: 0)
        #expect(fixture.hasExpectationsToEvaluate)
        _ = fixture.engine.evaluateExpectations()
        let decided = fixture.engine.expectations.takeDecided(at: 0)
        #expect(decided.map(\.replyTarget.stream) == [3])
        #expect(decided.first?.expectation.pushes.map(\.description) == ["p1", "p2"])
        for _ in 0..<7 { fixture.push() }
        _ = fixture.engine.evaluateExpectations()
        #expect(fixture.engine.expectations.takeDecided(at: 0).map(\.expectation.count) == [9])
    }

    @Test func `a push that is deleted between the search and the verdict does not count`() {
        let fixture = EngineFixture()
        fixture.push()
        fixture.push()
        let (expectation, verdict) = fixture.judge(
            PushExpectation(Self.filter, .atLeast(2), within: 0), upTo: fixture.engine.events.newest
        ) { #expect(fixture.engine.deleteMessages([PushID(1)]) == 1) }
        #expect(verdict == .failed && expectation.pushes == [PushID(2)])
    }
}
