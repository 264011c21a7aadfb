import HTTPCore
import Testing

@testable import HTTP2

/// What the callbacks do besides collecting events, and what a server gives back when it is released.
@Suite struct ServerStateTests {
    /// Feeds bytes to a server. Returns its events, and the streams and codes of its RST_STREAM frames.
    private func feed(
        _ bytes: some Collection<UInt8>, to server: HTTP2Server, output: inout [UInt8]
    ) throws -> (events: [HTTP2Event], resets: [[UInt32]]) {
        let bytes = Array(bytes)
        var events: [HTTP2Event] = []
        var offset = 0
        while offset < bytes.count {
            try server.receive(bytes.span, from: &offset, at: 0)
            while let event = server.nextEvent() { events.append(event) }
            server.drain(into: &output, upTo: .max)
        }
        var resets: [[UInt32]] = []
        var frame = 0
        while frame + 9 <= output.count {
            func word(_ start: Int) -> UInt32 { output[start..<(start + 4)].reduce(0) { $0 << 8 | UInt32($1) } }
            if output[frame + 3] == 3 { resets.append([word(frame + 5), word(frame + 9)]) }
            frame += 9 + Int(word(frame) >> 8)
        }
        return (events, resets)
    }

    private func requests(_ events: [HTTP2Event]) -> [(id: StreamID, isOverLimit: Bool)] {
        events.compactMap { if case .request(let id, let request) = $0 { (id, request.bodyIsOverLimit) } else { nil } }
    }

    @Test func `a stream over the limit is reset by a callback, and the connection goes on`() throws {
        var limits = HTTP2Limits()
        limits.openStreams = 1
        let pair = Pair(limits: limits)
        _ = try pair.settle()
        let first = pair.client.send(Pair.post(), body: [])
        let second = pair.client.send(Pair.post(), body: [])
        var output: [UInt8] = []
        let (events, resets) = try feed(pair.client.drain(), to: pair.server, output: &output)
        #expect(requests(events).map(\.id) == [first])
        #expect(resets == [[UInt32(second), HTTP2ErrorCode.refusedStream.rawValue]])
        try pair.client.receive(output.span)
        pair.server.respond(Response(status: 200), on: first)
        _ = try pair.settle()
        #expect(pair.client.takeAnswer(to: first)?.status == 200)
        let third = pair.client.send(Pair.post(), body: [])
        #expect(requests(try pair.settle()).map(\.id) == [third])
    }

    @Test(arguments: [(10, false), (11, true)])
    func `a stream whose body exceeds the connection's limit is reset by a callback`(count: Int, isReset: Bool) throws {
        var limits = HTTP2Limits()
        limits.bufferedBodies = 10
        let pair = Pair(limits: limits)
        _ = try pair.settle()
        let id = pair.client.send(Pair.post(), body: [UInt8](repeating: 7, count: count))
        var output: [UInt8] = []
        let (events, resets) = try feed(pair.client.drain(), to: pair.server, output: &output)
        #expect(requests(events).count == (isReset ? 0 : 1))
        #expect(resets == (isReset ? [[UInt32(id), HTTP2ErrorCode.enhanceYourCalm.rawValue]] : []))
    }

    @Test func `a stream is reset when too much of its body was discarded`() throws {
        var limits = HTTP2Limits()
        limits.discardedBody = 5000
        let pair = Pair(limit: 10, limits: limits)
        _ = try pair.settle()
        // Three DATA frames: the request is delivered after the first one, and the second one is too much.
        let id = pair.client.send(Pair.post(), body: [UInt8](repeating: 7, count: 40_000))
        var output: [UInt8] = []
        let (events, resets) = try feed(pair.client.drain(), to: pair.server, output: &output)
        #expect(requests(events).map(\.isOverLimit) == [true])
        #expect(resets == [[UInt32(id), HTTP2ErrorCode.noError.rawValue]])
    }

    @Test func `a released server gives its part of the body budget back`() throws {
        let budget = BodyBudget(1000)
        do {
            let pair = Pair(budget: budget)
            _ = try pair.settle()
            let answered = pair.client.send(Pair.post(), body: [])
            _ = try pair.settle()
            let answer = Response(status: 200, body: .bytes([UInt8](repeating: 1, count: 300)))
            #expect(pair.server.respond(answer, on: answered))
            _ = pair.client.send(Pair.post(), body: [UInt8](repeating: 2, count: 700))
            let bytes = Array(pair.client.drain().dropLast(100))
            var offset = 0
            while offset < bytes.count { try pair.server.receive(bytes.span, from: &offset, at: 0) }
            // 300 bytes of an answer that was not sent, and 600 of an incomplete body.
            #expect(!budget.take(101))
            #expect(budget.take(100))
            budget.giveBack(100)
        }
        #expect(budget.take(1000))
        #expect(!budget.take(1))
    }

    @Test func `sending from a callback traps`() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            var server: HTTP2Server?
            // The plan is called in the callback for a complete header block.
            server = HTTP2Server(settings: HTTP2Settings()) { _ in
                var output: [UInt8] = []
                server?.drain(into: &output, upTo: .max)
                return RequestPlan(route: RouteTag(0), bodyLimit: 0)
            }
            let client = HTTP2Client()
            _ = client.send(Pair.post(), body: [])
            let bytes = client.drain()
            var offset = 0
            while offset < bytes.count { try server?.receive(bytes.span, from: &offset, at: 0) }
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("must not be called again from one of its callbacks"))
    }

    @Test func `the header block builder grows and is reused`() {
        var builder = HeaderBlockBuilder()
        for round in 0..<2 {
            builder.removeAll()
            var expected = HeaderBlock()
            for number in 0..<(round < 1 ? 40 : 3) {
                let name = Array("x-\(number)".utf8)
                let value = [UInt8](repeating: UInt8(number), count: number * 7 % 50)
                let size = builder.listSize(with: name.count, value.count)
                #expect(size == expected.listSize + name.count + value.count + 32)
                unsafe name.withUnsafeBufferPointer { name in
                    unsafe value.withUnsafeBufferPointer { value in unsafe builder.append(name, value) }
                }
                expected.append(name[...], value[...])
            }
            #expect(builder.block == expected)
        }
    }
}
