import APNs
import Devices
import PushCore
import Testing

@testable import PushEngine

/// What Apple and iPhones do with accepted messages to iPhones, beside refusing them.
@Suite struct AppleFindingsTests {
    private static let critical = #""aps":{"alert":"x","interruption-level":"critical","sound":"default"}"#

    /// The members of `apns`, and the finding, for a message to one iPhone and to a topic.
    @Test(
        arguments: [
            (
                #""headers":{"apns-expiration":"3600"}"#,
                "/message/apns/headers/apns-expiration apns.expiration-lifetime"
            ),
            (
                #""headers":{"Apns-Expiration":"1800000000000"}"#,
                "/message/apns/headers/apns-expiration apns.expiration-milliseconds"
            ),
            (
                #""headers":{"apns-expiration":"1600000000"}"#,
                "/message/apns/headers/apns-expiration apns.expiration-past"
            ),
            (#""payload":{\#(critical)}"#, "/message/apns/payload/aps/sound aps.critical-without-critical-sound"),
        ]) func `mistakes in the part for Apple are found, whatever the target`(apns: String, finding: String)
    {
        for target in ["token", "topic"] {
            let fixture = EngineFixture()
            fixture.make("d")
            let address = target == "token" ? fixture.fcmToken("d") : "news"
            let message = #""\#(target)":"\#(address)","notification":{"title":"t"},"apns":{\#(apns)}"#
            #expect(fixture.message(message).status == 200)
            let findings = fixture.lastRecord?.findings.map { "\($0.path) \($0.rule)" } ?? []
            #expect(findings.contains(finding), "\(target): \(findings)")
        }
    }

    @Test func `a message to a topic without a part for Apple has no such findings`() {
        let fixture = EngineFixture()
        fixture.message(#""topic":"news","notification":{"title":"t"}"#)
        #expect(fixture.lastFindings == ["auth.unknown-bearer", "fcm.no-subscribers"])
    }

    private static let silent = #""payload":{"aps":{"content-available":1}}"#
    private static let shown = #""payload":{"aps":{"content-available":1,"alert":"x"}}"#

    /// The members of `apns`, and why Apple drops the push.
    static let drops: [(apns: String, why: String?)] = [
        (silent, nil), (#""headers":{"apns-priority":"5"},\#(silent)"#, nil),
        (#""headers":{"apns-priority":"10"},\#(shown)"#, nil),
        (#""headers":{"apns-push-type":"background","apns-priority":"5"},\#(silent)"#, nil),
        (#""headers":{"apns-push-type":"background"},\#(silent)"#, nil),
        (#""headers":{"apns-priority":"10"},\#(silent)"#, "apns.background-priority"),
        (#""headers":{"apns-push-type":"background"},\#(shown)"#, "apns.wrong-push-type"),
        (#""headers":{"apns-push-type":"alert","apns-priority":"5"},\#(silent)"#, "apns.wrong-push-type"),
    ]

    @Test(arguments: drops) func `Apple drops what the sender's own fields make a mistake`(
        row: (apns: String, why: String?)
    ) {
        let fixture = EngineFixture()
        fixture.silently {
            fixture.make("d")
            fixture.make("a", .android)
            for id in ["d", "a"] { fixture.subscribe(id, to: "news") }
        }
        #expect(fixture.message(#""topic":"news","data":{"a":"b"},"apns":{\#(row.apns)}"#).status == 200)
        fixture.finish()
        let events = fixture.take()
        #expect(events.contains(row.why.map { "dropped p1 d \($0)" } ?? "delivered p1 d apns.delivered"), "\(events)")
        #expect(events.contains("delivered p1 a fcm.delivered"))
    }

    @Test func `Google has answered a message to a topic already, so a refusal drops it`() {
        let fixture = EngineFixture { $0.apns.backgroundPriority = .reject }
        fixture.silently {
            fixture.make("d")
            fixture.subscribe("d", to: "news")
        }
        let apns = #""headers":{"apns-priority":"10"},\#(Self.silent)"#
        #expect(fixture.message(#""topic":"news","data":{"a":"b"},"apns":{\#(apns)}"#).status == 200)
        fixture.finish()
        #expect(fixture.take().contains("dropped p1 d apns.background-priority"))
    }

    @Test func `the choices for pushes over APNs hold for messages too`() {
        let fixture = EngineFixture {
            $0.apns.backgroundPriority = .accept
            $0.apns.choices = [.wrongPushType]
        }
        fixture.silently {
            fixture.make("d")
            fixture.subscribe("d", to: "news")
        }
        for row in Self.drops {
            fixture.message(#""topic":"news","data":{"a":"b"},"apns":{\#(row.apns)}"#)
            fixture.finish()
            #expect(fixture.take().last?.hasSuffix(" d apns.delivered") == true)
        }
    }
}
