import Devices
import PushCore
import Testing

@testable import PushEngine

/// Browsers that are closed, or whose site lost the permission to show notifications (docs/evidence/fcm.md §5.4).
@Suite struct BrowserTests {
    private static func fixture(_ state: String = "{}") -> EngineFixture {
        let fixture = EngineFixture()
        fixture.silently {
            fixture.make("w", .web)
            fixture.set("w", state)
        }
        return fixture
    }

    @Test(arguments: ["denied", "notDetermined"])
    func `the token of a browser ends with the permission`(permission: String) {
        let fixture = Self.fixture()
        fixture.subscribe("w", to: "news")
        let token = fixture.fcmToken("w")
        fixture.set("w", #"{"permission":"\#(permission)"}"#)
        #expect(fixture.fcmToken("w").isEmpty)
        #expect(fixture.device("w").topics.isEmpty)
        #expect(fixture.message(#""token":"\#(token)","data":{"a":"b"}"#).status == 404)
        // The person allows notifications again, and the page gets another token.
        fixture.set("w", #"{"permission":"authorized"}"#)
        let new = fixture.fcmToken("w")
        #expect(!new.isEmpty && new != token)
        #expect(fixture.message(#""token":"\#(new)","data":{"a":"b"}"#).status == 200)
        #expect(fixture.message(#""token":"\#(token)","data":{"a":"b"}"#).status == 404)
    }

    @Test func `a phone keeps its token without permission`() {
        let fixture = EngineFixture()
        for (id, platform) in [("a", Device.Platform.android), ("i", .ios)] {
            fixture.make(id, platform)
            fixture.set(id, #"{"permission":"denied"}"#)
            #expect(!fixture.fcmToken(id).isEmpty)
        }
    }

    @Test(arguments: [#"{"online":false}"#, #"{"app":"terminated"}"#])
    func `a browser that is offline or closed unsubscribes when it is back`(state: String) {
        let fixture = Self.fixture(state)
        let token = fixture.fcmToken("w")
        fixture.set("w", #"{"permission":"denied"}"#)
        #expect(fixture.message(#""token":"\#(token)","data":{"a":"b"}"#).status == 200)
        fixture.set("w", #"{"online":true,"app":"background"}"#)
        #expect(fixture.message(#""token":"\#(token)","data":{"a":"b"}"#).status == 404)
    }

    @Test func `a token that the page deleted does not come back by itself`() {
        let fixture = Self.fixture()
        fixture.perform(.deleteToken(.fcm), on: "w")
        fixture.set("w", #"{"app":"foreground"}"#)
        #expect(fixture.fcmToken("w").isEmpty)
    }

    @Test func `a browser that was made without permission has no token`() {
        let fixture = EngineFixture()
        fixture.make("w", .web, #""state":{"permission":"denied"}"#)
        #expect(fixture.fcmToken("w").isEmpty)
    }

    @Test(arguments: ["terminated", "forceQuit"])
    func `a closed browser shows nothing until it is started`(app: String) {
        let fixture = Self.fixture(#"{"app":"\#(app)"}"#)
        fixture.message(to: "w", #""notification":{"title":"a"}"#)
        #expect(fixture.take() == ["accepted p1 w 200", "stored p1 w fcm.pending"])
        fixture.set("w", #"{"app":"background"}"#)
        #expect(fixture.take() == ["state w", "delivered p1 w fcm.delivered-late after 0"])
        #expect(fixture.device("w").phone.shade.count == 1)
    }

    @Test func `a browser that starts with the site in front shows the message in the page`() {
        let fixture = Self.fixture(#"{"app":"terminated"}"#)
        fixture.message(to: "w", #""notification":{"title":"a"}"#)
        fixture.perform(.launch, on: "w")
        #expect(fixture.device("w").phone.shade.count == 0)
        #expect(fixture.device("w").waitingPushes.isEmpty)
    }
}
