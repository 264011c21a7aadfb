import Platform
import PushpitTesting
import TestSupport
import Testing

@testable import Gateway

/// A directory that the program of commit 33bd155 wrote (Tests/Conformance/fixtures/older-data).
@Suite struct OlderDataTests {
    /// Runs a test body with a gateway that has opened a copy of the directory, shortly after it was written.
    private func run(_ body: (TestGateway) throws -> Void) throws {
        let directory = Scratch()
        let folder = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let file = try #require(try Files.read("/\(folder)/Conformance/fixtures/older-data/pushpit.db"))
        try Files.write(file, to: directory.directory + "/pushpit.db", mode: 0o600)
        try Disk.run(in: directory) { gateway, _ in
            // 2026-11-22T23:00:00Z
            gateway.advanceClock(by: .milliseconds(1_795_388_400_000 - gateway.milliseconds))
            try body(gateway)
            gateway.embedded.gateway.saveAll()
        }
    }

    private func ids(_ list: TestJSON) -> [String?] { list.array.map { $0["id"].string } }

    @Test func `its devices have their names, tokens, state and topics`() throws {
        try run { gateway in
            let devices = try gateway.ask("GET", "/devices")["devices"]
            #expect(ids(devices) == ["phone", "away", "android", "far", "browser", "d1"])
            #expect(devices.array.map { $0["platform"].string } == ["ios", "ios", "android", "android", "web", "ios"])
            let phone = devices[0]
            #expect(phone["name"] == "A phone")
            #expect(phone["badge"] == 7)
            #expect(phone["state"]["locale"] == "de-DE")
            #expect(phone["state"]["focus"] == true)
            #expect(devices[1]["state"]["online"] == false)
            #expect(
                phone["tokens"]["apns"]["token"].string
                    == "6f5dc3c8ea807dd685c33ca543b121c1e1f6d526d39380c1dfa3feda1ed3c8d9")
            #expect(devices[2]["tokens"]["fcm"]["project"] == "shop")
            #expect(
                devices[4]["tokens"]["fcm"]["token"].string?.hasPrefix("eLdMH15Ppmp4j7gbA12C0V:APA91bqvDpSrdMcJ")
                    == true)
            let topics = try gateway.ask("GET", "/topics")["topics"].array
            #expect(topics.map { $0["name"].string } == ["news", "news", "sales"])
            #expect(topics.map { $0["devices"].int } == [1, 2, 1])
        }
    }

    @Test func `its journal has every push with its verdict`() throws {
        try run { gateway in
            let messages = try gateway.ask("GET", "/messages")["messages"]
            #expect(ids(messages) == (1...15).reversed().map { "p\($0)" })
            let verdicts = messages.array.reversed().map { message in
                message["reason"].string ?? message["outcome"].string ?? ""
            }
            let accepted = Array(repeating: "accepted", count: 10)
            #expect(
                verdicts == accepted + ["BadPriority", "InvalidPayload", "accepted"]
                    + Array(repeating: "INVALID_ARGUMENT", count: 2))
            let topic = messages[7]
            #expect(topic["target"] == ["topic": "news"])
            #expect(topic["devices"] == ["phone", "android", "far"])
            #expect(topic["request"]["body"]["message"]["notification"]["body"] == "Ünïcödé 🥐")
            #expect(messages[3]["findings"].array.map { $0["rule"] } == ["auth.unknown-key", "aps.wrong-type"])
            try #expect(gateway.ask("GET", "/stats")["events"] == 59)
            try #expect(gateway.ask("GET", "/tracking")["hits"].array.map { $0["action"] } == ["2", "1"])
        }
    }

    @Test func `its notifications are shown, and its waiting pushes arrive`() throws {
        try run { gateway in
            let shade = try gateway.ask("GET", "/devices/phone/shade")["shade"]
            #expect(shade.array.map { $0["key"] } == ["n3", "one"])
            #expect(shade[0]["body"] == "Ünïcödé 🥐")
            #expect(try ids(gateway.ask("GET", "/devices/away/pending")["pending"]) == ["p4"])
            #expect(try ids(gateway.ask("GET", "/devices/far/pending")["pending"]) == ["p7", "p6", "p8"])
            let away = try gateway.socket()
            try away.hello(["id": "away"])
            try away.ask("state", ["set": ["online": true]])
            try #expect(away.next("push")["payload"]["aps"]["alert"] == "Second")
            let far = try gateway.socket()
            try far.hello(["id": "far"])
            try far.ask("state", ["set": ["online": true]])
            #expect(try far.pushes().map { $0["id"] } == ["p7", "p6", "p8"])
        }
    }

    @Test func `it takes new pushes, and numbers them from the last one on`() throws {
        try run { gateway in
            let token = "6f5dc3c8ea807dd685c33ca543b121c1e1f6d526d39380c1dfa3feda1ed3c8d9"
            let call = try gateway.startPush(to: token)
            gateway.embedded.gateway.saveAll()
            try #expect(call.answer().status == 200)
            let newest = try gateway.ask("GET", "/messages?limit=1")["messages"][0]
            #expect(newest["id"] == "p16")
            #expect(newest["devices"] == ["phone"])
        }
    }
}
