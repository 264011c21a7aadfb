import PushpitTesting
import Testing

/// Topics that devices subscribe to over their sockets.
@Suite struct TopicTests {
    private func tags(_ phone: TestPhone) throws -> [String?] {
        try phone.pushes().map { $0["payload"]["data"]["tag"].string }
    }

    private func send(_ target: TestJSON, _ tag: String, _ gateway: TestGateway, project: String = "shop") throws {
        let answer = try gateway.sendFCM(target.merging(["data": ["tag": TestJSON(tag)]]), project: project)
        #expect(answer.status == 200 && answer.json["name"].string?.suffix(19).allSatisfy(\.isNumber) == true)
    }

    @Test(arguments: TestGateway.Kind.allCases) func `a device gets the topics that it is subscribed to`(
        kind: TestGateway.Kind
    ) throws {
        try TestGateway.run(kind) { gateway in
            let phone = try gateway.phone("android")
            for name: TestJSON in ["news", "/topics/sport", "news"] {
                try #expect(phone.ask("topic", ["op": "subscribe", "name": name])["type"] == "ok")
            }
            let events = try phone.events()
            #expect(events.map { $0["kind"] } == ["subscribed", "subscribed"])
            #expect(events.map { $0["data"] } == [["topic": "news"], ["topic": "sport"]])
            try send(["topic": "news"], "1", gateway)
            try #expect(phone.next("push")["payload"]["from"] == "/topics/news")
            try send(["topic": "weather"], "2", gateway)
            try phone.ask("topic", ["op": "unsubscribe", "name": "news"])
            try #expect(phone.nextEvent("unsubscribed")["data"] == ["topic": "news"])
            try send(["topic": "news"], "3", gateway)
            try send(["topic": "sport"], "4", gateway)
            try #expect(phone.next("push")["payload"]["data"] == ["tag": "4"])
            try #expect(phone.pushes() == [])
        }
    }

    @Test func `a wrong topic is an error with a pointer`() throws {
        try TestGateway.run { gateway in
            let phone = try gateway.phone("android")
            for name: TestJSON in ["", "a/b", TestJSON(String(repeating: "x", count: 901)), "ä", 5, nil] {
                try #expect(phone.ask("topic", ["op": "subscribe", "name": name])["pointer"] == "/name", "\(name)")
            }
            try #expect(phone.ask("topic", ["op": "hear", "name": "a"])["pointer"] == "/op")
        }
    }

    @Test func `a message to a topic waits like any other`() throws {
        try TestGateway.run { gateway in
            let phone = try gateway.phone("android", hello: ["wants": ["push"]])
            try phone.ask("topic", ["op": "subscribe", "name": "t"])
            try phone.ask("state", ["set": ["online": false]])
            try send(["topic": "t"], "1", gateway)
            try send(["topic": "t", "android": ["ttl": "60s"]], "short", gateway)
            gateway.advanceClock(by: .seconds(120))
            try phone.ask("state", ["set": ["online": true]])
            try #expect(tags(phone) == ["1"])
        }
    }

    @Test func `conditions and projects choose among connected devices`() throws {
        try TestGateway.run { gateway in
            let phones = try [["project": "p"], [:]].map { (spec: TestJSON) in
                let phone = try gateway.phone("android", spec, hello: ["wants": ["push"]])
                try phone.ask("topic", ["op": "subscribe", "name": "t"])
                return phone
            }
            try send(["topic": "t"], "q", gateway, project: "q")
            try send(["condition": "!('x' in topics)"], "not x", gateway, project: "q")
            try send(["condition": "'t' in topics && !('x' in topics)"], "p", gateway, project: "p")
            try #expect(tags(phones[0]) == ["p"])
            try #expect(tags(phones[1]) == ["q", "not x", "p"])
        }
    }

    @Test func `a device without its app gets nothing`() throws {
        try TestGateway.run { gateway in
            let phone = try gateway.phone("android", hello: ["wants": ["push"]])
            try phone.ask("topic", ["op": "subscribe", "name": "t"])
            try phone.ask("uninstall")
            try send(["topic": "t"], "1", gateway)
            try #expect(phone.received() == [])
            try #expect(phone.ask("topic", ["op": "subscribe", "name": "u"])["type"] == "error")
            let fid = phone.device["tokens"]["fcm"]["fid"].string ?? ""
            let answer = try gateway.send(
                "POST", "/v1/projects/p/registrations/\(fid)/topicSubscriptions?topicName=t",
                headers: ["authorization": "Bearer x"])
            #expect(answer.status == 404)
        }
    }
}
