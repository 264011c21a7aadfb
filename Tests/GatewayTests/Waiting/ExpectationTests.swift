import PushEngine
import PushpitTesting
import Testing

@testable import Gateway

/// `POST /api/v1/expect`, decided at once or by a later push.
@Suite struct ExpectationTests {
    typealias Kind = TestGateway.Kind

    static let topic = "com.example.app"

    private func call(_ gateway: TestGateway, _ body: TestJSON, over version: TestConnection.Version = .http2) throws
        -> TestCall
    {
        let body = (["within": "60s"] as TestJSON).merging(body)
        return try gateway.connect(over: version).start("POST", "/api/v1/expect", body: body.bytes)
    }

    /// A live gateway takes another connection's call a little later.
    private func untilOneWaits(_ gateway: TestGateway) throws {
        for _ in 0..<1000 where try waiting(gateway) != 0 { return }
        Issue.record("the call does not wait")
    }

    private func waiting(_ gateway: TestGateway) throws -> Int? { try gateway.ask("GET", "/stats")["waiting"].int }

    private func ids(_ gateway: TestGateway, _ query: String = "") throws -> [TestJSON] {
        try gateway.ask("GET", "/messages?\(query)")["messages"].array.map { $0["id"] }.reversed()
    }

    static let demands: [(TestJSON, decisive: Int, status: Int)] = [
        ([:], 1, 200), (["count": 2], 2, 200), (["atLeast": 3], 3, 200), (["never": true], 1, 417),
        (["atMost": 0], 1, 417),
        (["atMost": 2], 3, 417),
    ]

    @Test(arguments: TestConnection.Version.allCases)
    func `a later push meets an expectation`(version: TestConnection.Version) throws {
        try TestGateway.run { gateway in
            let calls = try Self.demands.map {
                try call(gateway, $0.0.merging(["match": ["app": TestJSON(Self.topic)]]), over: version)
            }
            try gateway.push(to: String(repeating: "5", count: 64), topic: "com.example.other")
            for number in 1...3 {
                try #expect(waiting(gateway) == Self.demands.count { $0.decisive >= number })
                try gateway.push()
                let expected = try ids(gateway, "app=\(Self.topic)")
                for (call, demand) in zip(calls, Self.demands) {
                    guard demand.decisive == number else { continue }
                    let answer = try call.answer()
                    #expect(answer.status == demand.status, "\(demand)")
                    #expect(answer.json["count"].int == number)
                    #expect(answer.json["messages"] == TestJSON(expected))
                }
            }
        }
    }

    @Test(arguments: Kind.allCases) func `an earlier push counts`(kind: Kind) throws {
        try TestGateway.run(kind) { gateway in
            try gateway.push()
            let call = try call(gateway, ["count": 2])
            try untilOneWaits(gateway)
            try gateway.push()
            try #expect(call.answer().json == ["met": true, "count": 2, "messages": ["p1", "p2"]])
        }
    }

    @Test func `a push before the given number or before a reset does not count`() throws {
        try TestGateway.run { gateway in
            try gateway.push()
            let newest = try gateway.ask("GET", "/messages")["messages"][0]["seq"]
            let since = try call(gateway, ["match": ["since": newest]])
            let reset = try call(gateway, ["count": 2])
            try gateway.ask("POST", "/reset")
            try gateway.push()
            try #expect(since.answer().json["messages"] == ["p2"])
            try #expect(waiting(gateway) == 1)
            try gateway.push()
            try #expect(reset.answer().json["messages"] == ["p2", "p3"])
        }
    }

    @Test func `a message that reaches a device counts once`() throws {
        try TestGateway.run { gateway in
            try gateway.ask("POST", "/devices", ["platform": "android", "app": "a", "id": "droid"], status: 201)
            let token = try #require(try gateway.ask("GET", "/devices/droid")["tokens"]["fcm"]["token"].string)
            try gateway.ask("PUT", "/topics/news/devices/droid", status: 204)
            let device = try call(gateway, ["match": ["device": "droid"], "count": 3])
            let topic = try call(gateway, ["match": ["topic": "news"], "count": 1])
            try gateway.sendFCM(["topic": "news", "data": ["k": "v"]])
            try #expect(topic.answer().status == 200)
            try gateway.sendFCM(["token": TestJSON(token), "data": ["k": "v"]])
            try gateway.ask("PATCH", "/devices/droid", ["state": ["online": false]])
            try gateway.sendFCM(["topic": "other", "data": ["k": "v"]])
            try #expect(waiting(gateway) == 1)
            try gateway.sendFCM(["topic": "news", "data": ["k": "v"]])
            try gateway.ask("PATCH", "/devices/droid", ["state": ["online": true]])
            let reached = try ids(gateway, "device=droid")
            #expect(reached.count == 3)
            try #expect(device.answer().json["messages"] == TestJSON(reached))
            try #expect(ids(gateway).count == 4)
        }
    }

