import HTTP2
import HTTPCore
import Testing

/// A server and a client in one process. `settle` carries the bytes between them.
struct Pair {
    let server: HTTP2Server
    let client = HTTP2Client()

    init(
        limit: Int = 4096, settings: HTTP2Settings = HTTP2Settings(), limits: HTTP2Limits = HTTP2Limits(),
        budget: BodyBudget = BodyBudget(64 << 20)
    ) {
        server = HTTP2Server(settings: settings, limits: limits, budget: budget) { _ in
            RequestPlan(route: RouteTag(0), bodyLimit: limit)
        }
    }

    static func post(_ path: String = "/x") -> HeaderBlock {
        HeaderBlock([.method: "POST", .scheme: "https", .authority: "localhost", .path: path])
    }

    /// Exchanges bytes until neither side sends any. The client's bytes arrive in pieces of at most this size.
    func settle(pieces: Int = .max) throws -> [HTTP2Event] {
        var events: [HTTP2Event] = []
        for _ in 0..<100 {
            let toServer = client.drain()
            var toClient: [UInt8] = []
            var offset = 0
            while offset < toServer.count {
                let count = min(pieces, toServer.count - offset)
                let piece = toServer.span.extracting(offset..<(offset + count))
                var taken = 0
                while taken < piece.count {
                    try server.receive(piece, from: &taken, at: 0)
                    while let event = server.nextEvent() { events.append(event) }
                    server.drain(into: &toClient, upTo: .max)
                }
                offset += count
            }
            while let event = server.nextEvent() { events.append(event) }
            server.drain(into: &toClient, upTo: .max)
            if toClient.isEmpty && toServer.isEmpty { return events }
            try client.receive(toClient.span)
        }
        return events
    }
}

@Suite struct HTTP2ServerTests {
    @Test(arguments: [1, 2, 7, 64, Int.max])
    func `a request is the same however its bytes are split`(pieces: Int) throws {
        let pair = Pair()
        let id = pair.client.send(Pair.post("/3/device/00"), body: Array("{}".utf8))
        let events = try pair.settle(pieces: pieces)
        let requests = events.compactMap { event -> Request? in
            if case .request(let stream, let request) = event, stream == id { request } else { nil }
        }
        #expect(requests.count == 1)
        #expect(requests[0].method == .post)
        #expect(requests[0].path.elementsEqual("/3/device/00".utf8))
        #expect(requests[0].body == Array("{}".utf8))
    }

    @Test func `an answer without a body is a HEADERS frame that ends the stream`() throws {
        let pair = Pair()
        let id = pair.client.send(Pair.post(), body: [1])
        _ = try pair.settle()
        pair.server.respond(Response(status: 200), on: id)
        var output: [UInt8] = []
        pair.server.drain(into: &output, upTo: .max)
        #expect(frames(output).map { [$0.type, $0.flags] } == [[1, 5]])
    }

    @Test func `the body of an answer is a DATA frame that ends the stream`() throws {
        let pair = Pair()
        let id = pair.client.send(Pair.post(), body: [1])
        _ = try pair.settle()
        pair.server.respond(Response(status: 400, contentType: "x", text: "{}"), on: id)
        var output: [UInt8] = []
        pair.server.drain(into: &output, upTo: .max)
        #expect(frames(output).map { [$0.type, $0.flags] } == [[1, 4], [0, 1]])
    }

    @Test(arguments: [(false, [true, false]), (true, [true, true])])
    func `only bodies that are not constants count as memory of the connection`(
        isConstant: Bool, accepted: [Bool]
    ) throws {
        var limits = HTTP2Limits()
        limits.unsentAnswers = 5
        let pair = Pair(limits: limits)
        let ids = [pair.client.send(Pair.post(), body: [1]), pair.client.send(Pair.post(), body: [1])]
        _ = try pair.settle()
        var response = Response(status: 200, contentType: "x", text: "four")
        response.isConstant = isConstant
        #expect(ids.map { pair.server.respond(response, on: $0) } == accepted)
        #expect(pair.server.unsentAnswers == (isConstant ? 0 : 4))
    }

    @Test func `the advertised limit is sent, and a new one is sent before the answer`() throws {
        var settings = HTTP2Settings()
        settings.maxConcurrentStreams = 1
        let pair = Pair(settings: settings)
        var first: [UInt8] = []
        pair.server.drain(into: &first, upTo: .max)
        #expect(
            settingsValues(first, frame: 0) == [[1, 4096], [3, 1], [4, 65_535], [5, 16_384], [6, 8000]])
        try pair.client.receive(first.span)
        let id = pair.client.send(Pair.post(), body: [1])
        _ = try pair.settle()
        pair.server.advertise(maxConcurrentStreams: 1000)
        pair.server.respond(Response(status: 200), on: id)
        var output: [UInt8] = []
        pair.server.drain(into: &output, upTo: .max)
        #expect(frames(output).map(\.type) == [4, 1])
        #expect(settingsValues(output, frame: 0)[1] == [3, 1000])
    }

    @Test(arguments: [(4096, false), (4097, true)])
    func `a request is delivered as soon as its body exceeds the limit`(count: Int, isOver: Bool) throws {
        let pair = Pair(limit: 4096)
        _ = pair.client.send(Pair.post(), body: [UInt8](repeating: 7, count: count))
        let events = try pair.settle()
        guard case .request(_, let request)? = events.first(where: { if case .request = $0 { true } else { false } })
        else { return #expect(Bool(false), "no request was delivered") }
        #expect(request.bodyIsOverLimit == isOver)
        #expect(request.body.count == 4096)
    }

    @Test func `bytes that are not the client's preface are an error`() {
        let pair = Pair()
        var offset = 0
        #expect(throws: HTTP2Failure.self) {
            try pair.server.receive(Array("GET / HTTP/1.1\r\n\r\n_____".utf8).span, from: &offset, at: 0)
        }
    }

    private func frames(_ bytes: [UInt8]) -> [(type: UInt8, flags: UInt8, start: Int)] {
        var found: [(UInt8, UInt8, Int)] = []
        var offset = 0
        while offset + 9 <= bytes.count {
            found.append((bytes[offset + 3], bytes[offset + 4], offset))
            offset += 9 + bytes[offset..<(offset + 3)].reduce(0) { $0 << 8 | Int($1) }
        }
        return found
    }

    private func settingsValues(_ bytes: [UInt8], frame: Int) -> [[Int]] {
        let start = frames(bytes)[frame].start + 9
        return (0..<5).map { entry in
            let at = start + entry * 6
            return [
                bytes[at..<(at + 2)].reduce(0) { $0 << 8 | Int($1) },
                bytes[(at + 2)..<(at + 6)].reduce(0) { $0 << 8 | Int($1) },
            ]
        }
    }
}
