import PushpitTesting
import Testing

@testable import Gateway

/// Clients that read the events: too slowly, in silence, and until they go.
@Suite struct EventReaderTests {
    static let lines = EventStreamTests.lines

    private func objects(_ text: String) throws -> [TestJSON] {
        try text.split(separator: "\n").map { try TestJSON(parsing: Array($0.utf8)) }
    }

    @Test func `a reader is forgotten when its connection closes or its stream is reset`() throws {
        try TestGateway.run { gateway in
            let http1 = try gateway.connect(over: .http1)
            _ = try http1.start("GET", "/api/v1/events")
            let connection = try gateway.connect()
            for _ in 0..<2 { _ = try connection.start("GET", "/api/v1/events") }
            try #expect(gateway.ask("GET", "/stats")["readers"] == 3)
            try connection.write([0, 0, 4, 3, 0, 0, 0, 0, 1, 0, 0, 0, 8])
            try #expect(gateway.ask("GET", "/stats")["readers"] == 2)
            http1.close()
            try #expect(gateway.ask("GET", "/stats")["readers"] == 1)
            connection.close()
            try #expect(gateway.ask("GET", "/stats")["readers"] == 0)
        }
    }

    @Test(arguments: TestConnection.Version.allCases)
    func `a reader that is too slow gets the number of events it has missed`(version: TestConnection.Version) throws {
        var configuration = TestConfiguration()
        configuration.logCapacity = 2000
        try TestGateway.run(.embedded, configuration) { gateway in
            let connection = try gateway.connect(over: version)
            let call = try connection.start("GET", "/api/v1/events?since=0", headers: Self.lines)
            connection.isReading = false
            for _ in 0..<8 {
                try gateway.ask("POST", "/devices", ["platform": "web", "app": "a", "count": 1000], status: 201)
            }
            connection.isReading = true
            // What waits in the gateway comes first, then the gap, then what the log still has.
            let events = try objects(call.bodySoFar())
            let gaps = events.indices.filter { events[$0]["kind"] == "missed" }
            let gap = try #require(gaps.first)
            #expect(gaps.count == 1)
            #expect(events[..<gap].map { $0["seq"].int } == (1...gap).map { $0 })
            #expect(events[(gap + 1)...].map { $0["seq"].int } == (6001...8000).map { $0 })
            #expect(events[gap]["count"].int == 6000 - gap)
            // No more than 256 KiB wait for one reader.
            #expect(gap > 500 && gap < 6000)
            let late = try gateway.send("GET", "/api/v1/events?since=7&follow=false", headers: Self.lines)
            let told = try objects(late.text)
            #expect(told[0] == ["kind": "missed", "count": TestJSON(8000 - 2000 - 7)])
            #expect(told.count == 2001)
        }
    }

    @Test func `a reader learns how many refused pushes it has missed, unless it wants none`() throws {
        var configuration = TestConfiguration()
        configuration.logCapacity = 50
        try TestGateway.run(.embedded, configuration) { gateway in
            try gateway.ask("POST", "/devices", ["platform": "web", "app": "a"], status: 201)
            for _ in 0..<30 { _ = try gateway.send("POST", "/3/device/abc", body: Array("{}".utf8)) }
            try gateway.ask("POST", "/devices", ["platform": "web", "app": "a"], status: 201)
            let all = try objects(
                gateway.send("GET", "/api/v1/events?since=0&follow=false", headers: Self.lines).text)
            #expect(all.map { $0["seq"].int } == [1, nil] + (22...32).map { $0 })
            #expect(all[1] == ["kind": "missed", "count": 20])
            let others = try objects(
                gateway.send("GET", "/api/v1/events?since=0&follow=false&kind=registered", headers: Self.lines).text)
            #expect(others.map { $0["seq"].int } == [1, 32])
            let following = try gateway.connect().start("GET", "/api/v1/events?since=31", headers: Self.lines)
            for _ in 0..<3 { _ = try gateway.send("POST", "/3/device/abc", body: Array("{}".utf8)) }
            #expect(try objects(following.bodySoFar()).map { $0["seq"].int } == [32, 33, 34, 35])
        }
    }

    @Test func `a silent stream is kept alive with comments, lines are not`() throws {
        var configuration = TestConfiguration()
        (configuration.heartbeat, configuration.keepAliveTimeout) = (.seconds(10), .seconds(1))
        configuration.stallTimeout = .seconds(1)
        try TestGateway.run(.embedded, configuration) { gateway in
            let blocks = try gateway.connect(over: .http1).start("GET", "/api/v1/events")
            let lines = try gateway.connect(over: .http1).start("GET", "/api/v1/events", headers: Self.lines)
            gateway.advanceLoopTime(.seconds(5))
            try #expect(blocks.bodySoFar() == ":\n\n")
            gateway.advanceLoopTime(.seconds(11))
            try #expect(blocks.bodySoFar() == ":\n\n:\n\n:\n\n")
            try #expect(lines.bodySoFar() == "")
            try gateway.ask("POST", "/devices", ["platform": "web", "app": "a"], status: 201)
            try #expect(lines.bodySoFar().isEmpty == false, "neither time-out has ended it")
        }
    }
}
