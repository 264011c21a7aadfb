import APNs
import Devices
import FCM
import JSON
import PushCore
import Testing

@testable import PushEngine

/// Messages to iPhones: what Apple would refuse, Google refuses.
@Suite struct AppleRelayTests {
    private static let notification = #""notification":{"title":"t"}"#
    private static let longKey = String(repeating: "k", count: 65)
    private static let unknownActivity = String(repeating: "ab", count: 80)

    /// The members of `apns`, and the reason of Apple that is in the answer.
    static let refusals: [(apns: String, reason: String)] = [
        (#""headers":{"apns-priority":"7"}"#, "400 BadPriority"),
        (#""headers":{"Apns-Priority":""}"#, "400 BadPriority"),
        (#""headers":{"apns-collapse-id":"\#(longKey)"}"#, "400 BadCollapseId"),
        (#""headers":{"apns-push-type":"foo"}"#, "400 InvalidPushType"),
        (#""headers":{"apns-push-type":"liveactivity"}"#, "400 InvalidPushType"),
        (#""headers":{"apns-push-type":"voip"}"#, "400 DeviceTokenNotForTopic"),
        (#""headers":{"apns-expiration":"soon"}"#, "400 BadExpirationDate"),
        (#""headers":{"apns-expiration":"-1"}"#, "400 BadExpirationDate"),
        (#""headers":{"apns-id":"1"}"#, "400 BadMessageId"),
        (#""headers":{"apns-topic":"com.example.other"}"#, "400 DeviceTokenNotForTopic"),
        (#""headers":{"apns-topic":"com.example.app.voip"}"#, "400 DeviceTokenNotForTopic"),
        (#""headers":{"apns-topic":"a b"}"#, "400 BadTopic"),
        (#""live_activity_token":"\#(unknownActivity)""#, "400 BadDeviceToken"),
        (#""live_activity_token":"no token""#, "400 BadDeviceToken"),
        (#""live_activity_token":"dead0410""#, "410 Unregistered"),
        (#""live_activity_token":"dead0503""#, "503 ServiceUnavailable"),
        (#""live_activity_token":"OWN""#, "400 DeviceTokenNotForTopic"),
    ]

    @Test(arguments: refusals) func `a push that Apple refuses is an invalid argument`(
        row: (apns: String, reason: String)
    ) {
        let fixture = EngineFixture()
        fixture.silently { fixture.make("d") }
        let apns = row.apns.replacing("OWN", with: fixture.apnsToken("d"))
        let answer = fixture.message(to: "d", #"\#(Self.notification),"apns":{\#(apns)}"#)
        #expect(answer.appleError == row.reason)
        let status = row.reason.hasPrefix("503") ? "503 UNAVAILABLE" : "400 INVALID_ARGUMENT"
        #expect(answer.description == status)
        let word = row.reason.split(separator: " ").last ?? ""
        #expect(fixture.take() == ["refused p1 apns.\(word) \(status)"])
    }

    @Test func `the answer has the quoted texts`() {
        let fixture = EngineFixture()
        fixture.make("d")
        let details =
            #""details":[{"@type":"type.googleapis.com/google.firebase.fcm.v1.FcmError","#
            + #""errorCode":"INVALID_ARGUMENT"},{"@type":"type.googleapis.com/google.firebase.fcm.v1.ApnsError","#
        func body(_ apns: String) -> String {
            fixture.message(to: "d", #"\#(Self.notification),"apns":{\#(apns)}"#).text.filter { !"\n".contains($0) }
                .replacing("  ", with: "").replacing(": ", with: ":")
        }
        #expect(
            body(#""headers":{"apns-topic":"com.example.other"}"#)
                == #"{"error":{"code":400,"message":"Request contains an invalid argument.","#
                + #""status":"INVALID_ARGUMENT",\#(details)"statusCode":400,"reason":"DeviceTokenNotForTopic"}]}}"#)
        #expect(
            body(#""live_activity_token":"dead0410""#)
                == #"{"error":{"code":400,"message":"APNs device token is disabled.","#
                + #""status":"INVALID_ARGUMENT",\#(details)"statusCode":410,"reason":"Unregistered"}]}}"#)
    }

    @Test(
        arguments: [
            #""headers":{"apns-priority":"1","apns-collapse-id":"k","apns-expiration":"0"}"#,
            #""headers":{"apns-topic":"com.example.app","apns-push-type":"alert","x":"y"}"#,
            #""headers":{"apns-id":"7A5B6C7D-0000-4000-8000-000000000000"}"#, #""live_activity_token":"""#,
        ]) func `what Apple takes is accepted`(apns: String)
    {
        let fixture = EngineFixture()
        fixture.make("d")
        #expect(fixture.message(to: "d", #"\#(Self.notification),"apns":{\#(apns)}"#).status == 200)
        #expect(fixture.take().last?.hasPrefix("delivered p1 d") == true)
    }

    @Test(arguments: ["my app", "com.example.voip", "ü"])
    func `the name of a device's app need not be a topic`(app: String) throws {
        let fixture = EngineFixture()
        #expect(fixture.make("d", app: app))
        #expect(fixture.message(to: "d", Self.notification).status == 200)
        let token = try #require(fixture.device("d").activityToken?.hex)
        let event = #""payload":{"aps":{"timestamp":1,"event":"end"}}"#
        #expect(fixture.message(to: "d", #""apns":{"live_activity_token":"\#(token)",\#(event)}"#).status == 200)
    }

    @Test func `Google refuses nothing for Android, browsers, topics and dry runs`() {
        let fixture = EngineFixture()
        for (id, platform) in [("d", .ios), ("a", .android), ("w", .web)] as [(String, Device.Platform)] {
            fixture.make(id, platform)
        }
        fixture.subscribe("d", to: "news")
        let members = #"\#(Self.notification),"apns":{"headers":{"apns-priority":"7"}}"#
        #expect(fixture.message(to: "a", members).status == 200)
        #expect(fixture.message(to: "w", members).status == 200)
        #expect(fixture.message(#""topic":"news",\#(members)"#).status == 200)
        #expect(fixture.message(#""token":"\#(fixture.fcmToken("d"))",\#(members)"#, isDryRun: true).status == 200)
        #expect(fixture.message(to: "d", members).status == 400)
        #expect(fixture.message(#""fid":"\#(fixture.device("d").fid)",\#(members)"#).status == 400)
    }

    @Test func `the payload may have 4096 bytes with all that Google adds`() throws {
        let fixture = EngineFixture()
        fixture.make("d")
        func members(_ count: Int) -> String { #""data":{"k":"\#(String(repeating: "x", count: count))"}"# }
        let answer = fixture.message(to: "d", members(1))
        let token = fixture.fcmToken("d")
        var payload = try #require(FCMPayload(Array(#"{"message":{"token":"\#(token)",\#(members(1))}}"#.utf8)))
        payload.name = answer.json?["name"]?.string?.split(separator: "/").last.map(String.init) ?? ""
        payload.fid = fixture.device("d").fid
        var json = JSONWriter()
        payload.writeApple(to: &json)
        let room = 4096 - json.finish().count
        #expect(fixture.message(to: "d", members(1 + room)).status == 200)
        let tooLarge = fixture.message(to: "d", members(2 + room))
        #expect(tooLarge.description == "400 INVALID_ARGUMENT")
        #expect(tooLarge.appleError == "413 PayloadTooLarge")
    }

    @Test func `an unknown token takes its app from the topic, and keeps it`() {
        let fixture = EngineFixture()
        func message(_ headers: String) -> EngineFixture.Answer {
            fixture.message(#""token":"\#(EngineFixture.fcmToken)","apns":{"headers":{\#(headers)}}"#)
        }
        #expect(message(#""apns-priority":"7""#).status == 400)
        #expect(fixture.engine.devices.count == 0)
        #expect(message(#""apns-topic":"com.example.one""#).status == 200)
        #expect(fixture.device("d1").app == "com.example.one")
        #expect(message("").status == 200)
        #expect(message(#""apns-topic":"com.example.two""#).appleError == "400 DeviceTokenNotForTopic")
    }

    @Test func `a device without a known app takes every topic`() {
        let fixture = EngineFixture()
        for topic in ["", #""apns-topic":"com.example.one""#, #""apns-topic":"com.example.two""#] {
            let apns = #""apns":{"headers":{\#(topic)}}"#
            #expect(fixture.message(#""token":"\#(EngineFixture.fcmToken)",\#(apns)"#).status == 200)
        }
        #expect(fixture.device("d1").app == EngineFixture.project)
    }

    @Test func `strict refuses a payload that no phone can use, and service accepts it with a finding`() {
        let apns = #""apns":{"payload":{"aps":{"alert":"x","interruption-level":5,"mutable_content":1}}}"#
        let strict = EngineFixture()
        strict.make("d")
        let answer = strict.message(to: "d", apns)
        #expect(answer.description == "400 INVALID_ARGUMENT")
        #expect(answer.appleError == nil)
        let violation = answer.json?["error"]?["details"]?[0]?["fieldViolations"]?[0]
        #expect(violation?["field"]?.string == "message.apns.payload.aps.interruption-level")
        #expect(strict.lastFindings.contains("aps.wrong-type"))
        let service = EngineFixture { $0.apns.validation = .service }
        service.make("d")
        #expect(service.message(to: "d", apns).status == 200)
        let findings = service.lastRecord?.findings.map { "\($0.path) \($0.rule)" } ?? []
        #expect(findings.contains("/message/apns/payload/aps/interruption-level aps.wrong-type"))
    }

    @Test(arguments: [(#","apns-priority":"10""#, true), ("", false)])
    func `a priority that contradicts the push type is noted if the sender has written it`(
        priority: String, isNoted: Bool
    ) {
        let fixture = EngineFixture()
        fixture.make("d")
        let payload = #"{"aps":{"content-available":1,"badge":1}}"#
        let apns = #""headers":{"apns-push-type":"background"\#(priority)},"payload":\#(payload)"#
        #expect(fixture.message(to: "d", #""apns":{\#(apns)}"#).status == 200)
        let findings = fixture.lastRecord?.findings.map { "\($0.path) \($0.rule)" } ?? []
        #expect(findings.contains("/message/apns/headers/apns-priority background.priority-10") == isNoted)
    }
}
