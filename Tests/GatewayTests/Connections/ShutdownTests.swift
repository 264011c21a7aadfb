import PushpitTesting
import Testing

@testable import Gateway

/// What a gateway says when it goes down, and how long it waits.
@Suite struct ShutdownTests {
    /// What the server does at SIGTERM, for a gateway without one.
    private func shutDown(_ gateway: TestGateway) {
        let host = gateway.embedded
        host.gateway.isDraining = true
        host.gateway.endWaiting()
        for connection in host.gateway.connections.all { connection.shutDown() }
        host.settle()
    }

    @Test func `a device socket says bye and closes with 1001`() throws {
        try TestGateway.run { gateway in
            let (greeted, silent) = (try gateway.phone(), try gateway.socket())
            shutDown(gateway)
            try #expect(greeted.next() == ["type": "bye", "reason": "the gateway is shutting down", "reconnect": true])
            try #expect(greeted.waitForClose() == 1001)
            try #expect(silent.waitForClose() == 1001)
            #expect(throws: TestFailure.self) { try silent.next() }
        }
    }

    @Test func `HTTP 2 gets GOAWAY, and requests under way are answered`() throws {
        try TestGateway.run { gateway in
            try gateway.ask("POST", "/faults", ["effect": ["delay": "5s"], "times": 1], status: 201)
            let connection = try gateway.connect()
            let call = try connection.start(
                "POST", "/3/device/\(TestGateway.unknownToken)", headers: gateway.pushFields(), body: Array("{}".utf8))
            shutDown(gateway)
            try connection.poll()
            #expect(connection.goAways.map(\.text) == [#"{"reason":"Shutdown"}"#])
            #expect(connection.goAways.map(\.code) == [0])
            try #expect(call.answerSoFar() == nil)
            gateway.advanceClock(by: .seconds(5))
            try #expect(call.answer().status == 200)
            try #expect(connection.isEnded())
        }
    }

    @Test func `an idle connection of HTTP 1 is closed at once, one that waits after its answer`() throws {
        try TestGateway.run { gateway in
            try gateway.ask("POST", "/faults", ["effect": ["delay": "5s"], "times": 1], status: 201)
            let (idle, busy) = (try gateway.connect(over: .http1), try gateway.connect(over: .http1))
            _ = try idle.send("GET", "/livez")
            let call = try busy.start(
                "POST", "/v1/projects/p/messages:send", headers: ["authorization": "Bearer x"],
                body: Array(#"{"message":{"topic":"t"}}"#.utf8))
            shutDown(gateway)
            try #expect(idle.isEnded())
            try #expect(!busy.isEnded())
            gateway.advanceClock(by: .seconds(5))
            try #expect(call.answer().status == 200)
            try #expect(busy.isEnded())
        }
    }

    @Test func `a connection whose protocol is not known yet is closed`() throws {
        try TestGateway.run { gateway in
            let connection = try gateway.connect()
            try connection.write([0x50])
            shutDown(gateway)
            try #expect(connection.isEnded())
            #expect(gateway.embedded.gateway.openConnections == 0)
        }
    }

    @Test func `clients that wait for expect are answered 503, and event streams end`() throws {
        try TestGateway.run { gateway in
            let body = Array(#"{"within":"60s"}"#.utf8)
            let calls = try TestConnection.Version.allCases.map {
                try gateway.connect(over: $0).start("POST", "/api/v1/expect", body: body)
            }
            let stream = try gateway.connect(over: .http1).start("GET", "/api/v1/events")
            shutDown(gateway)
            for call in calls {
                let answer = try call.answer()
                #expect(answer.status == 503)
                #expect(answer.json["error"]["code"] == "goingDown")
            }
            try #expect(stream.answer().status == 200, "its last chunk has come")
        }
    }

    @Test func `a connection that a fault has made a black hole is closed`() throws {
        try TestGateway.run { gateway in
            let connection = try gateway.connect()
            try gateway.ask("POST", "/faults", ["effect": ["blackHole": true], "times": 1], status: 201)
            _ = try connection.start(
                "POST", "/3/device/\(TestGateway.unknownToken)", headers: gateway.pushFields(), body: Array("{}".utf8))
            gateway.advanceLoopTime(.seconds(3600))
            #expect(gateway.embedded.gateway.openConnections == 2)
            shutDown(gateway)
            try #expect(connection.isEnded())
        }
    }

    @Test func `readyz is 503 while the gateway goes down, livez is not`() throws {
        try TestGateway.run { gateway in
            gateway.embedded.gateway.isDraining = true
            try #expect(gateway.send("GET", "/readyz").status == 503)
            try #expect(gateway.send("GET", "/livez").status == 200)
        }
    }

    @Test func `a live gateway ends even if a client stays connected`() throws {
        try TestGateway.run(.live) { gateway in
            let phone = try gateway.phone()
            let connection = try gateway.connect(over: .http1)
            _ = try connection.send("GET", "/livez")
            gateway.shutDown()
            try #expect(phone.next()["type"] == "bye")
            try #expect(connection.isEnded())
        }
    }
}
