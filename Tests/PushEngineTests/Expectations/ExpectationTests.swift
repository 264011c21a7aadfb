import Devices
import HTTPCore
import JSON
import PushCore
import Testing

@testable import PushEngine

/// Waiting for pushes that match a filter.
@Suite struct ExpectationTests {
    private static func filter(_ text: String = #"{"app":"com.example.app"}"#) throws -> MessageFilter {
        try MessageFilter(EngineFixture.json(text), at: "/match")
    }

    private static func target(_ stream: StreamID = 1) -> ReplyTarget {
        ReplyTarget(connection: ClientID(slot: 1, generation: 1), stream: stream)
    }

    /// After each number of matching pushes: `m` met, `f` failed, `-` not decided. Then the verdict at the end.
    @Test(
        arguments: [
            (.exactly(0), "mf", [.met, .failed]), (.exactly(2), "--mf", [.failed, .failed, .met, .failed]),
            (.atLeast(0), "mm", [.met, .met]), (.atLeast(2), "--mm", [.failed, .failed, .met, .met]),
            (.atMost(0), "-f", [.met, .failed]), (.atMost(2), "---f", [.met, .met, .met, .failed]),
        ] as [(PushExpectation.Demand, String, [PushExpectation.Verdict])])
    func `the number of pushes decides whether an expectation is met`(
        demand: PushExpectation.Demand, verdicts: String, last: [PushExpectation.Verdict]
    ) throws {
        var expectation = PushExpectation(try Self.filter(), demand, within: 0)
        for (count, mark) in verdicts.enumerated() {
            if count > 0 { expectation.note(PushID(UInt64(count))) }
            // The same push counts once.
            if count > 0 { expectation.note(PushID(UInt64(count))) }
            #expect(expectation.count == count)
            #expect(expectation.verdict.map { $0 == .met ? "m" : "f" } ?? "-" == String(mark))
            #expect(expectation.lastVerdict == last[count])
        }
    }

    @Test func `pushes that are in the log already count`() throws {
        let fixture = EngineFixture()
        fixture.push()
        fixture.push()
        let (expectation, verdict) = fixture.judge(PushExpectation(try Self.filter(), .atLeast(2), within: 5000))
        #expect(verdict == .met)
        #expect(expectation.tally.pushes.map(\.description) == ["p1", "p2"])
        let (_, open) = fixture.judge(PushExpectation(try Self.filter(), .atLeast(3), within: 5000))
        #expect(open == nil)
        let (_, ended) = fixture.judge(PushExpectation(try Self.filter(), .atLeast(3), within: 0))
        #expect(ended == .failed)
    }

    @Test func `a call that has ended no longer counts, and the others still do`() throws {
        let fixture = EngineFixture()
        for stream in 1...3 as ClosedRange<StreamID> {
            let (open, _) = fixture.judge(PushExpectation(try Self.filter(), .atLeast(1), within: 5000))
            fixture.engine.expectations.add(open, Self.target(stream), at: UInt64(stream))
        }
        fixture.engine.expectations.forget { $0.stream == 2 }
        fixture.engine.expectations.forget { $0.stream == 2 }
        #expect(fixture.engine.expectations.count == 2)
        fixture.push()
        fixture.engine.evaluateExpectations()
        let decided = fixture.engine.takeDecidedExpectations(at: 1)
        #expect(decided.map(\.replyTarget.stream) == [1, 3])
        #expect(fixture.engine.expectations.isEmpty && fixture.engine.expectations.nextDue == nil)
        let (open, _) = fixture.judge(PushExpectation(try Self.filter(), .atLeast(2), within: 5000))
        fixture.engine.expectations.add(open, Self.target(5), at: 0)
        fixture.engine.expectations.forget { _ in true }
        #expect(fixture.engine.expectations.isEmpty && !fixture.hasExpectationsToEvaluate)
        #expect(fixture.engine.expectations.takeAll().isEmpty)
    }

    @Test func `an expectation is met by the push that comes later`() throws {
        let fixture = EngineFixture()
        fixture.push()
        let (expectation, verdict) = fixture.judge(PushExpectation(try Self.filter(), .atLeast(2), within: 5000))
        #expect(verdict == nil)
        fixture.engine.expectations.add(expectation, Self.target(), at: 0)
        #expect(!fixture.hasExpectationsToEvaluate)
        fixture.push(topic: "com.example.other")
        #expect(fixture.hasExpectationsToEvaluate)
        fixture.engine.evaluateExpectations()
        #expect(fixture.engine.takeDecidedExpectations(at: 0).isEmpty)
        fixture.push(String(repeating: "cd", count: 32))
        fixture.engine.evaluateExpectations()
        let decided = fixture.engine.takeDecidedExpectations(at: 0)
        #expect(decided.map(\.verdict) == [.met])
        #expect(decided.first?.replyTarget == Self.target())
        #expect(decided.first?.expectation.tally.pushes.map(\.description) == ["p1", "p3"])
        #expect(!fixture.hasExpectations)
        #expect(fixture.engine.expectations.nextDue == nil)
    }

