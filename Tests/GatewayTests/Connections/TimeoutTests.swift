import PushpitTesting
import Testing

@testable import Gateway

/// What ends because of a peer's silence. Loop time is moved; no test waits.
@Suite struct TimeoutTests {
    private func embedded(_ change: (inout TestConfiguration) -> Void = { _ in }) -> TestGateway {
        var configuration = TestConfiguration()
        change(&configuration)
        return TestGateway(configuration)
    }

    private func text(_ connection: TestConnection) throws -> String {
        String(decoding: try connection.read(), as: UTF8.self)
    }

    @Test func `a connection without input has the head timeout`() throws {
        let gateway = embedded { $0.headTimeout = .seconds(10) }
        let connection = try gateway.connect()
        gateway.advanceLoopTime(.seconds(10))
        try #expect(!connection.isEnded())
        gateway.advanceLoopTime(.milliseconds(500))
        try #expect(connection.isEnded())
        #expect(gateway.embedded.gateway.openConnections == 0)
    }

    @Test(arguments: [TestRole.any, .apns])
    func `half a preface does not restart the head timeout`(role: TestRole) throws {
        let gateway = embedded { $0.headTimeout = .seconds(2) }
        let connection = try gateway.connect(to: role)
        for byte in Array("PRI".utf8) {
            gateway.advanceLoopTime(.milliseconds(700))
            try connection.write([byte])
        }
        gateway.advanceLoopTime(.milliseconds(500))
        try #expect(connection.isEnded())
    }

    @Test func `the head timeout does not restart with each byte`() throws {
        let gateway = embedded { $0.headTimeout = .seconds(2) }
        let connection = try gateway.connect(over: .http1)
        try connection.write(Array("GET /livez HTTP/1.1\r\nHost: localhost\r\nX: ".utf8))
        for _ in 0..<4 {
            try #expect(text(connection) == "")
            gateway.advanceLoopTime(.milliseconds(500))
            try connection.write(Array("a".utf8))
        }
        gateway.advanceLoopTime(.milliseconds(500))
        try #expect(text(connection).hasPrefix("HTTP/1.1 408 "))
        try #expect(connection.isEnded())
        #expect(gateway.embedded.log.lines.contains { $0.contains("status=408") })
    }

    @Test func `a body has the stall timeout, which restarts with each byte`() throws {
        let gateway = embedded { ($0.headTimeout, $0.stallTimeout) = (.seconds(1), .seconds(3)) }
        let connection = try gateway.connect(over: .http1)
        try connection.write(Array("POST /livez HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nabc".utf8))
        gateway.advanceLoopTime(.seconds(2))
        try connection.write(Array("d".utf8))
        gateway.advanceLoopTime(.seconds(3))
        try #expect(text(connection) == "")
        gateway.advanceLoopTime(.milliseconds(500))
        try #expect(text(connection).hasPrefix("HTTP/1.1 408 "))
    }

    @Test func `an idle connection of HTTP 1 is closed without an answer after its timeout`() throws {
        let gateway = embedded { $0.keepAliveTimeout = .seconds(75) }
        let connection = try gateway.connect(over: .http1)
        try #expect(connection.send("GET", "/livez").status == 200)
        gateway.advanceLoopTime(.seconds(75))
        try #expect(connection.send("GET", "/livez").status == 200, "the request renews it")
        gateway.advanceLoopTime(.milliseconds(75_500))
        try #expect(text(connection) == "")
        try #expect(connection.isEnded())
    }

    @Test func `an idle connection of HTTP 2 is kept`() throws {
        let gateway = embedded()
        let connection = try gateway.connect()
        try #expect(connection.send("GET", "/livez").status == 200)
        gateway.advanceLoopTime(.seconds(3600))
        try #expect(connection.send("GET", "/livez").status == 200)
    }

    @Test func `a stalled request of HTTP 2 ends its connection if nothing else happens there`() throws {
        let gateway = embedded { $0.stallTimeout = .seconds(3) }
        let connection = try gateway.connect()
        try #expect(connection.send("GET", "/livez").status == 200)
        // HEADERS of stream 3 without END_STREAM: indexed fields of the static table, and a literal authority.
        let block: [UInt8] = [0x83, 0x87, 0x84, 0x41, 9] + Array("localhost".utf8)
        try connection.write([0, 0, UInt8(block.count), 1, 4, 0, 0, 0, 3] + block)
        gateway.advanceLoopTime(.seconds(3))
        try #expect(!connection.isEnded())
        gateway.advanceLoopTime(.milliseconds(500))
        try #expect(connection.isEnded())
        #expect(connection.wasReset || connection.goAways.first?.code == 11)
    }