    @Test func `one push answers hundreds of waiting calls`() throws {
        try TestGateway.run { gateway in
            let streams = try gateway.connect()
            let body = (["within": "60s", "match": ["app": TestJSON(Self.topic)]] as TestJSON).bytes
            let calls =
                try (0..<300).map { _ in try streams.start("POST", "/api/v1/expect", body: body) }
                + (0..<100).map { _ in try gateway.connect(over: .http1).start("POST", "/api/v1/expect", body: body) }
            try #expect(waiting(gateway) == 400)
            try gateway.push()
            for call in calls { try #expect(call.answer().json == ["met": true, "count": 1, "messages": ["p1"]]) }
            try #expect(waiting(gateway) == 0)
        }
    }

    @Test func `a waiting call ends when its connection closes or its stream is reset`() throws {
        try TestGateway.run { gateway in
            let connection = try gateway.connect()
            let body = Array(#"{"within":"60s"}"#.utf8)
            let calls = try (0..<3).map { _ in try connection.start("POST", "/api/v1/expect", body: body) }
            try #expect(waiting(gateway) == 3)
            // RST_STREAM of stream 3 with CANCEL.
            try connection.write([0, 0, 4, 3, 0, 0, 0, 0, 3, 0, 0, 0, 8])
            try #expect(waiting(gateway) == 2)
            try gateway.push()
            try #expect(calls[0].answer().status == 200)
            try #expect(calls[2].answer().status == 200)
            try #expect(calls[1].answerSoFar() == nil)
            _ = try connection.start("POST", "/api/v1/expect", body: Array(#"{"within":"60s","count":9}"#.utf8))
            let other = try call(gateway, ["count": 9], over: .http1)
            try #expect(waiting(gateway) == 2)
            connection.close()
            try #expect(waiting(gateway) == 1)
            for _ in 0..<8 { try gateway.push() }
            try #expect(other.answer().status == 200)
        }
    }

    @Test func `the timeout of a client that has disconnected has no effect`() throws {
        try TestGateway.run { gateway in
            let gone = try gateway.connect(over: .http1)
            _ = try gone.start("POST", "/api/v1/expect", body: Array(#"{"match":{"app":"x"},"within":"1s"}"#.utf8))
            let stays = try call(gateway, ["match": ["app": "y"], "within": "3s"])
            gone.close()
            #expect(gateway.embedded.gateway.box.engine.expectations.count == 1)
            // Nor does the gateway ask to be woken for it again and again.
            #expect(gateway.embedded.gateway.box.engine.expectations.nextDue == 3000)
            gateway.advanceLoopTime(.milliseconds(2900))
            try #expect(stays.answerSoFar() == nil)
            gateway.advanceLoopTime(.milliseconds(200))
            try #expect(stays.answer().status == 417)
        }
    }

    @Test func `a call waits in real time, whatever the gateway's clock shows`() throws {
        try TestGateway.run { gateway in
            let calls = try [["never": true], ["atMost": 0], ["count": 1], ["atLeast": 1]].map {
                try call(gateway, ($0 as TestJSON).merging(["match": ["app": "nothing"], "within": "300ms"]))
            }
            gateway.advanceClock(by: .seconds(3600))
            gateway.advanceLoopTime(.milliseconds(299))
            for call in calls { try #expect(call.answerSoFar() == nil) }
            gateway.advanceLoopTime(.milliseconds(1))
            try #expect(calls.map { try $0.answer().status } == [200, 200, 417, 417])
        }
    }

    @Test(arguments: Kind.allCases)
    func `a push meets an expectation even if its connection closes next`(kind: Kind) throws {
        try TestGateway.run(kind) { gateway in
            let call = try call(gateway, [:])
            try untilOneWaits(gateway)
            let provider = try gateway.connect()
            let push = try provider.start(
                "POST", "/3/device/\(TestGateway.unknownToken)", headers: gateway.pushFields(), body: Array("{}".utf8))
            try #expect(push.answer().status == 200)
            provider.close()
            try #expect(call.answer().status == 200)
        }
    }
}
