import Devices
import HTTPCore
import PushCore
import TestSupport
import Testing

@testable import PushEngine

/// Random expectations that join at random times and are compared in random turns. Each must count what a simple loop over
/// the log counts.
@Suite struct ExpectationModelTests {
    private static let apps = ["com.example.a", "com.example.b"]
    private static let kinds: [Event.Kind] = [.accepted, .delivered, .presented]

    /// One filter: pushes to an app, or events of a kind.
    private struct Step {
        let app: String?
        /// Nil if pushes are counted.
        let kind: Event.Kind?
        /// Whether a regular expression is compared with the text, which takes several portions.
        let isSlow: Bool

        init(using generator: inout SeededGenerator) {
            app = Bool.random(using: &generator) ? apps.randomElement(using: &generator) : nil
            kind = Bool.random(using: &generator) ? kinds.randomElement(using: &generator) : nil
            isSlow = Int.random(in: 0..<8, using: &generator) == 0
        }

        var filter: MessageFilter {
            get throws {
                var members: [String] = []
                if let app { members.append(#""app":"\#(app)""#) }
                if let kind { members.append(#""event":{"kind":"\#(kind.rawValue)"}"#) }
                if isSlow { members.append(#""text":{"regex":"(a?){60}b"}"#) }
                return try MessageFilter(EngineFixture.json("{\(members.joined(separator: ","))}"), at: "")
            }
        }

        func matches(_ event: Event) -> Bool {
            guard app == nil || event.app == app, event.push != nil else { return false }
            if let kind { return event.kind == kind }
            return event.kind == .accepted
        }
    }

    /// An expectation, and what was known when it was asked for.
    private struct Call {
        let steps: [Step]
        let isSequence: Bool
        let demand: PushExpectation.Demand
        let newest: UInt64

        var expectation: PushExpectation {
            get throws {
                let filters = try steps.map { try $0.filter }
                return isSequence
                    ? PushExpectation(inOrder: filters, within: 1000)
                    : PushExpectation(filters[0], demand, within: 1000)
            }
        }

        /// The events that count.
        func counted(in events: [Event]) throws -> [UInt64] {
            var found: [UInt64] = []
            for event in events {
                let isOpen =
                    isSequence ? found.count < steps.count : try verdict(found.count) == nil || event.seq <= newest
                if isOpen, steps[isSequence ? found.count : 0].matches(event) { found.append(event.seq) }
            }
            return found
        }

        private func verdict(_ count: Int) throws -> PushExpectation.Verdict? {
            switch demand {
            case .exactly(let wanted): count == wanted ? .met : count > wanted ? .failed : nil
            case .atLeast(let wanted): count >= wanted ? .met : nil
            case .atMost(let limit): count > limit ? .failed : nil
            }
        }
    }

    private let fixture = EngineFixture()

    private func push(using generator: inout SeededGenerator) {
        let device = ["a", "b"].randomElement(using: &generator) ?? "a"
        let text = String(repeating: "a", count: 40) + "b"
        fixture.push(to: device, body: #"{"aps":{"alert":"\#(text)"}}"#)
    }

    private func call(using generator: inout SeededGenerator) -> Call {
        let isSequence = Bool.random(using: &generator)
        let count = isSequence ? Int.random(in: 1...6, using: &generator) : 1
        let number = Int.random(in: 0...40, using: &generator)
        let demands: [PushExpectation.Demand] = [.exactly(number), .atLeast(number), .atMost(number)]
        return Call(
            steps: (0..<count).map { _ in Step(using: &generator) }, isSequence: isSequence,
            demand: demands.randomElement(using: &generator) ?? .atLeast(1), newest: fixture.engine.events.newest)
    }

    /// What a call does before it waits, while pushes come.
    private func judge(_ call: Call, using generator: inout SeededGenerator) throws -> (
        expectation: PushExpectation, verdict: PushExpectation.Verdict?
    ) {
        var expectation = try call.expectation
        if expectation.followsEvents {
            while !fixture.engine.comparePast(&expectation, upTo: call.newest) {
                if Int.random(in: 0..<50, using: &generator) == 0 { push(using: &generator) }
            }
            return fixture.engine.judge(expectation, upTo: call.newest, since: 0)
        }
        return fixture.judge(expectation, upTo: call.newest) { push(using: &generator) }
    }

    @Test(arguments: 0..<12) func `what counts does not depend on turns and on when a call joins`(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        var calls: [Int32: Call] = [:]
        var decided: [Int32: PushExpectation] = [:]
        func evaluate(atMost turns: Int) {
            var (over, left) = (generator, turns)
            while left > 0, fixture.hasExpectationsToEvaluate {
                left -= 1
                fixture.engine.evaluateExpectations { Bool.random(using: &over) }
                for each in fixture.engine.takeDecidedExpectations(at: 0) {
                    decided[each.replyTarget.stream ?? 0] = each.expectation
                }
            }
            generator = over
        }
        for (id, app) in zip(["a", "b"], Self.apps) { fixture.make(id, app: app) }
        for number in 1...40 as ClosedRange<Int32> {
            push(using: &generator)
            let call = call(using: &generator)
            let (expectation, verdict) = try judge(call, using: &generator)
            // Every third one ends before it is decided.
            let connection: UInt32 = number % 3 == 0 ? 2 : 1
            if verdict == nil {
                let target = ReplyTarget(connection: ClientID(slot: connection, generation: 1), stream: number)
                fixture.engine.expectations.add(expectation, target, at: 0)
            } else {
                decided[number] = expectation
            }
            calls[number] = call
            evaluate(atMost: Int.random(in: 0...3, using: &generator))
            if number % 10 == 0 { fixture.engine.expectations.forget { $0.connection.slot == 2 } }
        }
        _ = fixture.engine.takeDecidedExpectations(at: 1000).map {
            decided[$0.replyTarget.stream ?? 0] = $0.expectation
        }
        let events = fixture.engine.events.events(after: 0)
        // These come too late.
        for _ in 1...3 { push(using: &generator) }
        evaluate(atMost: .max)
        #expect(!fixture.hasExpectations)
        for (number, call) in calls {
            guard let expectation = decided[number] else {
                #expect(number % 3 == 0, "\(seed) \(number) is never decided")
                continue
            }
            let counted = try call.counted(in: events)
            let pushes = Set(events.filter { counted.contains($0.seq) }.compactMap(\.push))
            #expect(expectation.count == counted.count, "\(seed) \(number)")
            #expect(Set(expectation.tally.pushes) == pushes, "\(seed) \(number)")
            if expectation.followsEvents { #expect(expectation.tally.events == counted, "\(seed) \(number)") }
        }
    }
}
