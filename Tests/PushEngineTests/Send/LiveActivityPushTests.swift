import Devices
import PushCore
import Testing

/// Pushes to the tokens of Live Activities.
@Suite struct LiveActivityPushTests {
    private static let topic = EngineFixture.app + ".push-type.liveactivity"
    private static let fields = ["apns-push-type": "liveactivity"]

    /// An event that happens some seconds after the fixture's start.
    private static func event(_ event: String, at second: Int, _ more: String = "") -> String {
        #"{"aps":{"timestamp":\#(1_800_000_000 + second),"event":"\#(event)","content-state":{}\#(more)}}"#
    }

    private static func begin(_ type: String, at second: Int) -> String {
        event(
            "start", at: second,
            #","attributes-type":"\#(type)","attributes":{},"alert":{"title":"a","body":"b"}"#)
    }

    private static func token(_ type: String?, _ fixture: EngineFixture) throws -> String {
        try #require(fixture.device("d").activityTokens.first { $0.type == type }?.token.hex)
    }

    @Test func `a Live Activity's token is for its topic, and is gone with it`() throws {
        let fixture = EngineFixture()
        fixture.make("d")
        let start = try Self.token(nil, fixture)
        #expect(fixture.push(start).description == "400 DeviceTokenNotForTopic")
        #expect(fixture.push(start, topic: Self.topic, Self.fields, body: Self.begin("Game", at: 0)).status == 200)
        let update = try Self.token("Game", fixture)
        #expect(fixture.take().suffix(2).contains { $0.hasPrefix("token d") })
        let end = Self.event("end", at: 1, #","dismissal-date":1800000001"#)
        #expect(fixture.push(update, topic: Self.topic, Self.fields, body: end).status == 200)
        #expect(fixture.push(update, topic: Self.topic, Self.fields, body: end).description == "410 Unregistered")
    }

    @Test func `an update without a type is for the activity of its token, not for the newest one`() throws {
        let fixture = EngineFixture()
        fixture.make("d")
        let start = try Self.token(nil, fixture)
        for (second, type) in ["Game", "Trip"].enumerated() {
            fixture.push(start, topic: Self.topic, Self.fields, body: Self.begin(type, at: second))
        }
        for (second, type) in [(2, "Game"), (3, "Trip"), (4, "Game")] {
            _ = fixture.takeShown()
            let update = try Self.token(type, fixture)
            fixture.push(update, topic: Self.topic, Self.fields, body: Self.event("update", at: second))
            #expect(fixture.takeShown().contains { $0.contains("activity=\(type) event=update") }, "\(second)")
        }
    }

    @Test func `a Live Activity starts, changes and ends over FCM`() throws {
        let fixture = EngineFixture()
        fixture.make("d")
        func send(_ aps: String, token: String? = nil, type: String? = nil) throws -> EngineFixture.Answer {
            let known = fixture.device("d").activityTokens.first { $0.type == type }?.token.hex
            let token = try #require(token ?? known)
            return fixture.message(to: "d", #""apns":{"live_activity_token":"\#(token)","payload":{"aps":\#(aps)}}"#)
        }
        let start = #"""
            {"timestamp":1800000000,"event":"start","content-state":{},"attributes-type":"Game","attributes":{},
            "alert":{"title":"a","body":"b"}}
            """#
        #expect(try send(start).status == 200)
        let token = try #require(fixture.device("d").activityTokens.first { $0.type == "Game" }?.token.hex)
        _ = fixture.takeShown()
        let update = #"{"timestamp":1800000001,"event":"update","content-state":{}}"#
        #expect(try send(update, type: "Game").status == 200)
        #expect(fixture.takeShown().contains { $0.contains("activity=Game event=update") })
        let end = #"{"timestamp":1800000002,"event":"end","dismissal-date":1800000002}"#
        #expect(try send(end, type: "Game").status == 200)
        #expect(try send(end, token: token).appleError == "410 Unregistered")
    }

    @Test func `a device that a message made takes every well-formed Live Activity token`() {
        let fixture = EngineFixture()
        let unknown = String(repeating: "ab", count: 80)
        let event = #""payload":{"aps":{"timestamp":1,"event":"end"}}"#
        let target = #""token":"\#(EngineFixture.fcmToken)""#
        for _ in 0..<2 {
            let apns = #""apns":{"live_activity_token":"\#(unknown)",\#(event)}"#
            #expect(fixture.message("\(target),\(apns)").status == 200)
        }
        let malformed = fixture.message(#"\#(target),"apns":{"live_activity_token":"xyz",\#(event)}"#)
        #expect(malformed.appleError == "400 BadDeviceToken")
    }
}
