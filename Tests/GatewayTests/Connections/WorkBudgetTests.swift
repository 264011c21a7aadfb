import PushCore
import PushpitTesting
import Testing

@testable import Gateway

/// A connection whose input takes time but completes no requests is ended.
@Suite struct WorkBudgetTests {
    private static let millisecond: UInt64 = 1_000_000

    /// Expects that spending this time leaves some budget, or leaves none.
    private func spend(
        _ budget: inout WorkBudget, _ time: UInt64, at now: UInt64, _ leavesSome: Bool,
        at location: SourceLocation = #_sourceLocation
    ) {
        let isLeft = budget.spend(time, at: now)
        #expect(isLeft == leavesSome, sourceLocation: location)
    }

    @Test func `a budget lasts for a thousand shares`() {
        var budget = WorkBudget(share: 2 * Self.millisecond, at: 0)
        for _ in 0..<1999 { spend(&budget, Self.millisecond, at: 0, true) }
        spend(&budget, Self.millisecond, at: 0, false)
    }

    @Test func `a tenth of the time comes back, but no more than the capacity`() {
        var budget = WorkBudget(share: 2 * Self.millisecond, at: 0)
        spend(&budget, 2000 * Self.millisecond, at: 0, false)
        spend(&budget, 99 * Self.millisecond, at: 1000, true)
        spend(&budget, 1 * Self.millisecond, at: 1000, false)
        spend(&budget, 1999 * Self.millisecond, at: 1_000_000, true)
        spend(&budget, 1 * Self.millisecond, at: 1_000_000, false)
    }

    @Test func `a request earns a share, and more for a long body`() {
        var budget = WorkBudget(share: 2 * Self.millisecond, at: 0)
        spend(&budget, 1999 * Self.millisecond, at: 0, true)
        budget.earn(bodyLength: 10_000)
        spend(&budget, 3 * Self.millisecond, at: 0, true)
        spend(&budget, 1 * Self.millisecond, at: 0, false)
    }

    @Test(arguments: [0, UInt64.max]) func `no share and no time overflows it`(share: UInt64) {
        var budget = WorkBudget(share: share, at: 0)
        for _ in 0..<10_000 { budget.earn(bodyLength: 32 << 20, handledIn: .max) }
        _ = budget.spend(.max, at: .max)
        _ = budget.spend(.max, at: 0)
        spend(&budget, .max, at: .max, false)
    }

    /// Each look at the time takes this long, so each read takes at least that.
    private func withCostlyInput(_ look: UInt64 = 5 * millisecond, _ body: (TestGateway) throws -> Void) throws {
        try TestGateway.run { gateway in
            var now: UInt64 = 0
            gateway.embedded.gateway.turn.readTime = {
                now += look
                return now
            }
            try body(gateway)
        }
    }

    @Test func `frames without requests end a connection of HTTP 2`() throws {
        try withCostlyInput { gateway in
            let connection = try gateway.connect()
            try #expect(connection.send("GET", "/livez").status == 200)
            for _ in 0..<600 where try !connection.isEnded() {
                try connection.write([0, 0, 8, 6, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8])
            }
            #expect(connection.goAways.last?.code == 11)
            #expect(gateway.embedded.log.lines.contains { $0.contains("connection ended") })
        }
    }

    @Test func `pings end a socket`() throws {
        try withCostlyInput { gateway in
            let phone = try gateway.phone()
            for _ in 0..<600 where phone.closeCode == nil {
                try phone.ping([1])
                try phone.poll()
            }
            #expect(phone.closeCode == 1008)
        }
    }

    @Test func `a request pays for the time of its handling`() {
        var budget = WorkBudget(share: 2 * Self.millisecond, at: 0)
        spend(&budget, 1999 * Self.millisecond, at: 0, true)
        budget.earn(bodyLength: 0, handledIn: 50 * Self.millisecond)
        spend(&budget, 52 * Self.millisecond, at: 0, true)
        spend(&budget, 1 * Self.millisecond, at: 0, false)
    }

    @Test func `slow calls keep a connection open`() throws {
        try TestGateway.run { gateway in
            let inner = gateway.embedded.gateway
            // Only calls that add an event take time.
            inner.turn.readTime = { [unowned inner] in 30 * Self.millisecond * inner.events.newest }
            for version in TestConnection.Version.allCases {
                let connection = try gateway.connect(over: version)
                for _ in 0..<200 {
                    let answer = try connection.send(
                        "POST", "/api/v1/clock", headers: ["content-type": "application/json"],
                        body: Array(#"{"advance":"0s"}"#.utf8))
                    #expect(answer.status == 200)
                }
            }
        }
    }

    @Test func `requests keep a connection open, however much there is to do`() throws {
        try withCostlyInput(Self.millisecond / 2) { gateway in
            for version in TestConnection.Version.allCases {
                let connection = try gateway.connect(over: version)
                for _ in 0..<2000 { try #expect(connection.send("GET", "/livez").status == 200) }
            }
        }
    }
}
