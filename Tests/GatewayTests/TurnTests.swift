import PushpitTesting
import Testing

@testable import Gateway

/// No connection and no query works longer than its share of a turn while others wait.
@Suite struct TurnTests {
    @Test func `pushes that arrive together are answered in several turns, and others in between`() throws {
        try SlowClock.withSlowClock { gateway, host in
            let (one, other) = (try gateway.connect(), try gateway.connect())
            host.takesTurnsManually = true
            let calls = try host.holding { try (0..<400).map { _ in try gateway.startPush(on: one) } }
            let first = try SlowClock.answered(calls)
            #expect(0 < first && first < 400, "\(first) are answered at once")
            #expect(one.isReadByGateway == false, "nothing more is read before the rest is answered")
            try #expect(other.send("GET", "/livez").status == 200)
            #expect(SlowClock.takeTurns(host) > 3)
            for call in calls { try #expect(call.answer().status == 200) }
            #expect(one.isReadByGateway == true)
        }
    }

    @Test func `pipelined requests are answered in several turns`() throws {
        try SlowClock.withSlowClock { gateway, host in
            let one = try gateway.connect(over: .http1)
            host.takesTurnsManually = true
            let requests = Array("GET /livez HTTP/1.1\r\nhost: localhost\r\n\r\n".utf8)
            try host.holding { for _ in 0..<50 { try one.write(requests) } }
            func count() throws -> Int {
                String(decoding: try one.read(), as: UTF8.self).split(separator: "HTTP/1.1 200 OK").count
            }
            let first = try count()
            #expect(0 < first && first < 50, "\(first) are answered at once")
            #expect(SlowClock.takeTurns(host) > 3)
            try #expect(count() == 50 - first)
        }
    }

    @Test func `frames on a socket are handled in several turns`() throws {
        try SlowClock.withSlowClock { gateway, host in
            let phone = try gateway.phone("android")
            host.takesTurnsManually = true
            try host.holding {
                for number in 0..<400 { try phone.send("topic", ["op": "subscribe", "name": "t\(number)"]) }
            }
            func topics() throws -> Int { try gateway.ask("GET", "/topics?limit=1000")["topics"].array.count }
            let first = try topics()
            #expect(0 < first && first < 400, "\(first) are handled at once")
            #expect(SlowClock.takeTurns(host) > 3)
            try #expect(topics() == 400)
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
        for (took, long) in [(10_000_000, 0), (10_000_001, 1), (900_000_000, 2)] as [(UInt64, Int)] {
            turn.begin()
            now += took
            turn.end()
            #expect(turn.long == long)
        }
    }

    @Test func `a connection whose input took long comes after the others until its input takes little time`() throws {
        try TestGateway.run { gateway in
            let inner = gateway.embedded.gateway
            var (now, step): (UInt64, UInt64) = (inner.turn.look(), 0)
            inner.turn.readTime = {
                now += step
                return now
            }
            let connection = try gateway.connect()
            try #expect(gateway.startPush(on: connection).answer().status == 200)
            let sender = try #require(inner.connections.all.first)
            #expect(!sender.isCostly)
            step = inner.turn.share / 2
            try #expect(gateway.startPush(on: connection).answer().status == 200)
            #expect(sender.isCostly)
            step = 0
            inner.turn.look()
            try #expect(gateway.startPush(on: connection).answer().status == 200)
            #expect(!sender.isCostly)
        }
    }
}
