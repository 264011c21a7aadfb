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
}
