import Devices
import PushCore
import Testing

@testable import PushEngine

/// What becomes of an accepted message on its way to a device.
@Suite struct MessageTransitTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let platform: Device.Platform
        let state: String
        let members: String
        let event: String
        var testDescription: String { "\(platform) \(state) \(members)" }

        init(_ platform: Device.Platform, _ state: String, _ members: String, _ event: String) {
            (self.platform, self.state, self.members, self.event) = (platform, state, members, event)
        }
    }

    static let data = #""data":{"a":"b"}"#
    static let rows: [Row] = [
        Row(.android, "{}", data, "delivered p1 d fcm.delivered"),
        Row(.android, #"{"online":false}"#, data, "stored p1 d fcm.pending"),
        Row(.android, #"{"online":false}"#, #""android":{"ttl":"0s"}"#, "dropped p1 d fcm.ttl-expired"),
        Row(.android, #"{"online":false}"#, #""android":{"ttl":"10s"}"#, "stored p1 d fcm.pending"),
        Row(.android, #"{"doze":true}"#, data, "stored p1 d fcm.pending"),
        Row(.android, #"{"doze":true}"#, #""android":{"priority":"HIGH"}"#, "delivered p1 d fcm.delivered"),
        Row(.android, #"{"doze":true}"#, #""android":{"priority":"NORMAL"}"#, "stored p1 d fcm.pending"),
        Row(.android, #"{"doze":true}"#, #""notification":{"title":"a"}"#, "delivered p1 d fcm.delivered"),
        Row(.android, #"{"doze":true}"#, #""android":{"ttl":"0s"}"#, "dropped p1 d fcm.ttl-expired"),
        Row(.android, #"{"forceStopped":true}"#, data, "stored p1 d fcm.pending"),
        Row(.android, #"{"forceStopped":true}"#, #""android":{"ttl":"0s"}"#, "dropped p1 d fcm.force-stopped"),
        Row(.android, #"{"directBoot":true}"#, data, "stored p1 d fcm.pending"),
        Row(.android, #"{"directBoot":true}"#, #""android":{"directBootOk":true}"#, "delivered p1 d fcm.delivered"),
        Row(
            .android, "{}", #""android":{"restrictedPackageName":"com.example.app"}"#, "delivered p1 d fcm.delivered"),
        // To an iPhone a message goes Apple's way.
        Row(.ios, "{}", data, "delivered p1 d apns.delivered"),
        Row(.ios, #"{"online":false}"#, data, "stored p1 d apns.stored-offline"),
        Row(
            .ios, #"{"online":false}"#, #""apns":{"headers":{"apns-expiration":"0"},"payload":{"aps":{"alert":"a"}}}"#,
            "dropped p1 d apns.discarded-expired"),
        Row(
            .ios, #"{"lowPower":true}"#, #""apns":{"headers":{"apns-priority":"5"},"payload":{"aps":{"alert":"a"}}}"#,
            "stored p1 d apns.stored-power"),
        Row(
            .ios, #"{"permission":"denied"}"#, #""notification":{"title":"a"}"#, "dropped p1 d apns.discarded-disabled"),
        Row(.ios, "{}", #""android":{"restrictedPackageName":"b"}"#, "delivered p1 d apns.delivered"),
        // To a browser by its push service.
        Row(.web, "{}", data, "delivered p1 d fcm.delivered"),
        Row(.web, #"{"online":false}"#, data, "stored p1 d fcm.pending"),
        Row(.web, #"{"online":false}"#, #""webpush":{"headers":{"TTL":"0"}}"#, "dropped p1 d fcm.ttl-expired"),
        Row(.web, "{}", #""android":{"restrictedPackageName":"b"}"#, "delivered p1 d fcm.delivered"),
    ]

    @Test(arguments: rows) func `the platform, the state and the message decide about delivery`(row: Row) {
        let fixture = EngineFixture()
        fixture.silently {
            fixture.make("d", row.platform)
            fixture.set("d", row.state)
        }
        #expect(fixture.message(to: "d", row.members).status == 200)
        #expect(fixture.take() == ["accepted p1 d 200", row.event])
    }

    @Test func `a package restricts a token at once, and the devices of a topic one by one`() {
        let fixture = EngineFixture()
        fixture.silently {
            fixture.make("d", .android)
            fixture.subscribe("d", to: "news")
        }
        let package = #""android":{"restrictedPackageName":"b"}"#
        #expect(fixture.message(to: "d", package).description == "400 INVALID_ARGUMENT")
        #expect(fixture.take().count == 1)
        #expect(fixture.message(#""topic":"news",\#(package)"#).status == 200)
        fixture.finish()
        #expect(fixture.take().last == "dropped p2 d fcm.restricted-package")
    }

    @Test func `the same body is read separately for each platform`() {
        // The engine remembers the last body; a device of another platform must not get its reading.
        let fixture = EngineFixture()
        for (id, platform) in [("i", Device.Platform.ios), ("a", .android), ("w", .web)] {
            fixture.make(id, platform)
            fixture.subscribe(id, to: "news")
        }
        fixture.message(#""topic":"news","notification":{"title":"both"},"apns":{"payload":{"aps":{"badge":7}}}"#)
        fixture.finish()
        #expect(fixture.device("i").phone.badge == 7)
        #expect(fixture.device("a").phone.badge == 0)
        for id in ["i", "a"] { #expect(fixture.device(id).phone.shade.entries.count == 1) }
        // The same by Apple means something else.
        fixture.push(to: "i", body: #"{"aps":{"badge":9}}"#)
        #expect(fixture.device("i").phone.badge == 9)
    }
}
