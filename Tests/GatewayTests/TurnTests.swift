import PushpitTesting
import Testing

@testable import Gateway

/// No connection and no query works longer than its share of a turn while others wait.
@Suite struct TurnTests {
    /// A gateway for which each look at the time takes half a millisecond. The share of a turn is 2 ms.
    private func withSlowClock(_ body: (TestGateway, EmbeddedHost) throws -> Void) throws {
        try TestGateway.run { gateway in
            var now: UInt64 = 0
            gateway.embedded.gateway.turn.readTime = {
                now += 500_000
                return now
            }
            try body(gateway, gateway.embedded)
        }
    }

    private func answered(_ calls: [TestCall]) throws -> Int { try calls.count { try $0.answerSoFar() != nil } }

    private func takeTurns(_ host: EmbeddedHost) -> Int {
        var turns = 0
        while host.takeTurn() {
            turns += 1
            host.settle()
        }
        return turns
    }

    @Test func `pushes that arrive together are answered in several turns, and others in between`() throws {
        try withSlowClock { gateway, host in
            let (one, other) = (try gateway.connect(), try gateway.connect())
            host.takesTurnsManually = true
            let calls = try host.holding { try (0..<400).map { _ in try gateway.startPush(on: one) } }
            let first = try answered(calls)
            #expect(0 < first && first < 400, "\(first) are answered at once")
            #expect(one.isReadByGateway == false, "nothing more is read before the rest is answered")
            try #expect(other.send("GET", "/livez").status == 200)
            #expect(takeTurns(host) > 3)
            for call in calls { try #expect(call.answer().status == 200) }
            #expect(one.isReadByGateway == true)
        }
    }

    @Test func `pipelined requests are answered in several turns`() throws {
        try withSlowClock { gateway, host in
            let one = try gateway.connect(over: .http1)
            host.takesTurnsManually = true
            let requests = Array("GET /livez HTTP/1.1\r\nhost: localhost\r\n\r\n".utf8)
            try host.holding { for _ in 0..<50 { try one.write(requests) } }
            func count() throws -> Int {
                String(decoding: try one.read(), as: UTF8.self).split(separator: "HTTP/1.1 200 OK").count
            }
            let first = try count()
            #expect(0 < first && first < 50, "\(first) are answered at once")
            #expect(takeTurns(host) > 3)
            try #expect(count() == 50 - first)
        }
    }

    @Test func `frames on a socket are handled in several turns`() throws {
        try withSlowClock { gateway, host in
            let phone = try gateway.phone("android")
            host.takesTurnsManually = true
            try host.holding {
                for number in 0..<400 { try phone.send("topic", ["op": "subscribe", "name": "t\(number)"]) }
            }
            func topics() throws -> Int { try gateway.ask("GET", "/topics?limit=1000")["topics"].array.count }
            let first = try topics()
            #expect(0 < first && first < 400, "\(first) are handled at once")
            #expect(takeTurns(host) > 3)
            try #expect(topics() == 400)
        }
    }

    @Test func `a list of many messages is rendered in several turns, and another call is answered before it`() throws {
        try withSlowClock { gateway, host in
            for _ in 0..<60 { try gateway.push() }
            let other = try gateway.connect()
            host.takesTurnsManually = true
            let list = try gateway.start("GET", "/api/v1/messages?limit=1000")
            try #expect(list.answerSoFar() == nil)
            try #expect(other.send("GET", "/api/v1/messages/p1").status == 200)
            try #expect(list.answerSoFar() == nil)
            #expect(takeTurns(host) > 3)
            let messages = try TestJSON(parsing: list.answer().body)["messages"].array
            #expect(messages.map { $0["id"].string } == (1...60).reversed().map { "p\($0)" })
        }
    }

    @Test func `the calls of one connection wait for those of another`() throws {
        try withSlowClock { gateway, host in
            for _ in 0..<40 { try gateway.push() }
            let (one, other) = (try gateway.connect(), try gateway.connect())
            host.takesTurnsManually = true
            let many = try host.holding {
                try (0..<20).map { _ in try one.start("GET", "/api/v1/messages?limit=1000") }
            }
            let single = try other.start("GET", "/api/v1/messages?limit=1000")
            while try single.answerSoFar() == nil, host.takeTurn() {}
            try #expect(single.answerSoFar()?.status == 200)
            try #expect(answered(many) < 10)
            // The client makes room by reading.
            for _ in 0..<20 where try answered(many) < 20 { _ = takeTurns(host) }
            try #expect(answered(many) == 20)
        }
    }

    @Test func `lists are not rendered for a client that does not read`() throws {
        try withSlowClock { gateway, host in
            let pad = String(repeating: "x", count: 3000)
            for _ in 0..<200 { try gateway.push(["aps": ["alert": "Hello"], "pad": TestJSON(pad)]) }
            let one = try gateway.connect()
            one.isReading = false
            let lists = try (0..<20).map { _ in try one.start("GET", "/api/v1/messages?limit=1000") }
            #expect(host.gateway.queries.entries.count > 15)
            one.isReading = true
            for list in lists { try #expect(list.answer().status == 200) }
        }
    }

    @Test func `a deletion and an expectation over many messages see each message once`() throws {
        try withSlowClock { gateway, host in
            for number in 0..<60 { try gateway.push(["aps": ["alert": "Hello"], "odd": TestJSON(number % 2)]) }
            host.takesTurnsManually = true
            let expectation = try gateway.start(
                "POST", "/api/v1/expect",
                body: Array(#"{"match":{"body":{"/odd":1}},"count":31,"within":"60s"}"#.utf8))
            let push = try gateway.startPush(["aps": ["alert": "Hello"], "odd": 1])
            _ = takeTurns(host)
            try #expect(push.answer().status == 200)
            let verdict = try TestJSON(parsing: expectation.answer().body)
            #expect(verdict["met"] == true && verdict["count"] == 31)
            let deletion = try gateway.start("DELETE", "/api/v1/messages?/odd=0")
            try #expect(deletion.answerSoFar() == nil)
            _ = takeTurns(host)
            try #expect(TestJSON(parsing: deletion.answer().body)["deleted"] == 30)
            host.takesTurnsManually = false
            try #expect(gateway.ask("GET", "/messages?limit=1000")["messages"].array.count == 31)
        }
    }

    @Test func `a call that is abandoned is not continued`() throws {
        try withSlowClock { gateway, host in
            for _ in 0..<60 { try gateway.push() }
            let one = try gateway.connect()
            host.takesTurnsManually = true
            _ = try one.start("GET", "/api/v1/messages?limit=1000")
            #expect(host.gateway.queries.entries.count == 1)
            one.close()
            #expect(host.gateway.queries.isEmpty)
        }
    }

    @Test func `the longest turn is measured from the first look at the time to the end of the turn`() {
        let turn = Turn(milliseconds: 2)
        var now: UInt64 = 7_000_000
        turn.readTime = { now }
        #expect(!turn.isOver)
        now += 1_999_999
        #expect(!turn.isOver)
        now += 1
        #expect(turn.isOver)
        turn.beginWork()
        #expect(!turn.isOver)
        now += 3_000_000
        #expect(turn.isOver)
        turn.end()
        #expect(turn.longest == 5_000_000)
        now += 900_000_000
        turn.end()
        #expect(turn.longest == 5_000_000, "the time between turns does not count")
    }

    /// A connection whose kernel takes everything at once, so that it never reports that it has room again.
    private final class Bottomless: Transport {
        var written = 0
        func write(_ bytes: Span<UInt8>) { written += bytes.count }
        var pendingBytes: Int { 0 }
        func startReading() {}
        func stopReading() {}
        func endWriting() {}
        func close() {}
        func reset() {}
    }

    @Test func `a long answer is written to its end, also if the kernel takes each part at once`() throws {
        try TestGateway.run { gateway in
            let pad = String(repeating: "x", count: 3500)
            for _ in 0..<500 { try gateway.push(["aps": ["alert": "Hello"], "pad": TestJSON(pad)]) }
            let sender = try gateway.connect()
            let transport = Bottomless()
            let connection = gateway.embedded.gateway.accept(transport, role: .any)
            connection.received(HTTP2Request.list.span)
            while gateway.embedded.takeTurn() {}
            #expect(transport.written > 500 * 3500)
            try #expect(sender.send("GET", "/livez").status == 200)
        }
    }
}

/// The bytes of a client that asks for 1,000 messages and allows an answer of any length.
private enum HTTP2Request {
    static let list: [UInt8] = {
        let path = Array("/api/v1/messages?limit=1000".utf8)
        // SETTINGS_INITIAL_WINDOW_SIZE and the connection's window are 2^31-1.
        let settings: [UInt8] = [0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 4, 0x7F, 0xFF, 0xFF, 0xFF]
        let window: [UInt8] = [0, 0, 4, 8, 0, 0, 0, 0, 0, 0x7F, 0xFF, 0, 0]
        // :method GET, :scheme http, :path and :authority as literals.
        let host = Array("localhost".utf8)
        let block: [UInt8] = [0x82, 0x86, 0x04, UInt8(path.count)] + path + [0x01, UInt8(host.count)] + host
        let head: [UInt8] = [0, 0, UInt8(block.count), 1, 5, 0, 0, 0, 1]
        return Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + settings + window + head + block
    }()
}
