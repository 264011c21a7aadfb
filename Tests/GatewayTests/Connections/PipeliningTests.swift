import PushpitTesting
import Testing

@testable import Gateway

/// HTTP/1.1: one request at a time, and what comes meanwhile.
@Suite struct PipeliningTests {
    private func request(_ line: String, _ fields: String = "", body: String = "") -> [UInt8] {
        let length = body.isEmpty ? "" : "Content-Length: \(body.utf8.count)\r\n"
        return Array("\(line) HTTP/1.1\r\nHost: localhost\r\n\(fields)\(length)\r\n\(body)".utf8)
    }

    private func text(_ connection: TestConnection) throws -> String {
        String(decoding: try connection.read(), as: UTF8.self)
    }

    @Test(arguments: TestGateway.Kind.allCases)
    func `requests in one write are answered in their order`(kind: TestGateway.Kind) throws {
        try TestGateway.run(kind) { gateway in
            let connection = try gateway.connect(over: .http1)
            let paths = ["/livez", "/nothing", "/api/v1/stats", "/readyz", "/metrics"]
            let calls = try paths.map { try connection.start("GET", $0) }
            try #expect(calls.map { try $0.answer().status } == [200, 404, 200, 200, 200])
        }
    }

    @Test func `requests may be split anywhere`() throws {
        let bytes = request("GET /livez") + request("POST /api/v1/reset", body: "{}") + request("GET /readyz")
        for size in [1, 2, 3, 7, 50, bytes.count] {
            try TestGateway.run { gateway in
                let connection = try gateway.connect(over: .http1)
                var output = ""
                for start in stride(from: 0, to: bytes.count, by: size) {
                    try connection.write(Array(bytes[start..<min(bytes.count, start + size)]))
                    output += try text(connection)
                }
                #expect(output.split(separator: "HTTP/1.1 ").map { $0.prefix(3) } == ["200", "200", "200"])
            }
        }
    }

