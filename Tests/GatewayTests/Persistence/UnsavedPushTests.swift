import PushpitTesting
import Testing

@testable import Gateway

/// The answer, the log line and the entry in the list of a push whose batch could not be saved.
@Suite struct UnsavedPushTests {
    @Test(arguments: [nil, "00000000-0000-4000-8000-00000000000A"])
    func `a push that could not be saved is refused with its ids, and has a log line with them`(own: String?) throws {
        try Disk.run { gateway, disk in
            disk.failure = SlowDiskTests.full
            let sandbox = try gateway.connect(hostName: "api.sandbox.push.apple.com")
            let fields: TestFields = own.map { ["apns-id": $0] } ?? [:]
            let push = try gateway.startPush(fields: fields, on: sandbox)
            disk.runOne(in: gateway.embedded)
            let answer = try push.answer()
            let message = try gateway.ask("GET", "/messages")["messages"].array.first ?? [:]
            let (id, unique) = (answer["apns-id"] ?? "-", answer["apns-unique-id"] ?? "-")
            #expect(answer.status == 503)
            #expect(message["apnsId"].string == id && message["apnsUniqueId"].string == unique)
            let line = gateway.embedded.log.lines.last { $0.contains(" info refused ") } ?? ""
            let begin = "rule=gateway.disk status=503 method=POST path=/3/device/\(TestGateway.unknownToken)"
            #expect(line.contains("\(begin) apnsId=\(id) apnsUniqueId=\(unique) "), "\(line)")
            #expect(line.contains("it is full"), "\(line)")
        }
    }

    @Test func `the log line of a message that could not be saved has its name`() throws {
        try Disk.run { gateway, disk in
            disk.failure = SlowDiskTests.full
            _ = try gateway.start(
                "POST", "/v1/projects/p/messages:send", headers: ["authorization": "Bearer x"],
                body: Array(#"{"message":{"topic":"t"}}"#.utf8))
            disk.runOne(in: gateway.embedded)
            let name = try gateway.ask("GET", "/messages")["messages"].array.first?["name"].string ?? "-"
            let line = gateway.embedded.log.lines.last { $0.contains(" info refused ") } ?? ""
            #expect(line.contains("rule=gateway.disk status=503 ") && line.contains(" name=\(name) "), "\(line)")
        }
    }

    @Test func `a call about channels that could not be saved leaves the push before it as it was`() throws {
        try Disk.run { gateway, disk in
            let push = try gateway.startPush()
            disk.runAll(in: gateway.embedded)
            try #expect(push.answer().status == 200)
            disk.failure = SlowDiskTests.full
            let made = try gateway.start(
                "POST", "/1/apps/com.example.app/channels", headers: ["authorization": gateway.authorization],
                body: Array(#"{"message-storage-policy":0,"push-type":"LiveActivity"}"#.utf8))
            disk.runOne(in: gateway.embedded)
            let answer = try made.answer()
            #expect(answer.status == 503)
            #expect(answer["apns-request-id"]?.count == 36 && answer["apns-channel-id"] == nil)
            try #expect(gateway.ask("GET", "/messages")["messages"].array.map { $0["status"].int } == [200])
        }
    }

    @Test func `a push that was not saved keeps the status of its fault in the list`() throws {
        try Disk.run { gateway, disk in
            try disk.ask(gateway, "POST", "/faults", ["effect": ["silence": true]], status: 201)
            disk.failure = SlowDiskTests.full
            _ = try gateway.startPush()
            disk.runOne(in: gateway.embedded)
            try #expect(gateway.ask("GET", "/messages")["messages"].array.first?["status"] == 0)
        }
    }
}
