import PushpitTesting
import TestSupport
import Testing

@testable import Gateway

/// Changes over the control API are answered when they are on the disk, and are there after the process was killed.
@Suite struct SavedChangeTests {
    typealias Calls = [(method: String, path: String, body: TestJSON?, status: Int)]

    /// A call for each kind of change, and what has to be there before it.
    static let changes: [(before: Calls, call: Calls.Element)] = [
        ([], ("POST", "/devices", ["platform": "ios", "app": "a.b", "id": "d"], 201)),
        ([device], ("DELETE", "/devices/d", nil, 204)),
        ([device], ("PATCH", "/devices/d", ["state": ["online": false]], 200)),
        ([device], ("POST", "/devices/d/tokens", ["op": "rotate", "provider": "apns"], 200)),
        ([device], ("PUT", "/topics/news/devices/d", nil, 204)),
        ([], fault),
        ([fault], ("DELETE", "/faults/f1", nil, 204)),
        ([fault], ("DELETE", "/faults", nil, 204)),
        ([], ("POST", "/scenarios/apns-shutdown", nil, 201)),
        ([], media),
        ([media], ("DELETE", "/media?url=https://e.com/a.png", nil, 204)),
        ([media], ("DELETE", "/media", nil, 204)),
        ([], ("POST", "/clock", ["advance": "2h"], 200)),
        ([device], ("POST", "/reset", nil, 200)),
    ]
    private static let device: Calls.Element = ("POST", "/devices", ["platform": "ios", "app": "a.b", "id": "d"], 201)
    private static let fault: Calls.Element = ("POST", "/faults", ["effect": ["wire": "goawayShutdown"]], 201)
    private static let media: Calls.Element = ("PUT", "/media", ["url": "https://e.com/a.png", "size": 7], 204)
    /// What clients see of the state.
    private static let views = ["/devices", "/topics", "/faults", "/media", "/clock", "/messages"]

    private func views(_ gateway: TestGateway) throws -> [TestJSON] {
        try Self.views.map { try gateway.ask("GET", $0) }
    }

    @Test(arguments: changes.indices) func `a change is answered when it is on the disk, and is there after a crash`(
        index: Int
    ) throws {
        let (before, change) = Self.changes[index]
        let directory = Scratch()
        var expected: [TestJSON] = []
        try Disk.run(in: directory) { gateway, disk in
            for call in before { try disk.ask(gateway, call.method, call.path, call.body, status: call.status) }
            let old = try views(gateway)
            let call = try gateway.start(
                change.method, "/api/v1" + change.path, body: change.body?.bytes ?? [])
            try #expect(call.answerSoFar() == nil)
            #expect(disk.count == 1)
            // Reading does not wait.
            expected = try views(gateway)
            #expect(expected != old)
            disk.runAll(in: gateway.embedded)
            try #expect(call.answer().status == change.status)
        }
        try Disk.run(in: directory) { gateway, _ in try #expect(views(gateway) == expected) }
    }

    @Test func `messages that were deleted are gone from the disk when the call is answered`() throws {
        let directory = Scratch()
        try Disk.run(in: directory) { gateway, disk in
            let push = try gateway.startPush()
            disk.runAll(in: gateway.embedded)
            try #expect(push.answer().status == 200)
            let call = try gateway.start("DELETE", "/api/v1/messages")
            try #expect(call.answerSoFar() == nil)
            disk.runAll(in: gateway.embedded)
            try #expect(call.answer().json == ["deleted": 1])
        }
        try Disk.run(in: directory) { gateway, _ in
            try #expect(gateway.ask("GET", "/messages")["messages"] == [])
        }
    }

    @Test func `a call that changes nothing does not wait`() throws {
        try Disk.run { gateway, disk in
            _ = try gateway.startPush()
            #expect(disk.count == 1)
            try gateway.ask("DELETE", "/devices/none", status: 404)
            try gateway.ask("DELETE", "/messages?app=none")
            try gateway.ask("DELETE", "/media", status: 204)
            try gateway.ask("POST", "/faults", [:], status: 400)
            try gateway.ask("GET", "/messages")
        }
    }

    @Test func `HTTP/1.1 clients wait too, and a later request waits behind`() throws {
        try Disk.run { gateway, disk in
            let connection = try gateway.connect(over: .http1)
            let body = try #require(Self.fault.body).bytes
            let first = try connection.start("POST", "/api/v1/faults", body: body)
            let second = try connection.start("GET", "/api/v1/faults")
            try #expect(first.answerSoFar() == nil)
            disk.runAll(in: gateway.embedded)
            try #expect(first.answer().status == 201)
            try #expect(second.answer().json["faults"].array.count == 1)
        }
    }

    @Test func `a change that the disk refuses is answered with the reason, and is saved later`() throws {
        let directory = Scratch()
        try Disk.run(in: directory) { gateway, disk in
            disk.failure = SlowDiskTests.full
            let answer = try disk.ask(gateway, "POST", "/faults", Self.fault.body, status: 503)
            #expect(answer["error"]["code"] == "notSaved")
            #expect(
                answer["error"]["message"].string?.hasPrefix("The change was made, but it is not on the disk: ")
                    == true)
            try #expect(gateway.ask("GET", "/faults")["faults"].array.count == 1)
            disk.failure = nil
            gateway.advanceLoopTime(.seconds(1))
            disk.runAll(in: gateway.embedded)
        }
        try Disk.run(in: directory) { gateway, _ in
            try #expect(gateway.ask("GET", "/faults")["faults"].array.count == 1)
        }
    }

