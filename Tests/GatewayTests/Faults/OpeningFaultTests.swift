import PushpitTesting
import Testing

@testable import Gateway

/// Faults of new connections, before their first request.
@Suite struct OpeningFaultTests {
    typealias Kind = TestGateway.Kind

    @Test func `a delayed connection is silent until its time, then works`() throws {
        try TestGateway.run { gateway in
            try gateway.setFault(["acceptDelay": "5s"], ["times": 1])
            let connection = try gateway.connect()
            let call = try gateway.startPush(on: connection)
            gateway.advanceClock(by: .milliseconds(4999))
            try connection.poll()
            #expect(connection.streamLimits == [], "not even SETTINGS")
            gateway.advanceClock(by: .milliseconds(1))
            try #expect(call.answer().status == 200)
            try #expect(gateway.startPush(on: gateway.connect()).answer().status == 200, "the next one is not delayed")
            #expect(gateway.events().count { $0.kind == "fault" } == 1)
        }
    }

    @Test func `the delay is not time that the connection has used up`() throws {
        try TestGateway.run { gateway in
            var now: UInt64 = 0
            gateway.embedded.gateway.turn.readTime = { now }
            try gateway.setFault(["acceptDelay": "5s"], ["times": 1])
            let connection = try gateway.connect()
            let call = try gateway.startPush(on: connection)
            now += 5_000_000_000
            gateway.advanceClock(by: .seconds(5))
            try #expect(call.answer().status == 200)
            #expect(connection.goAways.isEmpty)
        }
    }

    @Test func `a delayed connection survives the timeout of its head, and its client may leave`() throws {
        try TestGateway.run { gateway in
            try gateway.setFault(["acceptDelay": "1h"], ["times": 2])
            let (patient, gone) = (try gateway.connect(), try gateway.connect())
            let call = try gateway.startPush(on: patient)
            _ = try gateway.startPush(on: gone)
            gone.close()
            gateway.advanceLoopTime(.seconds(60))
            gateway.advanceClock(by: .seconds(3600))
            try #expect(call.answer().status == 200)
        }
    }

    @Test func `a delayed connection is read up to 64 KiB`() throws {
        try TestGateway.run { gateway in
            try gateway.setFault(["acceptDelay": "1h"], ["times": 1])
            let connection = try gateway.connect(over: .http1)
            // Clear text over HTTP/1.1 is never delayed, so the first bytes are those of HTTP/2.
            let start = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
            try connection.write(start + [UInt8](repeating: 0, count: 65_536 - start.count))
            #expect(connection.isReadByGateway == true)
            try connection.write([0])
            #expect(connection.isReadByGateway == false)
        }
    }

    @Test func `a TLS handshake is delayed too`() throws {
        try TestGateway.run(.live) { gateway in
            try gateway.setFault(["acceptDelay": "1h"], ["times": 1])
            let connection = try gateway.connect(tls: .off)
            try connection.write(Self.clientHelloStart)
            _ = try gateway.ask("GET", "/stats")
            gateway.advanceClock(by: .seconds(3600))
            try #expect(connection.read().first == 0x15, "an alert, because it is no complete handshake")
        }
    }

    /// A TLS record with a handshake message of an unknown type.
    private static let clientHelloStart: [UInt8] = [0x16, 3, 1, 0, 4, 99, 0, 0, 0]

    @Test(arguments: Kind.allCases) func `a connection over the limit is reset, and others may take its slot`(
        kind: Kind
    )
        throws
    {
        try TestGateway.run(kind) { gateway in
            try gateway.ask("GET", "/stats")
            let phone = try gateway.phone()
            try gateway.setFault(["connectionLimit": 2])
            // The test's own connection is the first.
            let second = try gateway.connect()
            try #expect(gateway.startPush(to: phone.token(), on: second).answer().status == 200)
            #expect(throws: TestFailure.self) { try gateway.startPush(on: gateway.connect()).answer() }
            try #expect(gateway.connect(over: .http1, tls: .off).send("GET", "/api/v1/stats").status == 200)
            second.close()
            try gateway.ask("GET", "/stats")
            try #expect(gateway.startPush(on: gateway.connect()).answer().status == 200)
            try #expect(phone.pushes().count == 1)
            try #expect(gateway.ask("GET", "/faults")["faults"][0]["fired"] == 1)
        }
    }

    @Test(arguments: TestRole.allCases) func `a connection that may open no stream waits for the end of the fault`(
        role: TestRole
    ) throws {
        try TestGateway.run { gateway in
            let fault = try gateway.setFault(["wire": "noStreams"])
            let connection = try gateway.connect(to: role)
            _ = try connection.start("GET", "/livez")
            let call = try connection.start("GET", "/livez")
            gateway.advanceLoopTime(.seconds(1))
            try #expect(call.answerSoFar() == nil)
            #expect(connection.streamLimits == [0])
            try gateway.ask("DELETE", "/faults/\(fault)", status: 204)
            gateway.advanceLoopTime(.seconds(1))
            try connection.poll()
            // A connection to Apple has one stream until its first answer with 200.
            let usual = role == .any ? [1000] : role == .fcm ? [100] : [1, 1000]
            #expect(connection.streamLimits == [0] + usual)
        }
    }

    @Test func `a limit of no streams in the middle ends with its fault's time`() throws {
        try TestGateway.run { gateway in
            let connection = try gateway.connect(to: .fcm)
            try gateway.setFault(["streamLimit": 0], ["for": "10s", "times": 1])
            try #expect(gateway.startPush(on: connection).answer().status == 200)
            #expect(connection.streamLimits == [100, 0])
            gateway.advanceLoopTime(.seconds(60))
            try connection.poll()
            #expect(connection.streamLimits == [100, 0], "the gateway's clock has not moved")
            gateway.advanceClock(by: .seconds(11))
            gateway.advanceLoopTime(.milliseconds(500))
            try #expect(gateway.startPush(on: connection).answer().status == 200)
            #expect(connection.streamLimits == [100, 0, 100])
        }
    }

    @Test func `the next good answer restores the limit of the role, not another`() throws {
        try TestGateway.run { gateway in
            let connection = try gateway.connect(to: .fcm)
            try gateway.setFault(["streamLimit": 7], ["times": 1])
            try #expect(gateway.startPush(on: connection).answer().status == 200)
            try #expect(gateway.startPush(on: connection).answer().status == 200)
            #expect(connection.streamLimits == [100, 7, 100])
        }
    }
}
