import EventLoop
import Testing

@testable import Fetching

/// Requests over real sockets, with the machine's libcurl.
@Suite struct HTTPClientTests {
    static let thisMachine = AddressPolicy(reach: .thisMachine, ownPorts: [])

    static func request(
        _ url: String, body: String? = nil, longest: Int = 1_000_000, patience: UInt64 = 10_000,
        _ policy: AddressPolicy = thisMachine
    ) -> HTTPRequest {
        HTTPRequest(
            url: url, body: body.map { Array($0.utf8) }, declaresJSON: body != nil, longestAnswer: longest,
            patience: patience, policy: policy)
    }

    /// Sends one request to a new server, and closes everything.
    static func outcome(
        _ make: (UInt16) -> HTTPRequest, from host: String = "127.0.0.1", reply: @escaping (String) -> WebServer.Reply,
        then look: (WebServer) -> Void = { _ in }
    ) throws -> HTTPClient.Outcome {
        let server = try WebServer(host: host)
        server.reply = reply
        let client = try HTTPClient(on: server.loop, authorityFile: "/nonexistent")
        var outcome: HTTPClient.Outcome?
        client.send(make(server.port)) { outcome = $0 }
        try server.run { outcome != nil && server.open == 0 }
        look(server)
        client.close()
        #expect(server.close())
        return try #require(outcome)
    }

    private static let image: [UInt8] = [0x89] + Array("PNG\r\n\u{1A}\n".utf8) + Array(repeating: 7, count: 200)

    @Test func `an answer has its status, type, size and first bytes`() throws {
        let answer = try Self.outcome {
            Self.request("http://localhost:\($0)/a.png?b=c#d")
        } reply: { _ in
            WebServer.page(Self.image, status: "203 Odd")
        } then: { server in
            #expect(server.requests.count == 1)
            let lines = server.requests[0].split(separator: "\r\n").map(String.init)
            #expect(
                lines.sorted() == [
                    "Accept: */*", "GET /a.png?b=c HTTP/1.1", "Host: localhost:\(server.port)", "User-Agent: pushpit",
                ])
        }.get()
        #expect(answer.status == 203 && answer.contentType == "image/png" && answer.size == Self.image.count)
        #expect(answer.head == Array(Self.image.prefix(64)) && answer.announcesSize && answer.redirect == nil)
    }

    @Test func `a body is posted as JSON`() throws {
        let answer = try Self.outcome {
            Self.request("http://127.0.0.1:\($0)/hook", body: #"{"a":1}"#)
        } reply: { _ in
            WebServer.page([], status: "204 No Content", type: nil)
        } then: { server in
            #expect(server.requests[0].hasPrefix("POST /hook HTTP/1.1\r\n"))
            #expect(server.requests[0].contains("Content-Type: application/json\r\n"))
            #expect(!server.requests[0].contains("Expect"))
            #expect(server.requests[0].hasSuffix("\r\n\r\n{\"a\":1}"))
        }.get()
        #expect(answer.status == 204)
    }

    @Test func `a redirect is reported and not followed`() throws {
        let answer = try Self.outcome {
            Self.request("http://127.0.0.1:\($0)/a/b")
        } reply: { _ in
            WebServer.page([], status: "302 Found", type: nil, fields: ["Location: ../c"])
        } then: { server in
            #expect(server.requests.count == 1)
        }.get()
        #expect(answer.status == 302)
        #expect(answer.redirect?.hasSuffix("/c") == true)
    }

    /// Each row: the length of the body, whether it is announced, the limit, and the size that is reported.
    @Test(arguments: [
        (1000, true, 999, 1000), (1000, false, 999, 1000), (1000, true, 1000, 1000), (1000, false, 1000, 1000),
    ])
    func `a body over the limit ends the transfer`(length: Int, isAnnounced: Bool, limit: Int, size: Int) throws {
        let answer = try Self.outcome {
            Self.request("http://127.0.0.1:\($0)/", longest: limit)
        } reply: { _ in
            WebServer.page(Array(repeating: 7, count: length), announced: isAnnounced)
        }.get()
        #expect(answer.size == size && answer.announcesSize == isAnnounced && answer.status == 200)
    }

    @Test func `an endless body is cut`() throws {
        let answer = try Self.outcome {
            Self.request("http://127.0.0.1:\($0)/", longest: 5_000_000)
        } reply: { _ in
            .endless(
                Array("HTTP/1.1 200 OK\r\nX: ".utf8) + Array(repeating: 0x61, count: 60_000) + Array("\r\n\r\n".utf8))
        }.get()
        #expect(answer.size > 5_000_000 && answer.size < 5_200_000 && !answer.announcesSize)
    }

    @Test func `a length of exabytes is no reason to wait for them`() throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 9000000000000000000\r\n\r\nx"
        let answer = try Self.outcome {
            Self.request("http://127.0.0.1:\($0)/")
        } reply: { _ in
            .bytes(Array(head.utf8))
        }.get()
        #expect(answer.size == 9_000_000_000_000_000_000 && answer.announcesSize)
    }

    @Test func `a request to a server that never answers fails after its time`() throws {
        let outcome = try Self.outcome {
            Self.request("http://127.0.0.1:\($0)/", patience: 50)
        } reply: { _ in
            .nothing
        }
        #expect(throws: HTTPFailure.late) { try outcome.get() }
    }

    @Test(arguments: ["HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nx", "", "nonsense\r\n\r\n"])
    func `half an answer is a failure`(text: String) throws {
        let outcome = try Self.outcome {
            Self.request("http://127.0.0.1:\($0)/")
        } reply: { _ in
            .bytes(Array(text.utf8))
        }
        guard case .failure(.broken(let problem)) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(!problem.isEmpty)
    }

    @Test func `a server without TLS has no answer to https`() throws {
        let outcome = try Self.outcome {
            Self.request("https://127.0.0.1:\($0)/", patience: 2000)
        } reply: { _ in
            .bytes(Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8))
        }
        #expect(throws: HTTPFailure.self) { try outcome.get() }
    }

    @Test func `localhost is found on either of its addresses`() throws {
        let answer = try Self.outcome({ Self.request("http://localhost:\($0)/") }, from: "::1") { _ in
            WebServer.page([1])
        }.get()
        #expect(answer.size == 1)
    }

    @Test func `a client may be closed in the middle of everything`() throws {
        let server = try WebServer()
        let client = try HTTPClient(on: server.loop, authorityFile: "")
        var isCalled = false
        for _ in 0..<3 { client.send(Self.request("http://127.0.0.1:\(server.port)/")) { _ in isCalled = true } }
        try server.run { server.requests.count == 3 }
        client.send(Self.request("http://127.0.0.1:\(server.port)/")) { _ in isCalled = true }
        client.send(Self.request("ftp://x")) { _ in isCalled = true }
        // This short form of an address is looked up like a name.
        client.send(Self.request("http://127.1:\(server.port)/")) { _ in isCalled = true }
        client.close()
        #expect(server.close())
        #expect(!isCalled)
    }
}
