import PushpitTesting
import Testing

@testable import Gateway

/// What the log and the counters say about faults.
@Suite struct FaultRecordTests {
    static let unavailable: TestJSON = ["answer": ["status": 503, "reason": "UNAVAILABLE"]]

    /// An effect on a call of Google's, the end of the log line, and the events of the call.
    static let hits: [(effect: TestJSON, path: String, end: String, events: Int)] = [
        (
            unavailable, "/v1/projects/demo/messages:send",
            " topic t      (no text)                503 UNAVAILABLE (fault f1)", 2
        ),
        (["wire": "500InternalServerError"], "/v1/projects/demo/messages:send", " 500 INTERNAL (fault f1)", 2),
        (
            unavailable, "/iid/v1:batchAdd",
            #"Z info fault rule=fault.custom status=503 method=POST path=/iid/v1:batchAdd because="the fault f1 was set through the control API""#,
            1
        ),
    ]

    @Test(arguments: hits.indices) func `a hit makes one event and one log line`(index: Int) throws {
        let (effect, path, end, events) = Self.hits[index]
        try TestGateway.run { gateway in
            try gateway.setFault(effect, ["times": 1])
            let before = gateway.events().count
            _ = try gateway.start(
                "POST", path, headers: ["authorization": "Bearer x"], body: Array(#"{"message":{"topic":"t"}}"#.utf8))
            let lines = gateway.embedded.log.lines
            #expect(lines.count == 1 && lines.first?.hasSuffix(end) == true, "\(lines)")
            #expect(gateway.events().count - before == events)
        }
    }

    @Test func `a refused push that a fault hits has one log line for its refusal`() throws {
        try TestGateway.run { gateway in
            try gateway.setFault([["streamLimit": 7], ["delay": "1s"]], ["times": 1])
            let connection = try gateway.connect()
            let call = try gateway.startPush(to: "bad", on: connection)
            try #expect(gateway.startPush(on: connection).answer().status == 200)
            try #expect(call.answerSoFar() == nil)
            gateway.advanceClock(by: .seconds(1))
            try #expect(call.answer().json == ["reason": "BadDeviceToken"])
            #expect(gateway.embedded.log.lines.count { $0.contains("BadDeviceToken") } == 1)
        }
    }

    @Test func `the line of a push that a fault hits has the status that the client saw`() throws {
        let unavailable: TestJSON = ["answer": ["status": 503]]
        let rows: [(effect: TestJSON, token: String, line: String)] = [
            (unavailable, TestGateway.unknownToken, " 503 (fault f1)"),
            (["reset": "CANCEL"], TestGateway.unknownToken, " no answer (fault f1)"),
            (
                [unavailable, ["deliver": 1]], TestGateway.unknownToken,
                " 503 presented (new device; see --unknown-devices) (fault f1)"
            ),
            (
                [["silence": true], ["deliver": 1]], TestGateway.unknownToken,
                " no answer presented (new device; see --unknown-devices) (fault f1)"
            ),
            (
                [unavailable, ["deliver": 1]], "bad",
                " [apns.BadDeviceToken] fix: Send the token as 64 to 200 hex digits, to the environment that issued it. For the sandbox, make the device with the environment 'sandbox'."
            ),
            (
                ["delay": "1s"], TestGateway.unknownToken,
                " 200 presented (new device; see --unknown-devices) (fault f1)"
            ),
        ]
        for row in rows {
            try TestGateway.run(.embedded) { gateway in
                try gateway.setFault(row.effect, ["times": 1])
                _ = try gateway.startPush(to: row.token, on: gateway.connect())
                let lines = gateway.embedded.log.lines.filter { $0.contains(" APNs ") }
                #expect(lines.count == 1 && lines.first?.hasSuffix(row.line) == true, "\(row.effect): \(lines)")
            }
        }
    }

    @Test func `pushes are counted by what was answered, or by what was delivered without an answer`() throws {
        try TestGateway.run { gateway in
            func counts() throws -> [String] {
                try gateway.send("GET", "/metrics").text.split(separator: "\n")
                    .filter {
                        $0.hasPrefix("pushpit_pushes_accepted_total ") || $0.hasPrefix("pushpit_pushes_refused_total ")
                    }
                    .map { String($0.split(separator: " ")[1]) }
            }
            let rows: [(effect: TestJSON, counts: [String])] = [
                (["answer": ["status": 200]], ["1", "0"]), (["reset": "CANCEL"], ["1", "1"]),
                ([["deliver": 1], ["answer": ["status": 500]]], ["2", "1"]),
            ]
            for row in rows {
                try gateway.setFault(row.effect, ["times": 1])
                _ = try gateway.startPush(on: gateway.connect())
                try #expect(counts() == row.counts, "\(row.effect)")
            }
        }
    }

    @Test func `what a numbered GOAWAY cuts off is recorded as the client saw it`() throws {
        let goAway: TestJSON = ["goAway": ["last": 1]]
        let effects: [TestJSON] = [goAway, [["answer": ["status": 500]], ["deliver": 1], goAway]]
        for (effect, isFCM) in effects.flatMap({ [($0, false), ($0, true)] }) {
            try TestGateway.run { gateway in
                let phone = try gateway.phone(isFCM ? "android" : "ios", hello: ["wants": ["push"]])
                try gateway.setFault(effect)
                func push(on connection: TestConnection) throws -> TestCall {
                    guard isFCM else { return try gateway.startPush(to: phone.token(), on: connection) }
                    let body: TestJSON = ["message": ["token": TestJSON(phone.token("fcm")), "data": ["a": "b"]]]
                    return try connection.start(
                        "POST", "/v1/projects/p/messages:send", headers: ["authorization": "Bearer x"],
                        body: body.bytes)
                }
                let status = effect == goAway ? 200 : 500
                try #expect(push(on: gateway.connect()).answer().status == status)
                let connection = try gateway.connect()
                _ = try connection.send("GET", "/livez")
                let call = try push(on: connection)
                #expect(throws: TestFailure.self) { try call.answer() }
                #expect(connection.goAways.map(\.lastStream) == [1])
                let messages = try gateway.ask("GET", "/messages")["messages"].array
                #expect(messages.map { $0["status"].int } == [0, status], "\(effect)")
                #expect(messages.map { $0["outcome"] } == ["accepted", "accepted"])
                #expect(messages[0]["reason"] == nil)
                try #expect(phone.pushes().count == 2, "both were delivered")
            }
        }
    }

    @Test func `a refused push that a numbered GOAWAY cuts off has no status either`() throws {
        try TestGateway.run { gateway in
            try gateway.setFault(["goAway": ["last": 0]])
            for (token, body) in [("bad", "{}"), (TestGateway.unknownToken, "")] {
                let call = try gateway.connect().start(
                    "POST", "/3/device/\(token)", headers: gateway.pushFields(), body: Array(body.utf8))
                #expect(throws: TestFailure.self) { try call.answer() }
                let message = try gateway.ask("GET", "/messages")["messages"][0]
                #expect(message["status"] == 0)
                #expect(message["outcome"] == "refused")
                #expect(message["reason"] == nil)
                #expect(message["why"].string?.hasPrefix("apns.") == true, "the rule is still there")
            }
        }
    }

    @Test func `the list says which faults are used up or expired`() throws {
        try TestGateway.run { gateway in
            func states() throws -> [String] {
                try gateway.ask("GET", "/faults")["faults"].array.compactMap { $0["state"].string }
            }
            let delay: TestJSON = ["delay": "0s"]
            for more: TestJSON in [
                ["times": 1], ["nth": 2], ["nth": 1, "per": "connection"], ["for": "10s"], ["every": 1], [:],
            ] {
                try gateway.setFault(delay, more.merging(["match": ["app": "com.example.a"]]))
            }
            try #expect(states() == Array(repeating: "active", count: 6))
            func push() throws { try gateway.push(topic: "com.example.a") }
            try push()
            try #expect(states() == ["usedUp", "active", "active", "active", "active", "active"])
            try gateway.ask("DELETE", "/faults/f3", status: 204)
            try push()
            try push()
            try #expect(states() == ["usedUp", "usedUp", "active", "active", "active"])
            gateway.advanceClock(by: .seconds(11))
            try #expect(states() == ["usedUp", "usedUp", "expired", "active", "active"])
        }
    }

    @Test func `broadcasts and calls about channels have faults too`() throws {
        try TestGateway.run { gateway in
            let channel = try gateway.makeChannel()
            try gateway.setFault(["wire": "503Shutdown"], ["times": 1])
            try #expect(gateway.broadcast(["n": 1], to: channel).status == 503)
            try #expect(gateway.broadcast(["n": 2], to: channel).status == 200)
            try gateway.setFault(
                ["answer": ["status": 400, "reason": "BroadcastFeatureNotEnabled"]], ["times": 1])
            let made = try gateway.send(
                "POST", "/1/apps/com.example.app/channels", headers: ["authorization": gateway.authorization],
                body: Array(#"{"message-storage-policy":0,"push-type":"LiveActivity"}"#.utf8))
            #expect(made.status == 400)
            #expect(made.json == ["reason": "BroadcastFeatureNotEnabled"])
            #expect(made["apns-request-id"]?.count == 36)
            let all = try gateway.send(
                "GET", "/1/apps/com.example.app/all-channels", headers: ["authorization": gateway.authorization])
            #expect(all.json["channels"].array.map(\.string) == [channel], "no channel was made")
        }
    }
}