    @Test func `an expectation ends at its timeout`() throws {
        let fixture = EngineFixture()
        let demands: [PushExpectation.Demand] = [.atLeast(1), .atMost(0)]
        for (index, demand) in demands.enumerated() {
            fixture.engine.expectations.add(
                PushExpectation(try Self.filter(), demand, within: UInt64(1000 * (index + 1))), Self.target(), at: 500)
        }
        #expect(fixture.engine.expectations.nextDue == 1500)
        #expect(fixture.engine.takeDecidedExpectations(at: 1499).isEmpty)
        #expect(fixture.engine.takeDecidedExpectations(at: 1500).map(\.verdict) == [.failed])
        #expect(fixture.engine.expectations.nextDue == 2500)
        #expect(fixture.engine.takeDecidedExpectations(at: 2500).map(\.verdict) == [.met])
    }

    @Test func `a filter for a device waits until the push is on its way to it`() throws {
        let fixture = EngineFixture()
        for id in ["a", "b"] {
            fixture.make(id, .android)
            fixture.subscribe(id, to: "news")
        }
        let (expectation, _) = fixture.judge(
            PushExpectation(try Self.filter(#"{"device":"b"}"#), .atLeast(1), within: 5000))
        fixture.engine.expectations.add(expectation, Self.target(), at: 0)
        fixture.message(#""topic":"news","data":{"a":"b"}"#)
        fixture.engine.evaluateExpectations()
        #expect(fixture.engine.takeDecidedExpectations(at: 0).isEmpty)
        fixture.engine.continueFanOuts(1, at: fixture.now)
        fixture.engine.evaluateExpectations()
        #expect(fixture.engine.takeDecidedExpectations(at: 0).isEmpty)
        fixture.engine.continueFanOuts(1, at: fixture.now)
        fixture.engine.evaluateExpectations()
        #expect(fixture.engine.takeDecidedExpectations(at: 0).map(\.verdict) == [.met])
    }

    @Test func `a deleted push does not count any more`() throws {
        let fixture = EngineFixture()
        fixture.push()
        let (expectation, _) = fixture.judge(PushExpectation(try Self.filter(), .atLeast(2), within: 5000))
        fixture.engine.expectations.add(expectation, Self.target(), at: 0)
        #expect(fixture.delete(MessageFilter()) == 1)
        fixture.push()
        fixture.engine.evaluateExpectations()
        #expect(fixture.engine.takeDecidedExpectations(at: 0).isEmpty)
        fixture.push()
        fixture.engine.evaluateExpectations()
        #expect(
            fixture.engine.takeDecidedExpectations(at: 0).first?.expectation.tally.pushes.map(\.description) == [
                "p2", "p3",
            ])
    }

    @Test func `the expectations of a disconnected client are removed, and at the end all are taken`() throws {
        let fixture = EngineFixture()
        for stream in [1, 3, 5] as [StreamID] {
            fixture.engine.expectations.add(
                PushExpectation(try Self.filter(), .atLeast(1), within: UInt64(stream)), Self.target(stream), at: 0)
        }
        fixture.engine.expectations.forget { $0.stream == 1 }
        #expect(fixture.engine.expectations.count == 2)
        #expect(fixture.engine.expectations.nextDue == 3)
        #expect(fixture.engine.expectations.takeAll() == [Self.target(3), Self.target(5)])
        #expect(!fixture.hasExpectations)
    }

    @Test func `the nearest messages are the ones that differ least, with how they differ`() throws {
        let fixture = EngineFixture()
        fixture.push(["apns-priority": "5"], body: #"{"aps":{"badge":7}}"#)
        fixture.push(["apns-priority": "10"], body: #"{"aps":{"badge":8}}"#)
        fixture.push(["apns-priority": "5"], topic: "com.example.other")
        fixture.push(["apns-priority": "5"], body: #"{"aps":{"badge":9}}"#)
        let filter = try Self.filter(
            #"{"app":"com.example.app","headers":{"apns-priority":"5"},"body":{"/aps/badge":8}}"#)
        let nearest = fixture.nearest(to: filter)
        #expect(nearest.map { $0.push?.description } == ["p4", "p2", "p1"])
        #expect(
            nearest.map { $0.differences.map(\.at) } == [["/aps/badge"], ["headers/apns-priority"], ["/aps/badge"]])
        #expect(nearest[0].differences.first?.expected == .int(8))
        #expect(nearest[0].differences.first?.got == .int(9))
        #expect(nearest[1].differences.first?.got == .string("10"))
    }

    @Test func `differences of every kind of field`() throws {
        let fixture = EngineFixture()
        fixture.push()
        let filter = try Self.filter(
            """
            {"provider":"fcm","app":"a","token":"b","device":"c","topic":"d","pushType":"e","outcome":"refused",\
            "status":400,"reason":"f","rule":"g","text":"xyz","since":100,"until":0,"bodyText":{"/i":"j"}}
            """)
        let message = try #require(fixture.logged("p1"))
        var comparison = FilterComparison(FilterSubject(message, on: message.devices), findsAll: true)
        var steps = 1000
        #expect(comparison.advance(filter, steps: &steps) == false)
        let found = comparison.differences(from: filter).map(\.at)
        #expect(
            found.sorted() == [
                "/i", "app", "device", "outcome", "provider", "pushType", "reason", "rule", "since", "status", "text",
                "token",
                "topic", "until",
            ])
    }
}
