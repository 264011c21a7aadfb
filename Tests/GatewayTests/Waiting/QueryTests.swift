import PushpitTesting
import Routing
import Testing

@testable import Gateway

/// Calls of the control API that take several turns.
@Suite struct QueryTests {
    @Test
    func `a list of many messages is rendered in several turns, and another call is SlowClock.answered before it`()
        throws
    {
        try SlowClock.withSlowClock { gateway, host in
            for _ in 0..<60 { try gateway.push() }
            let other = try gateway.connect()
            host.takesTurnsManually = true
            let list = try gateway.start("GET", "/api/v1/messages?limit=1000")
            try #expect(list.answerSoFar() == nil)
            try #expect(other.send("GET", "/api/v1/messages/p1").status == 200)
            try #expect(list.answerSoFar() == nil)
            #expect(SlowClock.takeTurns(host) > 3)
            let messages = try TestJSON(parsing: list.answer().body)["messages"].array
            #expect(messages.map { $0["id"].string } == (1...60).reversed().map { "p\($0)" })
        }
    }

    @Test func `a call does not begin before the earlier ones of its connection are done`() throws {
        try SlowClock.withSlowClock { gateway, host in
            for _ in 0..<60 { try gateway.push() }
            host.takesTurnsManually = true
            let list = try gateway.start("GET", "/api/v1/messages?limit=1000")
            let next = try gateway.start("GET", "/api/v1/messages/p1")
            try #expect(list.answerSoFar() == nil && next.answerSoFar() == nil)
            _ = SlowClock.takeTurns(host)
            try #expect(list.answer().status == 200 && next.answer().status == 200)
        }
    }

    @Test func `the calls of one connection wait for those of another`() throws {
        try SlowClock.withSlowClock { gateway, host in
            for _ in 0..<40 { try gateway.push() }
            let (one, other) = (try gateway.connect(), try gateway.connect())
            host.takesTurnsManually = true
            let many = try host.holding {
                try (0..<20).map { _ in try one.start("GET", "/api/v1/messages?limit=1000") }
            }
            let single = try other.start("GET", "/api/v1/messages?limit=1000")
            while try single.answerSoFar() == nil, host.takeTurn() {}
            try #expect(single.answerSoFar()?.status == 200)
            try #expect(SlowClock.answered(many) < 10)
            // The client makes room by reading.
            for _ in 0..<20 where try SlowClock.answered(many) < 20 { _ = SlowClock.takeTurns(host) }
            try #expect(SlowClock.answered(many) == 20)
        }
    }

    @Test func `lists are not rendered for a client that does not read`() throws {
        try SlowClock.withSlowClock { gateway, host in
            let pad = String(repeating: "x", count: 3000)
            for _ in 0..<200 { try gateway.push(["aps": ["alert": "Hello"], "pad": TestJSON(pad)]) }
            let one = try gateway.connect()
            one.isReading = false
            let lists = try (0..<20).map { _ in try one.start("GET", "/api/v1/messages?limit=1000") }
            #expect(host.gateway.queries.replyTargets.count > 15)
            one.isReading = true
            for list in lists { try #expect(list.answer().status == 200) }
        }
    }

    @Test func `a deletion and an expectation over many messages see each message once`() throws {
        try SlowClock.withSlowClock { gateway, host in
            for number in 0..<60 { try gateway.push(["aps": ["alert": "Hello"], "odd": TestJSON(number % 2)]) }
            host.takesTurnsManually = true
            let expectation = try gateway.start(
                "POST", "/api/v1/expect",
                body: Array(#"{"match":{"body":{"/odd":1}},"count":31,"within":"60s"}"#.utf8))
            let push = try gateway.startPush(["aps": ["alert": "Hello"], "odd": 1])
            _ = SlowClock.takeTurns(host)
            try #expect(push.answer().status == 200)
            let verdict = try TestJSON(parsing: expectation.answer().body)
            #expect(verdict["met"] == true && verdict["count"] == 31)
            let deletion = try gateway.start("DELETE", "/api/v1/messages?/odd=0")
            try #expect(deletion.answerSoFar() == nil)
            _ = SlowClock.takeTurns(host)
            try #expect(TestJSON(parsing: deletion.answer().body)["deleted"] == 30)
            host.takesTurnsManually = false
            try #expect(gateway.ask("GET", "/messages?limit=1000")["messages"].array.count == 31)
        }
    }

    @Test(arguments: TestConnection.Version.allCases)
    func `a client that has closed its side gets the answer of a long call`(version: TestConnection.Version) throws {
        try SlowClock.withSlowClock { gateway, host in
            for _ in 0..<60 { try gateway.push() }
            let one = try gateway.connect(over: version)
            try #expect(one.send("GET", "/livez").status == 200)
            host.takesTurnsManually = true
            let list = try one.start("GET", "/api/v1/messages?limit=1000")
            try one.endWriting()
            _ = SlowClock.takeTurns(host)
            try #expect(TestJSON(parsing: list.answer().body)["messages"].array.count == 60)
            try #expect(one.isEnded())
        }
    }

    @Test func `two deletions at once count each message once`() throws {
        try SlowClock.withSlowClock { gateway, host in
            for _ in 0..<60 { try gateway.push() }
            let (one, other) = (try gateway.connect(), try gateway.connect())
            host.takesTurnsManually = true
            let calls = try [one, other].map { try $0.start("DELETE", "/api/v1/messages?text=hello") }
            _ = SlowClock.takeTurns(host)
            let counts = try calls.map { try TestJSON(parsing: $0.answer().body)["deleted"].int ?? -1 }
            #expect(counts.reduce(0, +) == 60)
        }
    }

    @Test func `the calls of a connection are done one after the other, and connections take turns`() throws {
        try SlowClock.withSlowClock { gateway, host in
            for _ in 0..<60 { try gateway.push() }
            let connections = try (0..<3).map { _ in try gateway.connect() }
            host.takesTurnsManually = true
            let calls = try host.holding {
                try connections.map { one in
                    try (0..<3).map { _ in try one.start("GET", "/api/v1/messages?limit=1000") }
                }
            }
            var answered: [[Int]] = []
            repeat { answered.append(try calls.map { try SlowClock.answered($0) }) } while host.takeTurn()
            #expect(answered.last == [3, 3, 3])
            for counts in answered {
                #expect(counts.max()! - counts.min()! <= 1, "\(answered): no connection is ahead of another")
            }
            let first = try #require(answered.firstIndex { $0.reduce(0, +) > 0 })
            #expect(2 * first < answered.count, "\(answered): the first are done before the last begin")
        }
    }

    @Test func `a call that is abandoned is not continued`() throws {
        try SlowClock.withSlowClock { gateway, host in
            for _ in 0..<60 { try gateway.push() }
            let one = try gateway.connect()
            host.takesTurnsManually = true
            _ = try one.start("GET", "/api/v1/messages?limit=1000")
            #expect(host.gateway.queries.replyTargets.count == 1)
            one.close()
            #expect(host.gateway.queries.isEmpty)
        }
    }

    @Test func `a long answer is written to its end, also if the kernel takes each part at once`() throws {
        try TestGateway.run { gateway in
            let pad = String(repeating: "x", count: 3500)
            for _ in 0..<500 { try gateway.push(["aps": ["alert": "Hello"], "pad": TestJSON(pad)]) }
            let sender = try gateway.connect()
            let transport = SilentTransport()
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
