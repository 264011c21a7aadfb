import APNs
import Devices
import PushCore
import Testing

@testable import PushEngine

/// Pushes to the other kinds of tokens, from the provider to the phone.
@Suite struct OtherTokenPushTests {
    private static func token(_ kind: TokenKind, _ fixture: EngineFixture) -> String {
        fixture.device("d").otherTokens[kind]?.hex ?? ""
    }

    private static func topic(_ kind: TokenKind) -> String { EngineFixture.app + APNsPushType(for: kind).suffix }

    @discardableResult private static func push(
        _ kind: TokenKind, _ fixture: EngineFixture, _ fields: [String: String] = [:]
    ) -> EngineFixture.Answer {
        let type = ["apns-push-type": APNsPushType(for: kind).rawValue].merging(fields) { $1 }
        return fixture.push(token(kind, fixture), topic: topic(kind), type, body: "{}")
    }

    @Test(arguments: TokenKind.allCases) func `a token is for the topic of its kind alone`(kind: TokenKind) {
        let fixture = EngineFixture()
        fixture.make("d")
        #expect(Self.push(kind, fixture).status == 200)
        // Without a push type, the topic says which kind it is.
        _ = fixture.takeEvents()
        #expect(Self.push(kind, fixture, ["apns-push-type": ""]).status == 200)
        #expect(fixture.takeShown().contains { $0.hasPrefix("callback p2 d ios.") })
        for other in TokenKind.allCases where other != kind {
            let answer = fixture.push(Self.token(kind, fixture), topic: Self.topic(other), body: "{}")
            #expect(answer.description == "400 DeviceTokenNotForTopic", "\(other)")
        }
        #expect(fixture.push(Self.token(kind, fixture)).description == "400 DeviceTokenNotForTopic")
        #expect(fixture.push(fixture.apnsToken("d"), topic: Self.topic(kind)).reason == "DeviceTokenNotForTopic")
        #expect(fixture.push(Self.token(kind, fixture), topic: "com.example.other").status == 400)
    }

    @Test func `an unknown token gets the pushes of every kind`() {
        let fixture = EngineFixture()
        for kind in TokenKind.allCases {
            let type = ["apns-push-type": APNsPushType(for: kind).rawValue]
            #expect(fixture.push(EngineFixture.token, topic: Self.topic(kind), type, body: "{}").status == 200)
            #expect(fixture.takeShown().contains { $0.hasPrefix("callback ") }, "\(kind)")
        }
    }

    @Test func `a push of each kind waits separately`() {
        let fixture = EngineFixture()
        fixture.make("d")
        fixture.set("d", #"{"online":false}"#)
        fixture.push(to: "d")
        for kind in TokenKind.allCases { Self.push(kind, fixture) }
        Self.push(.voip, fixture)
        #expect(fixture.take().suffix(1) == ["dropped p2 d apns.overwritten by p8"])
        fixture.set("d", #"{"online":true}"#)
        let delivered = fixture.take().filter { $0.hasPrefix("delivered") }
        #expect(delivered.map { String($0.split(separator: " ")[1]) } == ["p1", "p8", "p3", "p4", "p5", "p6", "p7"])
    }

    @Test func `a replaced or deleted token gets 410, and so do all of an app that was removed`() {
        let fixture = EngineFixture()
        fixture.make("d")
        let old = Self.token(.voip, fixture)
        _ = fixture.take()
        #expect(fixture.perform(.rotateToken(.apns, .voip), on: "d") == nil)
        #expect(fixture.take() == ["token d provider=apns kind=voip cause=rotate"])
        #expect(fixture.push(old, topic: Self.topic(.voip), body: "{}").description == "410 Unregistered")
        #expect(Self.push(.voip, fixture).status == 200)
        let current = Self.token(.voip, fixture)
        #expect(fixture.perform(.deleteToken(.apns, .voip), on: "d") == nil)
        #expect(fixture.perform(.deleteToken(.apns, .voip), on: "d")?.message == "The device has no voip token.")
        #expect(fixture.push(current, topic: Self.topic(.voip), body: "{}").status == 410)
        #expect(fixture.perform(.rotateToken(.fcm, .voip), on: "d")?.pointer == "/provider")
        let location = Self.token(.location, fixture)
        fixture.uninstall("d")
        #expect(fixture.push(location, topic: Self.topic(.location), body: "{}").status == 410)
        fixture.install("d")
        #expect(Self.token(.location, fixture) != location && !Self.token(.voip, fixture).isEmpty)
        fixture.delete("d")
        #expect(fixture.push(location, topic: Self.topic(.location), body: "{}").status == 200)
    }

    @Test func `an Android phone has no such tokens`() {
        let fixture = EngineFixture()
        fixture.make("d", .android)
        #expect(
            fixture.perform(.rotateToken(.apns, .voip), on: "d")?.message == "Only an iOS device has APNs tokens.")
    }
}
