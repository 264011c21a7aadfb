@testable import Gateway
import PushpitTesting
import Testing

/// What a connection speaks is found out from its first bytes.
@Suite struct ProtocolDetectionTests {
    static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
    static let settings: [UInt8] = [0, 0, 0, 4, 0, 0, 0, 0, 0]
    /// The type of the first frame in bytes from a gateway.
    private func frameType(_ bytes: [UInt8]) -> UInt8? { bytes.count > 3 ? bytes[3] : nil }

    @Test func `the preface of HTTP 2 may come byte by byte`() throws {
        try TestGateway.run { gateway in
            let connection = try gateway.connect()
            for (index, byte) in (Self.preface + Self.settings).enumerated() {
                try connection.write([byte])
                // The gateway's SETTINGS follow the fourth byte, which no method that it knows has.
                if index < 3 { try #expect(connection.read() == []) }
            }
            #expect(frameType(try connection.read()) == 4)
            try #expect(!connection.isEnded())
        }
    }

    @Test func `a request of HTTP 1 may come byte by byte`() throws {
        try TestGateway.run { gateway in
            let connection = try gateway.connect(over: .http1)
            let request = Array("GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
            for byte in request.dropLast() {
                try connection.write([byte])
                try #expect(connection.read() == [])
            }
            try connection.write([request[request.count - 1]])
            #expect(String(decoding: try connection.read(), as: UTF8.self).hasPrefix("HTTP/1.1 200 OK\r\n"))
        }
    }

    @Test(arguments: ["PUT /livez HTTP/1.1", "PRINT /livez HTTP/1.1", "P /livez HTTP/1.1", "PR /livez HTTP/1.1"])
    func `a method that begins like the preface is HTTP 1`(line: String) throws {
        try TestGateway.run { gateway in
            let connection = try gateway.connect(over: .http1)
            for byte in Array("\(line)\r\nHost: localhost\r\n\r\n".utf8) { try connection.write([byte]) }
            let status = line.hasPrefix("PUT") ? "405" : "501"
            #expect(String(decoding: try connection.read(), as: UTF8.self).hasPrefix("HTTP/1.1 \(status) "))
        }
    }

    @Test func `bytes after the preface that are no frames end the connection with GOAWAY`() throws {
        try TestGateway.run { gateway in
            let connection = try gateway.connect()
            try connection.write(Self.preface + Array("GET / HTTP/1.1\r\n\r\n".utf8))
            let types = Frames(try connection.read()).all.map(\.type)
            #expect(types.first == 4)
            #expect(types.last == 7)
            try #expect(connection.isEnded())
        }
    }

    @Test func `HTTP 1 on a listener of role apns gets the bytes of the real service`() throws {
        try TestGateway.run { gateway in
            let connection = try gateway.connect(to: .apns)
            try connection.write(Array("POST /3/device/abc HTTP/1.1\r\nhost: localhost\r\n\r\n".utf8))
            let frames = Frames(try connection.read()).all
            #expect(frames.map(\.type) == [4, 7])
            let dump = "504f5354202f332f6465766963652f61626320485454502f"
            #expect(Array(frames[1].payload.prefix(8)) == [0, 0, 0, 0, 0, 0, 0, 1])
            #expect(
                String(decoding: frames[1].payload.dropFirst(8), as: UTF8.self)
                    == "HTTP/2 client preface string missing or corrupt. Hex dump for received bytes: " + dump)
            try #expect(connection.isEnded())
        }
    }

    @Test func `the answer on role apns quotes a short request completely`() throws {
        try TestGateway.run { gateway in
            let connection = try gateway.connect(to: .apns)
            try connection.write(Array("GET /\r\n".utf8))
            let goAway = try #require(Frames(try connection.read()).all.last)
            #expect(String(decoding: goAway.payload.dropFirst(8), as: UTF8.self).hasSuffix(": 474554202f0d0a"))
        }
    }

    @Test func `a client that ends before its protocol is known is closed`() throws {
        for bytes in [[], Array("PRI".utf8)] {
            try TestGateway.run { gateway in
                let connection = try gateway.connect()
                try connection.write(bytes)
                #expect(gateway.embedded.gateway.openConnections == 1)
                try connection.endWriting()
                #expect(gateway.embedded.gateway.openConnections == 0)
                try #expect(connection.isEnded())
            }
        }
    }

    @Test func `a request follows the preface in the same write`() throws {
        try TestGateway.run { gateway in
            // `connect` writes nothing before the first request, so the preface, SETTINGS and HEADERS are one write.
            try #expect(gateway.connect().send("GET", "/livez").status == 200)
        }
    }

    @Test(arguments: [TestRole.any, .fcm])
    func `the protocol over TLS without ALPN follows from the first bytes`(role: TestRole) throws {
        try TestGateway.run(.live) { gateway in
            for version in TestConnection.Version.allCases {
                let connection = try gateway.connect(to: role, over: version, tls: .withoutALPN)
                try #expect(connection.send("GET", "/livez").status == 200)
            }
        }
    }

    @Test func `a listener speaks both versions without TLS too`() throws {
        try TestGateway.run(.live) { gateway in
            for version in TestConnection.Version.allCases {
                let connection = try gateway.connect(over: version, tls: .off)
                try #expect(connection.send("GET", "/livez").status == 200)
            }
        }
    }

    @Test func `a listener of role apns speaks first over TLS without ALPN`() throws {
        try TestGateway.run(.live) { gateway in
            let connection = try gateway.connect(to: .apns, tls: .withoutALPN)
            #expect(frameType(try connection.read()) == 4)
        }
    }
}
