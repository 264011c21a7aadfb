import Persistence
import PushCore
import PushpitTesting
import Storage
import TestSupport
import Testing

@testable import Gateway

/// A gateway with a `--data` directory: answers wait for the disk, and a new gateway has the old one's state.
@Suite struct PersistenceTests {
    @Test func `the answer to a push waits until the push is on the disk`() throws {
        try Disk.run { gateway, disk in
            let call = try gateway.startPush()
            try #expect(call.answerSoFar() == nil)
            #expect(disk.count == 1)
            disk.runAll(in: gateway.embedded)
            try #expect(call.answer().status == 200)
        }
    }

    @Test func `pushes that come while a batch is written are in the next one`() throws {
        try Disk.run { gateway, disk in
            let first = try gateway.startPush()
            let others = try (0..<3).map { _ in try gateway.startPush() }
            #expect(disk.count == 1, "one batch at a time")
            disk.runOne(in: gateway.embedded)
            try #expect(first.answer().status == 200)
            for call in others { try #expect(call.answerSoFar() == nil) }
            #expect(disk.count == 1)
            disk.runOne(in: gateway.embedded)
            for call in others { try #expect(call.answer().status == 200) }
            #expect(disk.count == 0)
        }
    }

    @Test func `a refusal does not wait for the disk`() throws {
        try Disk.run { gateway, _ in
            try #expect(gateway.push(topic: nil).status == 400)
            try #expect(gateway.send("GET", "/livez").status == 200)
            try #expect(gateway.ask("GET", "/stats")["devices"] == 0)
        }
    }

    @Test func `FCM messages wait too, over both versions of HTTP`() throws {
        try Disk.run { gateway, disk in
            for version in TestConnection.Version.allCases {
                let connection = try gateway.connect(over: version)
                let call = try connection.start(
                    "POST", "/v1/projects/p/messages:send", headers: ["authorization": "Bearer x"],
                    body: Array(#"{"message":{"topic":"t"}}"#.utf8))
                try #expect(call.answerSoFar() == nil)
                disk.runAll(in: gateway.embedded)
                try #expect(call.answer().status == 200)
            }
        }
    }

    @Test func `a device gets its push before the disk has it`() throws {
        try Disk.run { gateway, disk in
            let phone = try gateway.phone()
            let call = try gateway.startPush(to: phone.token())
            try #expect(phone.next("push")["id"] == "p1")
            try #expect(call.answerSoFar() == nil)
            disk.runAll(in: gateway.embedded)
            try #expect(call.answer().status == 200)
        }
    }

    @Test func `a fault's effect on an accepted push waits for the disk`() throws {
        try Disk.run { gateway, disk in
            try disk.ask(
                gateway, "POST", "/faults", ["effect": ["resetAfterHeaders": "CANCEL"], "times": 1], status: 201)
            let call = try gateway.startPush()
            try #expect(call.answerSoFar() == nil)
            disk.runAll(in: gateway.embedded)
            let failure = #expect(throws: TestFailure.self) { try call.answer() }
            #expect(failure?.cause == .reset(8))
        }
    }

    @Test func `a delayed answer waits for the disk and then for the clock`() throws {
        try Disk.run { gateway, disk in
            try disk.ask(gateway, "POST", "/faults", ["effect": ["delay": "5s"], "times": 2], status: 201)
            let connection = try gateway.connect(over: .http1)
            let calls = [
                try gateway.startPush(),
                try connection.start(
                    "POST", "/v1/projects/p/messages:send", headers: ["authorization": "Bearer x"],
                    body: Array(#"{"message":{"topic":"t"}}"#.utf8)),
            ]
            gateway.advanceClock(by: .seconds(10))
            for call in calls { try #expect(call.answerSoFar() == nil) }
            disk.runAll(in: gateway.embedded)
            for call in calls { try #expect(call.answerSoFar() == nil) }
            gateway.advanceClock(by: .seconds(5))
            for call in calls { try #expect(call.answer().status == 200) }
        }
    }

    @Test func `a fault that replaces the verdict saves no push and waits for nothing`() throws {
        try Disk.run { gateway, disk in
            let effect: TestJSON = ["answer": ["status": 503, "reason": "Shutdown"]]
            try disk.ask(gateway, "POST", "/faults", ["effect": effect, "times": 1], status: 201)
            try #expect(gateway.push().json == ["reason": "Shutdown"])
        }
    }

    @Test func `the answer for a client that has gone is dropped`() throws {
        try Disk.run { gateway, disk in
            let connection = try gateway.connect()
            _ = try connection.start(
                "POST", "/3/device/\(TestGateway.unknownToken)", headers: gateway.pushFields(), body: Array("{}".utf8))
            connection.close()
            // Its slot is taken by another connection, which must not get the answer.
            let other = try gateway.connect()
            try #expect(other.send("GET", "/livez").status == 200)
            disk.runAll(in: gateway.embedded)
            try other.poll()
            try #expect(other.send("GET", "/livez").status == 200)
            try #expect(gateway.ask("GET", "/stats")["messages"] == 1)
        }
    }

    @Test func `a gateway that is opened again has its devices, tokens, messages and waiting pushes`() throws {
        let directory = Scratch()
        var known: (id: String, token: String) = ("", "")
        try TestGateway.run { gateway in
            let disk = Disk()
            try gateway.embedded.gateway.open(try Store(directory: directory.directory)) { disk.take($0, $1) }
            let phone = try gateway.phone("ios", ["name": "kept"])
            known = (phone.id, phone.token())
            try phone.ask("state", ["set": ["online": false]])
            let call = try gateway.startPush(to: phone.token())
            disk.runAll(in: gateway.embedded)
            try #expect(call.answer().status == 200)
            // The end of the process writes what no batch has.
            try phone.ask("topic", ["op": "subscribe", "name": "news"])
            gateway.embedded.gateway.saveAll()
            // The batch that was under way has been written then, and is not taken in twice.
            disk.runAll(in: gateway.embedded)
        }
        try TestGateway.run { gateway in
            let disk = Disk()
            try gateway.embedded.gateway.open(try Store(directory: directory.directory)) { disk.take($0, $1) }
            let device = try gateway.ask("GET", "/devices/\(known.id)")
            #expect(device["name"] == "kept")
            #expect(device["tokens"]["apns"]["token"].string == known.token)
            try #expect(gateway.ask("GET", "/devices/\(known.id)/pending")["pending"].array.count == 1)
            try #expect(gateway.ask("GET", "/messages")["messages"].array.map { $0["id"] } == ["p1"])
            try #expect(gateway.ask("GET", "/topics")["topics"].array.map { $0["name"] } == ["news"])
            let phone = try gateway.socket()
            try phone.hello(["id": TestJSON(known.id)])
            try phone.ask("state", ["set": ["online": true]])
            try #expect(phone.next("push")["payload"] == ["aps": ["alert": "Hello"]])
            let call = try gateway.startPush(to: known.token)
            disk.runAll(in: gateway.embedded)
            try #expect(call.answer().status == 200)
            try #expect(gateway.ask("GET", "/messages?limit=1")["messages"][0]["id"] == "p2", "numbers go on")
        }
    }
}