    @Test func `a stalled stream is reset while others make progress`() throws {
        let gateway = embedded { $0.stallTimeout = .seconds(2) }
        let connection = try gateway.connect()
        try #expect(connection.send("GET", "/livez").status == 200)
        let block: [UInt8] = [0x83, 0x87, 0x84, 0x41, 9] + Array("localhost".utf8)
        try connection.write([0, 0, UInt8(block.count), 1, 4, 0, 0, 0, 3] + block)
        var frames: [Frames.Frame] = []
        for _ in 0..<8 {
            gateway.advanceLoopTime(.milliseconds(500))
            // A PING keeps the connection busy.
            try connection.write([0, 0, 8, 6, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8])
            frames += Frames(try connection.read()).all
        }
        #expect(frames.contains { $0.type == 3 && $0.stream == 3 })
        #expect(!frames.contains { $0.type == 7 })
        #expect(frames.count { $0.type == 6 } == 8)
    }

    @Test func `a client that reads slowly is not disconnected`() throws {
        let gateway = embedded { $0.stallTimeout = .seconds(2) }
        let connection = try gateway.connect(over: .http1)
        connection.isReading = false
        for _ in 0..<50 { try connection.write(Array("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)) }
        var taken = 0
        let waiting = try #require(connection.unreadBytes)
        for _ in 0..<10 {
            gateway.advanceLoopTime(.milliseconds(1900))
            taken += connection.take(atMost: 1000).count
            #expect(gateway.embedded.gateway.openConnections == 1)
        }
        #expect(taken == 10_000 && waiting > 15_000)
        gateway.advanceLoopTime(.seconds(5))
        #expect(gateway.embedded.gateway.openConnections == 0)
        #expect(connection.wasReset)
    }

    @Test func `a client that never reads is disconnected, whatever its protocol`() throws {
        for version in TestConnection.Version.allCases {
            let gateway = embedded { $0.stallTimeout = .seconds(2) }
            let connection = try gateway.connect(over: version)
            try #expect(connection.send("GET", "/livez").status == 200)
            connection.isReading = false
            _ = try connection.start("GET", "/")
            gateway.advanceLoopTime(.seconds(3))
            #expect(gateway.embedded.gateway.openConnections == 0)
        }
    }

    @Test func `after the last answer the client has some time to close the connection`() throws {
        let gateway = embedded()
        let connection = try gateway.connect(over: .http1)
        try #expect(connection.send("GET", "/livez", headers: ["connection": "close"]).status == 200)
        try #expect(connection.isEnded())
        #expect(gateway.embedded.gateway.openConnections == 1)
        gateway.advanceLoopTime(.seconds(1))
        #expect(gateway.embedded.gateway.openConnections == 1)
        gateway.advanceLoopTime(.milliseconds(500))
        #expect(gateway.embedded.gateway.openConnections == 0)
    }

    @Test func `a connection that waits for expect is not idle`() throws {
        let gateway = embedded {
            ($0.keepAliveTimeout, $0.stallTimeout, $0.headTimeout) = (.seconds(1), .seconds(1), .seconds(1))
        }
        let body = Array(#"{"never":true,"within":"10s"}"#.utf8)
        let calls = try TestConnection.Version.allCases.map {
            try gateway.connect(over: $0).start("POST", "/api/v1/expect", body: body)
        }
        gateway.advanceLoopTime(.milliseconds(9500))
        for call in calls { try #expect(call.answerSoFar() == nil) }
        gateway.advanceLoopTime(.milliseconds(600))
        for call in calls { try #expect(call.answer().status == 200) }
    }

    @Test func `a request that waits for the gateway's clock is not stalled`() throws {
        let gateway = embedded { $0.stallTimeout = .seconds(1) }
        try gateway.ask("POST", "/faults", ["effect": ["delay": "1h"]], status: 201)
        let call = try gateway.startPush()
        gateway.advanceLoopTime(.seconds(60))
        try #expect(call.answerSoFar() == nil)
        gateway.advanceClock(by: .seconds(3600))
        try #expect(call.answer().status == 200)
    }

    @Test func `moving the clock ends no connection`() throws {
        let gateway = embedded()
        let idle = try gateway.connect(over: .http1)
        try #expect(idle.send("GET", "/livez").status == 200)
        let slow = try gateway.connect(over: .http1)
        try slow.write(Array("GET /livez HTTP/1.1\r\nHost: localhost\r\n".utf8))
        let phone = try gateway.phone()
        for _ in 0..<24 { gateway.advanceClock(by: .seconds(3600)) }
        gateway.advanceLoopTime(.milliseconds(500))
        try #expect(idle.send("GET", "/livez").status == 200)
        try slow.write(Array("\r\n".utf8))
        try #expect(text(slow).hasPrefix("HTTP/1.1 200 OK"))
        try #expect(phone.received() == [])
    }
}
