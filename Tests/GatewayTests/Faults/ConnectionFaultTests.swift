import PushpitTesting
import Testing

@testable import Gateway

/// What faults do to the connection behind a request.
@Suite struct ConnectionFaultTests {
    typealias Kind = TestGateway.Kind

    @Test(arguments: Kind.allCases) func `GOAWAY names the newest request that was served and ends the connection`(
        kind: Kind
    ) throws {
        try TestGateway.run(kind) { gateway in
            let rows: [(effect: TestJSON, last: Int, isAnswered: Bool)] = [
                (["goAway": ["code": "NO_ERROR", "debug": "bye", "last": "before"]], 1, false),
                (["goAway": ["code": "NO_ERROR", "debug": "bye", "last": "request"]], 3, true),
                (["goAway": ["code": "NO_ERROR", "debug": "bye", "last": "none"]], 0, false),
                (["goAway": ["code": "NO_ERROR", "debug": "bye", "last": 1]], 1, false),
            ]
            for row in rows {
                let connection = try gateway.connect()
                try #expect(gateway.startPush(on: connection).answer().status == 200)
                try gateway.setFault(row.effect, ["times": 1])
                let second = try gateway.startPush(on: connection)
                if row.isAnswered {
                    try #expect(second.answer().status == 200)
                } else {
                    #expect(throws: TestFailure.self) { try second.answer() }
                }
                try #expect(connection.isEnded())
                #expect(connection.goAways.map(\.lastStream) == [row.last], "\(row.effect)")
                #expect(connection.goAways.map(\.text) == ["bye"])
            }
        }
    }

    @Test func `of two GOAWAYs only the first has a reason`() throws {
        try TestGateway.run { gateway in
            try gateway.setFault(["wire": "goawayCert"], ["times": 1])
            let connection = try gateway.connect()
            let call = try gateway.startPush(on: connection)
            #expect(throws: TestFailure.self) { try call.answer() }
            #expect(connection.goAways.map(\.text) == [#"{"reason":"BadCertificateEnvironment"}"#, ""])
        }
    }

    @Test func `requests after a fault in one write are ignored, and answers before it are sent`() throws {
        for effect: TestJSON in [["blackHole": true], ["wire": "goawayShutdown"], ["close": "end"], ["close": "reset"]]
        {
            try TestGateway.run { gateway in
                let phone = try gateway.phone(hello: ["wants": ["push"]])
                let connection = try gateway.connect()
                _ = try connection.send("GET", "/livez")
                try gateway.setFault(effect, ["nth": 2, "times": 1])
                let calls = try gateway.embedded.holding {
                    try (0..<4).map { _ in try gateway.startPush(to: phone.token(), on: connection) }
                }
                if effect != ["close": "reset"] { try #expect(calls[0].answer().status == 200) }
                for call in calls[1...] { #expect(throws: TestFailure.self) { try call.answer() } }
                try #expect(phone.pushes().map { $0["id"] } == ["p1"], "\(effect)")
            }
        }
    }

    @Test func `a black hole sends nothing more, not even an answer to a PING`() throws {
        try TestGateway.run { gateway in
            let connection = try gateway.connect()
            try #expect(gateway.startPush(on: connection).answer().status == 200)
            try gateway.setFault(["blackHole": true], ["times": 1])
            _ = try gateway.startPush(on: connection)
            try connection.write([0, 0, 8, 6, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8])
            try #expect(connection.read() == [])
            gateway.advanceLoopTime(.seconds(600))
            try #expect(!connection.isEnded())
            connection.close()
            try #expect(gateway.push().status == 200)
            try #expect(gateway.ask("GET", "/stats")["connections"] == 1)
        }
    }

    @Test func `over HTTP 1 nothing is answered after a request that never is`() throws {
        try TestGateway.run { gateway in
            try gateway.setFault(["silence": true], ["times": 1])
            let connection = try gateway.connect(over: .http1)
            let body: TestJSON = ["message": ["topic": "news"]]
            let silent = try connection.start(
                "POST", "/v1/projects/shop/messages:send", headers: ["authorization": "Bearer x"], body: body.bytes)
            let next = try connection.start("GET", "/livez")
            gateway.advanceLoopTime(.seconds(600))
            try #expect(silent.answerSoFar() == nil)
            try #expect(next.answerSoFar() == nil)
            try #expect(!connection.isEnded())
        }
    }

    @Test func `a fault's stream limit is raised by the next good answer`() throws {
        try TestGateway.run { gateway in
            let connection = try gateway.connect()
            try gateway.setFault([["streamLimit": 7], ["delay": "1s"]], ["times": 1])
            let call = try gateway.startPush(on: connection)
            try connection.poll()
            #expect(connection.streamLimits == [1000, 7])
            gateway.advanceClock(by: .seconds(1))
            try #expect(call.answer().status == 200)
            #expect(connection.streamLimits == [1000, 7])
            try #expect(gateway.startPush(on: connection).answer().status == 200)
            #expect(connection.streamLimits == [1000, 7, 1000])
        }
    }

    @Test func `a fault's window holds for later requests`() throws {
        try TestGateway.run { gateway in
            let connection = try gateway.connect()
            try gateway.setFault(["window": 10], ["times": 1])
            try #expect(gateway.startPush(on: connection).answer().status == 200)
            #expect(connection.window == 10)
            try #expect(gateway.startPush(on: connection).answer().status == 200)
        }
    }

    @Test func `a sticky fault ends when it is removed or the connection closes`() throws {
        try TestGateway.run { gateway in
            for name in ["wedged500", "stickyTokenUpdates"] {
                let connection = try gateway.connect()
                try #expect(gateway.startPush(on: connection).answer().status == 200)
                try gateway.setFault(["wire": TestJSON(name)], ["times": 1])
                let status = name == "wedged500" ? 500 : 429
                for _ in 0..<3 { try #expect(gateway.startPush(on: connection).answer().status == status) }
                try #expect(gateway.push().status == 200, "another connection")
                try gateway.ask("DELETE", "/faults", status: 204)
                try #expect(gateway.startPush(on: connection).answer().status == 200)
            }
        }
    }

    @Test func `a fault ends an idle connection after its time`() throws {
        try TestGateway.run { gateway in
            // Not by the gateway's own connection, which would be idle too.
            let effect: TestJSON = ["effect": ["wire": "goawayIdle"], "idle": "30s", "times": 1]
            let api = try gateway.connect(over: .http1)
            try #expect(api.send("POST", "/api/v1/faults", body: effect.bytes).status == 201)
            let connection = try gateway.connect()
            try #expect(gateway.startPush(on: connection).answer().status == 200)
            gateway.advanceLoopTime(.milliseconds(29_500))
            try #expect(!connection.isEnded())
            gateway.advanceLoopTime(.seconds(1))
            try #expect(connection.isEnded())
            #expect(connection.goAways.map(\.text) == [#"{"reason":"IdleTimeout"}"#])
        }
    }

    @Test func `a fault in the TLS handshake ends it once`() throws {
        try TestGateway.run(.live) { gateway in
            for name in ["tlsHandshakeFail", "certRotation"] {
                let api = try gateway.connect()
                let effect = (["effect": ["wire": TestJSON(name)], "times": 1] as TestJSON).bytes
                try #expect(api.send("POST", "/api/v1/faults", body: effect).status == 201)
                #expect(throws: TestFailure.self) { try gateway.connect() }
                try #expect(gateway.connect().send("GET", "/livez").status == 200)
            }
        }
    }
}
