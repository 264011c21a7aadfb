import PushpitTesting
import Testing

@testable import Gateway

/// What the log and the counters say about faults.
@Suite struct FaultRecordTests {
    static let unavailable: TestJSON = ["answer": ["status": 503, "reason": "UNAVAILABLE"]]

    /// An effect on a call of Google's, the name of the rule, and the events of the call.
    static let hits: [(effect: TestJSON, path: String, rule: String, events: Int)] = [
        (unavailable, "/v1/projects/demo/messages:send", "custom", 2),
        (["wire": "500InternalServerError"], "/v1/projects/demo/messages:send", "500InternalServerError", 2),
        (unavailable, "/iid/v1:batchAdd", "custom", 1),
        (["delay": "1ms"], "/v1/projects/demo/messages:send", "custom", 2),
    ]

    @Test(arguments: hits.indices) func `a hit makes one event and one log line`(index: Int) throws {
        let (effect, path, rule, events) = Self.hits[index]
        try TestGateway.run { gateway in
            let fault = try gateway.setFault(effect, ["times": 1])
            let before = gateway.events().count
            _ = try gateway.start(
                "POST", path, headers: ["authorization": "Bearer x"], body: Array(#"{"message":{"topic":"t"}}"#.utf8))
            let lines = gateway.embedded.log.lines.filter { $0.contains("\(fault) was set") }
            #expect(lines.count == 1)
            let line = try #require(lines.first)
            #expect(line.contains("Z info fault rule=fault.\(rule) "), "\(line)")
            #expect(
                line.hasSuffix(#"method=POST path=\#(path) because="\#(fault) was set through the control API""#),
                "\(line)")
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
