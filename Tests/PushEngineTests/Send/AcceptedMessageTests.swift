import Devices
import JSON
import PushCore
import Testing

@testable import PushEngine

/// The device and the name of a message, and messages that reach no device.
@Suite struct AcceptedMessageTests {
    /// The message, and the platform and app of the device that appears for an unknown token.
    @Test(
        arguments: [
            (#""data":{"a":"b"}"#, .android, EngineFixture.project),
            (#""android":{"restrictedPackageName":"com.example.app"}"#, .android, "com.example.app"),
            (#""apns":{"payload":{"aps":{"alert":"a"}}}"#, .ios, EngineFixture.project),
            (#""apns":{"payload":{"aps":{"alert":"a"}}},"webpush":{}"#, .android, EngineFixture.project),
        ] as [(String, Device.Platform, String)])
    func `a message to an unknown token makes a device`(members: String, platform: Device.Platform, app: String) {
        let fixture = EngineFixture()
        #expect(fixture.message(#""token":"\#(EngineFixture.fcmToken)",\#(members)"#).status == 200)
        #expect(fixture.device("d1").platform == platform)
        #expect(fixture.device("d1").app == app)
        #expect(fixture.device("d1").isImplicit)
        let events = fixture.take()
        #expect(events.prefix(2) == ["registered d1", "accepted p1 d1 200"])
        #expect(events.last?.hasPrefix("delivered p1 d1") == true)
        // Its installation id is known now.
        #expect(fixture.message(#""fid":"\#(fixture.device("d1").fid)",\#(members)"#).status == 200)
        #expect(fixture.engine.devices.count == 1)
    }

    @Test func `a device of another project is a mismatch, and one without a project accepts all`() {
        let fixture = EngineFixture()
        fixture.make("own", .android, #""project":"demo""#)
        fixture.make("other", .android, #""project":"other""#)
        fixture.make("any", .android)
        #expect(fixture.message(to: "own").status == 200)
        #expect(fixture.message(to: "other").description == "403 SENDER_ID_MISMATCH")
        #expect(fixture.message(to: "any").status == 200)
        #expect(fixture.message(to: "any", project: "third").status == 200)
    }

    @Test func `a dry run is accepted and reaches no device`() {
        let fixture = EngineFixture()
        fixture.silently { fixture.make("d", .android) }
        let answer = fixture.message(#""token":"\#(fixture.fcmToken("d"))""#, isDryRun: true)
        #expect(answer.status == 200)
        #expect(answer.json?["name"]?.string?.hasSuffix("/messages/fake_message_id") == true)
        #expect(fixture.take() == ["accepted p1 200"])
        // Neither does one to an unknown token make a device.
        fixture.message(#""token":"\#(EngineFixture.fcmToken)""#, isDryRun: true)
        #expect(fixture.engine.devices.count == 1)
    }

    @Test func `a message's name is its project's, and the event has it`() {
        let fixture = EngineFixture()
        fixture.make("d", .android)
        let answer = fixture.message(to: "d")
        let name = answer.json?["name"]?.string ?? ""
        #expect(name.hasPrefix("projects/demo/messages/0:"))
        #expect(name.hasSuffix(fixture.lastRecord?.name ?? "-"))
        #expect(fixture.lastRecord?.provider == .fcm)
        let again = EngineFixture()
        again.make("d", .android)
        #expect(again.message(to: "d").json?["name"]?.string == name)
    }

    @Test func `topics without subscribers are accepted with a finding`() {
        let fixture = EngineFixture()
        fixture.message(#""topic":"news""#)
        #expect(fixture.lastFindings.contains("fcm.no-subscribers"))
        fixture.message(#""condition":"'news' in topics""#)
        #expect(fixture.lastFindings.contains("fcm.no-subscribers"))
        #expect(fixture.take() == ["accepted p1 200", "accepted p2 200"])
        fixture.make("d", .android)
        fixture.subscribe("d", to: "news")
        fixture.message(#""topic":"news""#)
        #expect(!fixture.lastFindings.contains("fcm.no-subscribers"))
    }
}
