import HTTPCore
import PushCore
import Testing

@testable import PushEngine

/// Comparisons that end in the middle of something.
@Suite struct InterruptedComparisonTests {
    private let fixture = EngineFixture()

    private func filter(_ text: String) throws -> MessageFilter { try MessageFilter(EngineFixture.json(text), at: "") }

    private func add(_ expectation: PushExpectation, _ stream: StreamID) {
        let target = ReplyTarget(connection: ClientID(slot: 1, generation: 1), stream: stream)
        fixture.engine.expectations.add(expectation, target, at: 0)
    }

    /// Steps through evaluations in which every turn is over at once, and returns what is decided.
    private func evaluate() -> [StreamID: Int] {
        var counts: [StreamID: Int] = [:]
        while fixture.hasExpectationsToEvaluate {
            fixture.engine.evaluateExpectations { true }
            for each in fixture.engine.takeDecidedExpectations(at: 0) {
                counts[each.replyTarget.stream ?? 0] = each.expectation.count
            }
        }
        return counts
    }

    @Test(arguments: 0...4)
    func `a call that catches up while the others are in the middle of an event does not miss it`(behind: UInt64) throws
    {
        let all = MessageFilter()
        add(PushExpectation(all, .atLeast(99), within: 1000), 1)
        for _ in 0..<3 { fixture.push() }
        #expect(evaluate().isEmpty)
        var late = PushExpectation(all, .atLeast(1), within: 1000)
        late.noteComparison(upTo: fixture.engine.events.newest - behind)
        add(late, 3)
        for stream in [5, 7, 9] as [StreamID] {
            var other = PushExpectation(all, .atLeast(99), within: 1000)
            other.noteComparison(upTo: fixture.engine.events.newest)
            add(other, stream)
        }
        fixture.push()
        #expect(evaluate() == [3: 1])
        #expect(!fixture.hasExpectationsToEvaluate)
    }

    @Test func `the events of a push do not count as soon as its deletion has begun`() throws {
        for _ in 0..<2 { fixture.push() }
        fixture.engine.updateJournal()
        let deletion = fixture.engine.beginDeletion(of: [PushID(1)])
        var expectation = PushExpectation(try filter(#"{"event":{"kind":"accepted"}}"#), .atLeast(9), within: 0)
        let newest = fixture.engine.events.newest
        while !fixture.engine.comparePast(&expectation, upTo: newest) {}
        #expect(deletion.count == nil && expectation.tally.pushes == [PushID(2)])
        #expect(fixture.nearest(to: try filter(#"{"event":{"kind":"opened"}}"#)).allSatisfy { $0.push != PushID(1) })
    }

    @Test func `many devices of a push are compared in portions`() throws {
        fixture.push()
        let message = try #require(fixture.logged("p1"))
        let devices = (1...500).map { DeviceID("d\($0)") }
        for (text, expected) in [
            (#"{"device":"d500"}"#, true), (#"{"device":{"regex":"^d5..$"}}"#, true), (#"{"device":"x"}"#, false),
        ] {
            let filter = try filter(text)
            var comparison = FilterComparison(FilterSubject(message, on: devices))
            var (portions, matches): (Int, Bool?) = (0, nil)
            while matches == nil {
                var steps = 20
                matches = comparison.advance(filter, steps: &steps)
                portions += 1
            }
            #expect(matches == expected && portions >= 500 / 20, "\(text)")
        }
    }
}