    @Test func `a channel is answered when it is on the disk, and reaches its subscribers after a crash`() throws {
        let directory = Scratch()
        var channel = ""
        try Disk.run(in: directory) { gateway, disk in
            let body: TestJSON = ["message-storage-policy": 1, "push-type": "LiveActivity"]
            let call = try gateway.start(
                "POST", "/1/apps/com.example.app/channels", headers: gateway.pushFields(topic: nil), body: body.bytes)
            try #expect(call.answerSoFar() == nil)
            disk.runAll(in: gateway.embedded)
            channel = try #require(try call.answer()["apns-channel-id"])
            let phone = try gateway.phone("ios", ["id": "p"])
            try phone.ask("channel", ["op": "subscribe", "id": TestJSON(channel)])
            disk.runAll(in: gateway.embedded)
        }
        try Disk.run(in: directory) { gateway, disk in
            let phone = try gateway.socket()
            try phone.hello(["id": "p"])
            let aps: TestJSON = ["event": "update", "timestamp": 1, "content-state": ["n": 1]]
            let call = try gateway.start(
                "POST", "/4/broadcasts/apps/com.example.app",
                headers: gateway.pushFields(
                    topic: nil,
                    ["apns-channel-id": channel, "apns-push-type": "liveactivity", "apns-expiration": "0"]),
                body: (["aps": aps] as TestJSON).bytes)
            disk.runAll(in: gateway.embedded)
            try #expect(call.answer().status == 200)
            try #expect(phone.next("push")["payload"]["aps"]["content-state"] == ["n": 1])
        }
    }

    @Test func `a clock that was frozen or moved is so after a crash, and can be set back`() throws {
        let directory = Scratch()
        var frozen: TestJSON = nil
        try Disk.run(in: directory) { gateway, disk in
            frozen = try disk.ask(gateway, "POST", "/clock", ["set": "2030-01-01T00:00:00Z"])
        }
        try Disk.run(in: directory) { gateway, disk in
            try #expect(gateway.ask("GET", "/clock") == frozen)
            #expect(gateway.embedded.log.lines.contains { $0.contains("clock restored") && $0.contains("frozen") })
            try disk.ask(gateway, "POST", "/clock", ["resume": true])
            try #expect(gateway.ask("GET", "/clock")["frozen"] == false)
        }
    }

    @Test func `a push that a fault holds back arrives after a crash`() throws {
        let directory = Scratch()
        try Disk.run(in: directory) { gateway, disk in
            let phone = try gateway.phone("ios", ["id": "p"])
            try disk.ask(gateway, "POST", "/faults", ["effect": ["deliverAfter": "1h"]], status: 201)
            let call = try gateway.startPush(["aps": ["alert": "late"]], to: phone.token())
            disk.runAll(in: gateway.embedded)
            try #expect(call.answer().status == 200)
            try #expect(phone.pushes() == [])
        }
        try Disk.run(in: directory) { gateway, _ in
            let phone = try gateway.socket()
            try phone.hello(["id": "p"])
            gateway.advanceClock(by: .seconds(3599))
            try #expect(phone.pushes() == [])
            gateway.advanceClock(by: .seconds(1))
            try #expect(phone.next("push")["payload"]["aps"]["alert"] == "late")
        }
    }
}