    @Test func `a request that follows one that waits is answered after it`() throws {
        try TestGateway.run { gateway in
            let connection = try gateway.connect(over: .http1)
            let waiting = try connection.start(
                "POST", "/api/v1/expect", body: Array(#"{"within":"60s"}"#.utf8))
            let next = try connection.start("GET", "/livez")
            try #expect(next.answerSoFar() == nil)
            try gateway.push()
            try #expect(waiting.answer().json["count"] == 1)
            try #expect(next.answer().status == 200)
        }
    }

    @Test func `while a request waits for its answer, only a little more input is read`() throws {
        try TestGateway.run { gateway in
            let connection = try gateway.connect(over: .http1)
            let waiting = try connection.start("POST", "/api/v1/expect", body: Array(#"{"within":"60s"}"#.utf8))
            let body = String(repeating: " ", count: 40_000)
            let first = try connection.start("POST", "/api/v1/reset", body: Array(body.utf8))
            #expect(connection.isReadByGateway == true)
            let second = try connection.start("POST", "/api/v1/reset", body: Array(body.utf8))
            #expect(connection.isReadByGateway == false, "80,000 bytes are held")
            let third = try connection.start("GET", "/livez")
            try gateway.push()
            #expect(connection.isReadByGateway == true)
            try #expect(waiting.answer().status == 200)
            try #expect(first.answer().status == 400)
            try #expect(second.answer().status == 400)
            try #expect(third.answer().status == 200)
        }
    }

    @Test func `a client that ends its side gets the answers to what it has asked`() throws {
        try TestGateway.run { gateway in
            let connection = try gateway.connect(over: .http1)
            let calls = try (0..<3).map { _ in try connection.start("GET", "/livez") }
            try connection.endWriting()
            for call in calls { try #expect(call.answer().status == 200) }
            try #expect(connection.isEnded())
            #expect(gateway.embedded.gateway.openConnections == 0)
        }
    }

    @Test func `a waiting call ends when the client ends its side`() throws {
        try TestGateway.run { gateway in
            let connection = try gateway.connect(over: .http1)
            _ = try connection.start("POST", "/api/v1/expect", body: Array(#"{"within":"60s"}"#.utf8))
            try #expect(gateway.ask("GET", "/stats")["waiting"] == 1)
            try connection.endWriting()
            try #expect(gateway.ask("GET", "/stats")["waiting"] == 0)
        }
    }

    /// A push over HTTP/1.1 whose answer comes 5 s later.
    private func delayedPush(_ gateway: TestGateway) throws -> (TestConnection, TestCall) {
        try gateway.ask("POST", "/faults", ["effect": ["delay": "5s"]], status: 201)
        let connection = try gateway.connect(over: .http1)
        let call = try connection.start(
            "POST", "/v1/projects/p/messages:send", headers: ["authorization": "Bearer x"],
            body: Array(#"{"message":{"topic":"t"}}"#.utf8))
        return (connection, call)
    }

    @Test func `a client that ends its side before a delayed answer gets it`() throws {
        try TestGateway.run { gateway in
            let (connection, call) = try delayedPush(gateway)
            try connection.endWriting()
            #expect(gateway.embedded.gateway.openConnections == 2)
            gateway.advanceClock(by: .seconds(5))
            try #expect(call.answer().status == 200)
            try #expect(connection.isEnded())
            #expect(gateway.embedded.gateway.openConnections == 1)
        }
    }

    @Test
    func `a stream that is asked for behind a delayed answer ends the connection of a client that has ended its side`()
        throws
    {
        try TestGateway.run { gateway in
            let (connection, call) = try delayedPush(gateway)
            let stream = try connection.start("GET", "/api/v1/events?since=0&follow=false")
            try connection.endWriting()
            gateway.advanceClock(by: .seconds(5))
            try #expect(call.answer().status == 200)
            try #expect(stream.answer().text.contains("event: accepted"))
            try #expect(connection.isEnded())
        }
    }

    @Test func `no more input is read from a client that does not read, until it reads`() throws {
        try TestGateway.run { gateway in
            let connection = try gateway.connect(over: .http1)
            connection.isReading = false
            var calls: [TestCall] = []
            while connection.isReadByGateway == true, calls.count < 5000 {
                calls.append(try connection.start("GET", "/docs"))
            }
            #expect(connection.isReadByGateway == false, "\(calls.count) answers did not stop it")
            #expect(connection.unreadBytes == Connection.outputLimit)
            let last = try connection.start("GET", "/livez")
            connection.isReading = true
            #expect(connection.isReadByGateway == true)
            for call in calls { try #expect(call.answer().status == 200) }
            try #expect(last.answer().text == "ok\n")
        }
    }

    @Test func `while an answer has to wait, at most 64 KiB more is read`() throws {
        try TestGateway.run { gateway in
            let connection = try gateway.connect(over: .http1)
            _ = try connection.start("POST", "/api/v1/expect", body: Array(#"{"within":"60s"}"#.utf8))
            try connection.write((0..<10_000).flatMap { _ in request("GET /livez") })
            guard case .http1(let channel) = gateway.embedded.gateway.connections.all.first?.layer else {
                Issue.record("no HTTP/1.1 connection")
                return
            }
            #expect(connection.isReadByGateway == false)
            // The last read may add as much as a socket delivers at once.
            #expect((65_536...131_072).contains(channel.heldInput.count))
            try gateway.push()
            #expect(connection.isReadByGateway == true)
            let output = String(decoding: try connection.read(), as: UTF8.self)
            #expect(output.split(separator: "HTTP/1.1 200 OK").count == 10_001)
        }
    }

    @Test func `requests of one write are answered as far as there is room for the answers`() throws {
        try TestGateway.run { gateway in
            let connection = try gateway.connect(over: .http1)
            connection.isReading = false
            let requests = (0..<1000).flatMap { _ in request("GET /docs") }
            try connection.write(requests + request("GET /livez"))
            guard case .http1(let channel) = gateway.embedded.gateway.connections.all.first?.layer else {
                Issue.record("no HTTP/1.1 connection")
                return
            }
            #expect(connection.unreadBytes == Connection.outputLimit)
            #expect(channel.output.count < 2 * Connection.outputLimit, "all answers together have over 40 MB")
            #expect(connection.isReadByGateway == false)
            connection.isReading = true
            var output: [UInt8] = []
            for _ in 0..<10_000 {
                let more = try connection.read()
                output += more
                if more.isEmpty { break }
            }
            #expect(connection.isReadByGateway == true)
            #expect(String(decoding: output, as: UTF8.self).hasSuffix("\r\n\r\nok\n"))
        }
    }
}
