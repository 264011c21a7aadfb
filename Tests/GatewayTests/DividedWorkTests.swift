import PushCore
import PushEngine
import PushpitTesting
import Testing

@testable import Gateway

/// What timers and the clock make due is done in several turns.
@Suite struct DividedWorkTests {
    @Test func `answers that are due together are sent in several turns`() throws {
        try SlowClock.withSlowClock { gateway, host in
            let one = try gateway.connect()
            try gateway.setFault(["delay": "10s"])
            let calls = try host.holding { try (0..<50).map { _ in try gateway.startPush(on: one) } }
            host.takesTurnsManually = true
            gateway.advanceClock(by: .seconds(10))
            let first = try SlowClock.answered(calls)
            #expect(0 < first && first < 50, "\(first) are answered at once")
            #expect(SlowClock.takeTurns(host) > 3)
            for call in calls { try #expect(call.answer().status == 200) }
        }
    }

    @Test(arguments: [false, true]) func `a call that moves the clock is answered after what it makes due`(
        isFrozen: Bool
    ) throws {
        try SlowClock.withSlowClock { gateway, host in
            let (one, other) = (try gateway.connect(), try gateway.connect())
            if isFrozen { try gateway.ask("POST", "/clock", ["freeze": true]) }
            try gateway.setFault(["delay": "10s"])
            let calls = try host.holding { try (0..<50).map { _ in try gateway.startPush(on: one) } }
            host.takesTurnsManually = true
            let move = try other.start(
                "POST", "/api/v1/clock", headers: ["content-type": "application/json"],
                body: Array(#"{"advance":"10s"}"#.utf8))
            try #expect(move.answerSoFar() == nil)
            try #expect(SlowClock.answered(calls) < 50)
            while try move.answerSoFar() == nil { try #require(host.takeTurn()) }
            try #expect(SlowClock.answered(calls) == 50)
        }
    }

    @Test func `a client that leaves before its move of the clock is answered leaves an event`() throws {
        try SlowClock.withSlowClock { gateway, host in
            let (one, other) = (try gateway.connect(), try gateway.connect())
            try gateway.setFault(["delay": "10s"])
            let calls = try host.holding { try (0..<50).map { _ in try gateway.startPush(on: one) } }
            host.takesTurnsManually = true
            let move = try other.start(
                "POST", "/api/v1/clock", headers: ["content-type": "application/json"],
                body: Array(#"{"advance":"10s"}"#.utf8))
            try #expect(move.answerSoFar() == nil)
            other.close()
            #expect(SlowClock.takeTurns(host) > 3)
            try #expect(SlowClock.answered(calls) == 50)
            #expect(host.gateway.box.engine.events.events(after: 0).count { $0.kind == .clock } == 1)
        }
    }

    @Test func `silent connections are found in several turns`() throws {
        try SlowClock.withSlowClock { gateway, host in
            for _ in 0..<40 { _ = try gateway.connect(over: .http1) }
            gateway.advanceLoopTime(.milliseconds(10_000))
            let before = host.gateway.openConnections
            #expect(before >= 40)
            host.takesTurnsManually = true
            gateway.advanceLoopTime(.milliseconds(500))
            let after = host.gateway.openConnections
            #expect(before - 40 < after && after < before, "\(after) of \(before) are left")
            #expect(SlowClock.takeTurns(host) > 3)
            #expect(host.gateway.openConnections == before - 40)
        }
    }

    @Test func `with too many delayed answers, a new one is not delayed`() throws {
        try TestGateway.run { gateway in
            try gateway.setFault(["delay": "1h"])
            let waiting = try gateway.startPush()
            let inner = gateway.embedded.gateway
            let owner = try #require(inner.connections.all.first?.id)
            for _ in 0..<Schedule.ownedLimit { inner.later(after: 3_600_000, on: owner) {} }
            try #expect(gateway.startPush().answer().status == 200)
            try #expect(waiting.answerSoFar() == nil)
        }
    }
}
