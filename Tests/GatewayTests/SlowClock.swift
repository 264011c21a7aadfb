import PushpitTesting

@testable import Gateway

/// Tests of turns: a gateway whose time passes with each look at it.
enum SlowClock {
    /// A gateway for which each look at the time takes half a millisecond. The share of a turn is 2 ms.
    static func withSlowClock(_ body: (TestGateway, EmbeddedHost) throws -> Void) throws {
        try TestGateway.run { gateway in
            var now: UInt64 = 0
            gateway.embedded.gateway.turn.readTime = {
                now += 500_000
                return now
            }
            try body(gateway, gateway.embedded)
        }
    }

    static func answered(_ calls: [TestCall]) throws -> Int { try calls.count { try $0.answerSoFar() != nil } }

    static func takeTurns(_ host: EmbeddedHost) -> Int {
        var turns = 0
        while host.takeTurn() {
            turns += 1
            host.settle()
        }
        return turns
    }
}
