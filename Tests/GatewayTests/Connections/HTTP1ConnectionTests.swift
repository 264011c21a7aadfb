import PushpitTesting
import Testing

@testable import Gateway

/// HTTP/1.1: how a connection goes on or ends.
@Suite struct HTTP1ConnectionTests {
    private func request(_ line: String, _ fields: String = "", body: String = "") -> [UInt8] {
        let length = body.isEmpty ? "" : "Content-Length: \(body.utf8.count)\r\n"
        return Array("\(line) HTTP/1.1\r\nHost: localhost\r\n\(fields)\(length)\r\n\(body)".utf8)
    }

    private func text(_ connection: TestConnection) throws -> String {
        String(decoding: try connection.read(), as: UTF8.self)
    }

    @Test func `a client that asks to close the connection is disconnected after its answer`() throws {
        try TestGateway.run { gateway in
            let connection = try gateway.connect(over: .http1)
            try connection.write(request("GET /livez", "Connection: close\r\n") + request("GET /livez"))
            let output = try text(connection)
            #expect(output.contains("Connection: close\r\n") || output.contains("connection: close\r\n"))
            #expect(output.split(separator: "HTTP/1.1 ").count == 1)
            try #expect(connection.isEnded())
        }
    }

    @Test func `HTTP 1 point 0 is closed after one answer`() throws {
        try TestGateway.run { gateway in
            let connection = try gateway.connect(over: .http1)
            try connection.write(Array("GET /livez HTTP/1.0\r\nHost: localhost\r\n\r\n".utf8))
            try #expect(text(connection).contains(" 200 OK\r\n"))
            try #expect(connection.isEnded())
        }
    }

    @Test func `an answer to HEAD has no body`() throws {
        try TestGateway.run { gateway in
            let connection = try gateway.connect(over: .http1)
            let head = try connection.send("HEAD", "/livez")
            #expect(head.body == [] && head["content-length"] == "3")
            try #expect(connection.send("GET", "/livez").text == "ok\n", "the connection goes on")
        }
    }

    @Test func `a client that expects 100 Continue gets it`() throws {
        try TestGateway.run { gateway in
            let connection = try gateway.connect(over: .http1)
            try connection.write(
                Array(
                    "POST /api/v1/reset HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"
                        .utf8))
            try #expect(text(connection) == "HTTP/1.1 100 Continue\r\n\r\n")
            try connection.write(Array("{}".utf8))
            try #expect(text(connection).hasPrefix("HTTP/1.1 200 OK"))
        }
    }

    @Test func `a client that expects 100 Continue for a body over the limit is refused and disconnected`() throws {
        try TestGateway.run { gateway in
            let connection = try gateway.connect(over: .http1)
            try connection.write(
                Array(
                    "POST /livez HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 70000\r\n\r\n"
                        .utf8))
            let output = try text(connection)
            #expect(!output.contains("100 Continue"))
            try connection.write(Array(repeating: 32, count: 70_000))
            #expect((output + (try text(connection))).contains("HTTP/1.1 405"))
        }
    }

    @Test func `a body over the limit is refused in the service's own words`() throws {
        try TestGateway.run { gateway in
            for (path, isJSON) in [("/api/v1/expect", true), ("/", false)] {
                let connection = try gateway.connect(over: .http1)
                let size = 70_000
                let method = isJSON ? "POST" : "GET"
                let answer = try connection.send(method, path, body: Array(repeating: 32, count: size))
                #expect(answer.status == 413)
                #expect((answer["content-type"] == "application/json") == isJSON)
            }
        }
    }

    @Test func `a malformed request is answered once and ends the connection`() throws {
        for bad in ["BAD\r\n\r\n", "GET / HTTP/1.1\r\n\r\n", "GET  / HTTP/1.1\r\nHost: localhost\r\n\r\n"] {
            try TestGateway.run { gateway in
                let connection = try gateway.connect(over: .http1)
                try connection.write(Array(bad.utf8) + request("GET /livez"))
                let output = try text(connection)
                #expect(output.hasPrefix("HTTP/1.1 400 "), "\(bad): \(output)")
                #expect(output.split(separator: "HTTP/1.1 4").count == 1)
                #expect(!output.contains("HTTP/1.1 200"))
                try #expect(connection.isEnded())
                #expect(gateway.embedded.log.lines.contains { $0.contains("rule=http1.") })
            }
        }
    }
}
