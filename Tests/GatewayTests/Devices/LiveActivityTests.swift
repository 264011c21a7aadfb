import PushpitTesting
import Testing

/// Live Activities as a device socket sees them: a token starts one, each activity has its own token, and loses it.
@Suite struct LiveActivityTests {
    static let topic = "com.example.app.push-type.liveactivity"

    private func event(_ name: String, _ second: Int, _ more: TestJSON = [:]) -> TestJSON {
        let aps: TestJSON = ["event": TestJSON(name), "timestamp": TestJSON(second), "content-state": [:]]
        let start: TestJSON = [
            "attributes-type": "Trip", "attributes": [:], "alert": ["title": "T", "body": "b"],
        ]
        return ["aps": (name == "start" ? aps.merging(start) : aps).merging(more)]
    }

    /// Sends an event of the activity, and returns the status and the reason.
    private func change(_ gateway: TestGateway, _ token: String, _ event: TestJSON) throws -> String {
        let answer = try gateway.push(
            event, to: token, topic: Self.topic, fields: ["apns-push-type": "liveactivity"])
        return answer.json["reason"].string.map { "\(answer.status) \($0)" } ?? "\(answer.status)"
    }

    @Test(arguments: TestGateway.Kind.allCases) func `a token starts an activity, and another changes and ends it`(
        kind: TestGateway.Kind
    ) throws {
        try TestGateway.run(kind) { gateway in
            let phone = try gateway.phone()
            let tokens = phone.device["tokens"]["liveActivity"]
            #expect(tokens["topic"].string == Self.topic && tokens["updates"] == [:])
            let start = try #require(tokens["start"].string)
            #expect(start.wholeMatch(of: /[0-9a-f]{160}/) != nil)
            // Each token has its own topic, and no other.
            try #expect(change(gateway, phone.token(), event("start", 1)) == "400 DeviceTokenNotForTopic")
            try #expect(gateway.push(to: start).json["reason"] == "DeviceTokenNotForTopic")
            try #expect(change(gateway, start, event("start", 1)) == "200")
            let shown = try phone.nextEvent("presented")["data"]
            #expect(shown == ["activity": "Trip", "event": "start", "title": "T", "body": "b"])
            let given = try phone.next("token")
            #expect(given["provider"] == "apns" && given["cause"] == "liveActivity" && given["activity"] == "Trip")
            let first = try #require(given["new"].string)
            try #expect(phone.nextEvent("token")["data"]["new"].string == first)
            try #expect(
                gateway.ask("GET", "/devices/\(phone.id)")["tokens"]["liveActivity"]["updates"]
                    == ["Trip": TestJSON(first)])
            try #expect(change(gateway, first, event("update", 2)) == "200")
            try #expect(phone.nextEvent("presented")["data"]["activity"] == "Trip")
            // A second start replaces the first one's token.
            try #expect(change(gateway, start, event("start", 3)) == "200")
            let replaced = try phone.nextEvent("token")["data"]
            #expect(replaced["old"].string == first)
            let second = try #require(replaced["new"].string)
            try #expect(change(gateway, first, event("update", 4)) == "410 Unregistered")
            _ = try phone.nextEvent("presented")
            try #expect(change(gateway, second, event("end", 5)) == "200")
            try #expect(phone.nextEvent("presented")["data"]["event"] == "end")
            try #expect(change(gateway, second, event("update", 6)) == "410 Unregistered")
            gateway.advanceClock(by: .seconds(4 * 3600))
            let gone = try phone.nextEvent("removed")
            #expect(gone["why"] == "ios.live-activity-dismissed" && gone["data"] == ["activity": "Trip"])
        }
    }

    @Test func `a start may name a channel, whose broadcasts the activity gets`() throws {
        try TestGateway.run { gateway in
            let phone = try gateway.phone()
            let channel = try gateway.makeChannel()
            let start = phone.device["tokens"]["liveActivity"]["start"].string ?? ""
            let named: TestJSON = ["input-push-channel": TestJSON(channel)]
            try #expect(change(gateway, start, event("start", 1, named)) == "200")
            try #expect(phone.nextEvent("subscribed")["data"]["channel"].string == channel)
            _ = try phone.nextEvent("presented")
            let fields: TestFields = [
                "apns-channel-id": channel, "apns-push-type": "liveactivity", "apns-expiration": "0",
            ]
            let sent = try gateway.send(
                "POST", "/4/broadcasts/apps/com.example.app", headers: gateway.pushFields(topic: nil, fields),
                body: event("update", 2).bytes)
            #expect(sent.status == 200)
            try #expect(phone.nextEvent("presented")["data"] == ["activity": "Trip", "event": "update"])
        }
    }
}
