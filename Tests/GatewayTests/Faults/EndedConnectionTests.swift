import PushpitTesting
import Testing

@testable import Gateway

/// When a fault ends a connection, every push on it is recorded as the client saw it, not only the one that the fault
/// hit.
@Suite struct EndedConnectionTests {
    /// Effects that end a connection, and the last stream of their GOAWAY when they hit stream 7.
    static let endings: [(effect: TestJSON, last: Int?)] = [
        (["goAway": ["last": 1]], 1), (["goAway": ["last": 3]], 3), (["goAway": ["last": 9]], 9),
        (["goAway": ["last": "before"]], 5), (["goAway": ["last": "none"]], 0), (["goAway": ["last": "request"]], 7),
        (["close": "end"], nil), (["blackHole": true], nil),
    ]

    /// Runs a test body with and without a disk. The last argument lets the disk work.
    private func run(_ body: (TestGateway, () -> Void) throws -> Void) throws {
        try TestGateway.run { gateway in try body(gateway, {}) }
        try Disk.run { gateway, disk in try body(gateway, { disk.runAll(in: gateway.embedded) }) }
    }

    private func setFault(_ fault: TestJSON, _ gateway: TestGateway, _ runDisk: () -> Void) throws {
        let call = try gateway.start("POST", "/api/v1/faults", body: fault.bytes)
        runDisk()
        try #expect(call.answer().status == 201)
    }

    /// The statuses that the client saw; 0 for no answer.
    private func seen(_ calls: [TestCall]) -> [Int] {
        calls.map { call in ((try? call.answerSoFar()) ?? nil)?.status ?? 0 }
    }

    /// The recorded statuses, oldest first.
    private func recorded(_ gateway: TestGateway) throws -> [Int] {
        try gateway.ask("GET", "/messages")["messages"].array.reversed().map { $0["status"].int ?? -1 }
    }

    @Test(arguments: endings.indices) func `of five pushes in one write, each is recorded as it was answered`(
        index: Int
    ) throws {
        let (effect, last) = Self.endings[index]
        try run { gateway, runDisk in
            let phone = try gateway.phone(hello: ["wants": ["push"]])
            let connection = try gateway.connect()
            func push() throws -> TestCall { try gateway.startPush(to: phone.token(), on: connection) }
            var calls = [try push()]
            runDisk()
            try setFault(["effect": effect, "nth": 3], gateway, runDisk)
            calls += try gateway.embedded.holding { try (0..<5).map { _ in try push() } }
            runDisk()
            let hit = last == 7 || last == 9 ? 200 : 0
            #expect(seen(calls) == [200, 200, 200, hit, 0, 0], "\(effect)")
            try #expect(recorded(gateway) == [200, 200, 200, hit], "\(effect): later streams are not handled")
            #expect(connection.goAways.map(\.lastStream) == (last.map { [$0] } ?? []))
            // A fault with a number handles its push; the others that give no answer do not.
            let isDelivered = hit == 200 || (effect["goAway"]["last"].int != nil)
            try #expect(phone.pushes().count == (isDelivered ? 4 : 3), "\(effect)")
        }
    }

    @Test(arguments: endings.indices) func `an ending waits for answers that another fault delays`(index: Int) throws {
        let (effect, _) = Self.endings[index]
        try run { gateway, runDisk in
            let connection = try gateway.connect()
            func push(_ priority: String) throws -> TestCall {
                try connection.start(
                    "POST", "/3/device/\(TestGateway.unknownToken)",
                    headers: gateway.pushFields(["apns-priority": priority]), body: Array("{}".utf8))
            }
            let rows: [(priority: TestJSON, effect: TestJSON)] = [("5", ["delay": "1s"]), ("1", effect)]
            for (priority, effect) in rows {
                let match: TestJSON = ["headers": ["apns-priority": priority]]
                try setFault(["match": match, "effect": effect], gateway, runDisk)
            }
            let calls = try ["10", "5", "5", "1", "10"].map(push)
            runDisk()
            gateway.advanceClock(by: .seconds(1))
            runDisk()
            #expect(seen(calls).prefix(3) == [200, 200, 200], "\(effect)")
            try #expect(recorded(gateway) == Array(seen(calls).prefix(4)), "\(effect)")
            #expect(seen(calls)[4] == 0)
        }
    }

    @Test func `a delayed ending waits for the disk`() throws {
        try Disk.run { gateway, disk in
            let effect: TestJSON = [["delay": "1s"], ["goAway": ["last": "before"]]]
            try disk.ask(gateway, "POST", "/faults", ["effect": effect, "times": 1], status: 201)
            let connection = try gateway.connect()
            var calls = [try gateway.startPush(on: connection)]
            calls.append(try gateway.startPush(on: connection))
            gateway.advanceClock(by: .seconds(1))
            #expect(seen(calls) == [0, 0])
            #expect(connection.goAways.isEmpty)
            disk.runAll(in: gateway.embedded)
            #expect(seen(calls) == [0, 200])
            try #expect(recorded(gateway) == [0, 200])
            #expect(connection.goAways.map(\.lastStream) == [3])
        }
    }

    @Test func `an answer that the client has given up does not hold up the ending`() throws {
        try TestGateway.run { gateway in
            let connection = try gateway.connect()
            try gateway.setFault(["delay": "1h"], ["nth": 1])
            try gateway.setFault(["goAway": ["last": "before"]], ["nth": 1])
            for _ in 0..<2 { _ = try gateway.startPush(on: connection) }
            try connection.poll()
            #expect(connection.goAways.isEmpty)
            try connection.write([0, 0, 4, 3, 0, 0, 0, 0, 1, 0, 0, 0, 8])
            try #expect(connection.isEnded())
            #expect(connection.goAways.map(\.lastStream) == [0])
        }
    }

    @Test func `a disk that fails does not keep a connection from ending`() throws {
        try Disk.run { gateway, disk in
            try disk.ask(gateway, "POST", "/faults", ["effect": ["goAway": [:]], "times": 1], status: 201)
            let connection = try gateway.connect()
            let call = try gateway.startPush(on: connection)
            disk.failure = SlowDiskTests.full
            disk.runOne(in: gateway.embedded)
            try #expect(call.answer().status == 503)
            try #expect(connection.isEnded())
        }
    }

    @Test func `a GOAWAY on a connection that stays open waits too, and newer streams are refused`() throws {
        try run { gateway, runDisk in
            let connection = try gateway.connect()
            _ = try connection.send("GET", "/livez")
            try setFault(["effect": ["goAway": ["last": 3, "keepOpen": true]], "nth": 2], gateway, runDisk)
            let calls = try gateway.embedded.holding { try (0..<4).map { _ in try gateway.startPush(on: connection) } }
            runDisk()
            #expect(seen(calls) == [200, 0, 0, 0])
            try #expect(recorded(gateway) == [200, 0])
            #expect(connection.goAways.map(\.lastStream) == [3])
            try #expect(!connection.isEnded())
        }
    }
}
