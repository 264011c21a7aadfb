import PushpitTesting
import PushCore
import Testing

@testable import Gateway

/// A client that resumes gets what it has missed, at its own pace.
@Suite struct ReplayTests {
    typealias Kind = TestGateway.Kind

    private func resuming(_ seq: TestJSON) -> TestJSON { ["resume": ["after": seq]] }

    @Test func `forgotten events are counted, and the others are sent`() throws {
        var configuration = TestConfiguration()
        configuration.logCapacity = 80
        try TestGateway.run(.embedded, configuration) { gateway in
            let first = try gateway.phone()
            try first.close()
            for _ in 0..<60 { try gateway.push(to: first.token()) }
            let second = try gateway.phone(watching: first, hello: resuming(first.welcome["seq"]))
            #expect(second.welcome["resumed"] == false)
            // The welcome itself is no event; 1 device and 60 pushes of three events each.
            let missed = try #require(second.welcome["missed"].int)
            #expect(missed == 1 + 180 - 80 - (try #require(first.welcome["seq"].int)))
            let told = try second.received()
            #expect(told.last?["seq"] == second.welcome["seq"])
            try #expect(#require(told.first?["seq"].int) - (1 + missed) <= 3)
        }
    }

    @Test func `a client can resume after the log has forgotten everything`() throws {
        var configuration = TestConfiguration()
        configuration.eventLifetime = .seconds(1)
        try TestGateway.run(.embedded, configuration) { gateway in
            let first = try gateway.phone(hello: ["manualAck": true])
            try gateway.push(to: first.token())
            _ = try first.next("push")
            gateway.advanceClock(by: .seconds(10))
            gateway.advanceLoopTime(.milliseconds(500))
            try #expect(gateway.ask("GET", "/messages")["messages"] == [])
            try #expect(gateway.phone(watching: first, hello: resuming(1)).welcome["missed"].int == 3)
            let third = try gateway.phone(watching: first, hello: ["manualAck": true])
            try #expect(third.received() == [])
        }
    }

    @Test(arguments: Kind.allCases)
    func `a push that arrives during a replay is sent after the missed ones`(kind: Kind) throws {
        try TestGateway.run(kind) { gateway in
            let first = try gateway.phone(hello: ["wants": ["push"]])
            try first.close()
            func send(_ numbers: Range<Int>) throws {
                let calls = try numbers.map { try gateway.startPush(["n": TestJSON($0)], to: first.token()) }
                for call in calls { try #expect(call.answer().status == 200) }
            }
            try send(0..<600)
            let second = try gateway.socket()
            try second.send(
                "hello",
                ["device": ["id": TestJSON(first.id)], "wants": ["push"], "resume": ["after": first.welcome["seq"]]])
            try send(600..<650)
            try #expect(second.next("welcome")["resumed"] == true)
            try #expect((0..<650).map { _ in try second.next()["payload"]["n"].int } == Array(0..<650))
        }
    }

    @Test func `a replay takes several turns`() throws {
        try SlowClock.withSlowClock { gateway, host in
            let first = try gateway.phone(hello: ["wants": ["push"]])
            try first.close()
            for number in 0..<500 { try gateway.push(["n": TestJSON(number)], to: first.token()) }
            host.takesTurnsManually = true
            let second = try gateway.socket()
            try second.send(
                "hello",
                ["device": ["id": TestJSON(first.id)], "wants": ["push"], "resume": ["after": first.welcome["seq"]]])
            // It has 1,500 events. Once the turn is over, each piece of work has 16 of them.
            #expect(!host.gateway.replays.running.isEmpty)
            // A turn has time for two pieces.
            #expect(SlowClock.takeTurns(host) > 30)
            host.takesTurnsManually = false
            try #expect(second.next("welcome")["resumed"] == true)
            try #expect((0..<500).map { _ in try second.next()["payload"]["n"].int } == Array(0..<500))
        }
    }

    @Test func `a replay that exceeds the output limit is sent as the client reads`() throws {
        try TestGateway.run { gateway in
            let first = try gateway.phone(hello: ["wants": ["push"]])
            try first.close()
            let filler = TestJSON(String(repeating: "x", count: 3000))
            func send(_ numbers: Range<Int>) throws {
                for number in numbers {
                    try gateway.push(["n": TestJSON(number), "filler": filler], to: first.token())
                }
            }
            try send(0..<600)
            let second = try gateway.socket()
            second.isReading = false
            try second.send(
                "hello",
                ["device": ["id": TestJSON(first.id)], "wants": ["push"], "resume": ["after": first.welcome["seq"]]])
            // The replay is paused; what is new waits behind it.
            try send(600..<650)
            #expect(gateway.embedded.gateway.replays.paused.count == 1)
            second.isReading = true
            try #expect(second.next()["type"] == "welcome")
            try #expect((0..<650).map { _ in try second.next()["payload"]["n"].int } == Array(0..<650))
            #expect(gateway.embedded.gateway.replays.paused.isEmpty)
        }
    }

    @Test func `a replay ends with 4004 if the log forgets events that were not sent yet`() throws {
        var configuration = TestConfiguration()
        configuration.logCapacity = 1000
        try TestGateway.run(.embedded, configuration) { gateway in
            let first = try gateway.phone(hello: ["wants": ["push"]])
            try first.close()
            let filler = TestJSON(String(repeating: "x", count: 3000))
            for _ in 0..<300 { try gateway.push(["filler": filler], to: first.token()) }
            let second = try gateway.socket()
            second.isReading = false
            try second.send(
                "hello",
                ["device": ["id": TestJSON(first.id)], "wants": ["push"], "resume": ["after": first.welcome["seq"]]])
            for _ in 0..<400 { try gateway.push() }
            second.isReading = true
            try #expect(second.waitForClose() == 4004)
        }
    }
}
