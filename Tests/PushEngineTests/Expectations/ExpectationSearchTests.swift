import HTTPCore
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
            fixture.engine.evaluateExpectations()
        }
        #expect(verdict == nil && !fixture.hasExpectationsToEvaluate)
        fixture.engine.expectations.add(second, Self.target(3), at: 0)
        #expect(fixture.hasExpectationsToEvaluate)
        fixture.engine.evaluateExpectations()
        let decided = fixture.engine.takeDecidedExpectations(at: 0)
        #expect(decided.map(\.replyTarget.stream) == [3])
        #expect(decided.first?.expectation.tally.pushes.map(\.description) == ["p1", "p2"])
        for _ in 0..<7 { fixture.push() }
        fixture.engine.evaluateExpectations()
        #expect(fixture.engine.takeDecidedExpectations(at: 0).map(\.expectation.count) == [9])
    }

    @Test func `a push that is deleted between the search and the verdict does not count`() {
        let fixture = EngineFixture()
        fixture.push()
        fixture.push()
        let (expectation, verdict) = fixture.judge(
            PushExpectation(Self.filter, .atLeast(2), within: 0), upTo: fixture.engine.events.newest
        ) { #expect(fixture.engine.deleteMessages([PushID(1)]) == 1) }
        #expect(verdict == .failed && expectation.tally.pushes == [PushID(2)])
    }

    /// Evaluates in turns that are over after one event. Returns the number of turns.
    private static func evaluateInTurns(_ fixture: EngineFixture) -> Int {
        var turns = 0
        while fixture.hasExpectationsToEvaluate {
            fixture.engine.evaluateExpectations { true }
            turns += 1
        }
        return turns
    }

    @Test func `a call whose time is up is judged after all pushes that came before`() {
        let fixture = EngineFixture()
        for (stream, demand) in [(1, .atMost(2)), (3, .atMost(3)), (5, .atLeast(3))]
            as [(StreamID, PushExpectation.Demand)]
        {
            fixture.engine.expectations.add(
                PushExpectation(Self.filter, demand, within: 10), Self.target(stream), at: 0)
        }
        for _ in 0..<3 { fixture.push() }
        #expect(fixture.engine.takeDecidedExpectations(at: 10).isEmpty)
        #expect(fixture.engine.expectations.nextDue == nil)
        // These come too late.
        for _ in 0..<3 { fixture.push() }
        var verdicts: [StreamID: PushExpectation.Verdict] = [:]
        while !fixture.engine.expectations.isEmpty {
            fixture.engine.evaluateExpectations { true }
            for each in fixture.engine.takeDecidedExpectations(at: 10) {
                verdicts[each.replyTarget.stream ?? 0] = each.verdict
            }
        }
        #expect(verdicts == [1: .failed, 3: .met, 5: .met])
    }

    @Test func `a count is met by the Nth push, although more come before the call is answered`() {
        let fixture = EngineFixture()
        fixture.engine.expectations.add(
            PushExpectation(Self.filter, .exactly(1), within: 5000), Self.target(1), at: 0)
        fixture.push()
        fixture.push()
        fixture.engine.evaluateExpectations()
        let decided = fixture.engine.takeDecidedExpectations(at: 0)
        #expect(decided.map(\.verdict) == [.met] && decided.map(\.expectation.count) == [1])
    }

    @Test func `a call that joins late catches up without holding up the others`() {
        let fixture = EngineFixture()
        fixture.engine.expectations.add(
            PushExpectation(Self.filter, .atLeast(201), within: 5000), Self.target(1), at: 0)
        let begun = fixture.engine.events.newest
        for _ in 0..<200 { fixture.push() }
        fixture.engine.evaluateExpectations()
        var late = PushExpectation(Self.filter, .atLeast(200), within: 1)
        late.noteComparison(upTo: begun)
        fixture.engine.expectations.add(late, Self.target(3), at: 0)
        fixture.push()
        // The time of the late call is up, but it has been compared with one event only.
        fixture.engine.evaluateExpectations { true }
        #expect(fixture.engine.takeDecidedExpectations(at: 1).map(\.replyTarget.stream) == [1])
        #expect(fixture.hasExpectationsToEvaluate && !fixture.engine.hasExpectationsToEvaluate(upTo: begun))
        #expect(Self.evaluateInTurns(fixture) > 100)
        let decided = fixture.engine.takeDecidedExpectations(at: 1)
        #expect(decided.map(\.verdict) == [.met] && decided.first?.expectation.tally.pushes.first == PushID(1))
    }

    @Test func `pushes that the log forgets still count, and deleted ones do not`() {
        let fixture = EngineFixture { $0.logCapacity = 1200 }
        for stream in [1, 3] as [StreamID] {
            fixture.engine.expectations.add(
                PushExpectation(Self.filter, .atMost(10_000), within: 1), Self.target(stream), at: 0)
        }
        for _ in 0..<40 {
            for _ in 0..<100 { fixture.push() }
            fixture.engine.evaluateExpectations()
        }
        let newest = (0..<100).map { PushID(UInt64(4000 - $0)) }
        let deletion = fixture.engine.beginDeletion(of: Set(newest))
        while !fixture.engine.continueDeletion(atMost: 1) {}
        #expect(deletion.count == 100)
        let decided = fixture.engine.takeDecidedExpectations(at: 1)
        #expect(decided.map(\.expectation.count) == [3900, 3900])
        #expect(decided.map(\.expectation.tally.unlisted) == [2900, 2900])
    }
}
