import APNs
import Devices
import FCM
import PushCore
import Testing

@testable import PushEngine

/// What exactly was wrong with a refused push: the journal has it, for `pushpit send` and `GET /messages`.
@Suite struct CauseTests {
    /// The findings of the last push, as `RULE at PLACE: TEXT`.
    private static func findings(_ fixture: EngineFixture) -> [String] {
        (fixture.lastRecord?.findings ?? []).filter { $0.rule != RuleID("auth.unknown-bearer") }
            .map { "\($0.rule) at \($0.path): \($0.message)" }
    }

    @Test func `a provider token with an unknown key is refused with its key id`() {
        let fixture = EngineFixture { $0.apns.auth = .strict }
        let token = EngineFixture.providerToken(issuedAt: fixture.now.seconds, key: "ZZZZZ12345")
        #expect(fixture.push(["authorization": "bearer \(token)"]).reason == "InvalidProviderToken")
        #expect(
            Self.findings(fixture) == [
                "apns.InvalidProviderToken at headers/authorization: The key id ZZZZZ12345 is unknown; add the key with --apns-key."
            ])
    }

    @Test func `a push without a topic is refused with the place of the topic`() {
        let fixture = EngineFixture()
        #expect(fixture.push([:], topic: "").reason == "MissingTopic")
        #expect(
            Self.findings(fixture) == [
                "apns.MissingTopic at headers/apns-topic: apns-topic is missing, and the client has no certificate that names one."
            ])
    }

    @Test func `a gateway without room says so`() {
        let fixture = EngineFixture { $0.waitingByteCapacity = 0 }
        fixture.make("a")
        fixture.set("a", #"{"online":false}"#)
        #expect(fixture.push(to: "a").reason == "ServiceUnavailable")
        #expect(
            Self.findings(fixture) == [
                "apns.ServiceUnavailable at : Too many pushes wait for devices that are offline; bring some of them online."
            ])
    }

    @Test func `a magic token of APNs is named under its own rule`() {
        let fixture = EngineFixture()
        #expect(fixture.push("dead0503" + String(repeating: "0", count: 56)).reason == "ServiceUnavailable")
        #expect(fixture.lastRecord?.status == 503)
        #expect(
            Self.findings(fixture) == [
                "fault.magic-token at headers/:path: The token begins with dead050300, which asks for this answer."
            ])
    }

    /// A message, and its finding. Each finding is about `/message`, except for magic tokens.
    static let messages: [(String, String)] = [
        (
            #""token":"quota-exceeded:1""#,
            "fault.magic-token at /message/token: The token begins with 'quota-exceeded:', which asks for this answer."
        ),
        (
            #""token":"TOKEN","apns":{"payload":{"aps":{"badge":"1"}}}"#,
            "fcm.aps-type at /message/apns/payload/aps/badge: 'badge' in aps must be a number, but it is a string."
        ),
        (
            #""token":"TOKEN","apns":{"payload":{"aps":{"alert":{"title":true}}}}"#,
            "fcm.aps-type at /message/apns/payload/aps/alert/title: 'title' in aps must be a string, but it is true or false."
        ),
        (
            #""token":"TOKEN","data":{"a":"\#(String(repeating: "x", count: 4506))"}"#,
            "fcm.too-large at /message: The keys and values of the message have 4507 bytes in all, and at most 4506 are accepted."
        ),
        (
            #""token":"TOKEN","data":{"google.a":"1"}"#,
            "fcm.reserved-key at /message/data: message.data has the reserved key 'google.a'."
        ),
    ]

    @Test(arguments: messages) func `a refused message is recorded with its cause`(members: String, finding: String) {
        let fixture = EngineFixture()
        fixture.silently { fixture.make("d", .android) }
        #expect(fixture.message(members.replacing("TOKEN", with: fixture.fcmToken("d"))).status >= 400)
        #expect(Self.findings(fixture) == [finding])
    }

    @Test func `the answers about quotas say which quota it is and how long to wait`() {
        let fixture = EngineFixture { $0.enforcesQuotas = true }
        fixture.make("a", .android)
        for _ in 0..<240 { fixture.message(to: "a") }
        fixture.advance(50)
        #expect(fixture.message(to: "a").status == 429)
        let text = Self.findings(fixture).joined()
        #expect(text.contains("/message: The device gets more than 240 messages in a minute; wait 20"), "\(text)")
        #expect(text.hasSuffix(" ms (--quotas real)."), "\(text)")
        fixture.subscribe("a", to: "news")
        for _ in 0...1000 { fixture.message(#""topic":"news""#) }
        #expect(
            Self.findings(fixture) == [
                "fcm.QUOTA_EXCEEDED at /message: The project \(EngineFixture.project) has 1000 messages to topics and conditions "
                    + "in transit; wait until one has arrived (--quotas real)."
            ])
        var isFree = true
        while isFree { isFree = fixture.engine.quotas?.take(from: EngineFixture.project, at: fixture.now) ?? false }
        fixture.message(to: "a")
        #expect(
            Self.findings(fixture) == [
                "fcm.project-quota at /message: The project \(EngineFixture.project) sent more than 600,000 requests in a minute; "
                    + "wait 60 s (--quotas real)."
            ])
    }
}
