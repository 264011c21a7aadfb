import APNs
import Devices
import JSON
import PushCore
import Testing

@testable import FCM
@testable import PushEngine

/// Messages to topics and conditions: Google accepts them, and Apple refuses them for iPhones.
@Suite struct AppleFanOutTests {
    struct Row: Sendable, CustomStringConvertible {
        let apns: String
        let reason: String
        /// The end of the finding's path; nil if the path is the one of the message.
        let place: String?
        var description: String { "\(reason) \(apns.prefix(60))" }

        init(_ apns: String, _ reason: String, _ place: String?) {
            (self.apns, self.reason, self.place) = (apns, reason, place)
        }
    }

    private static func header(_ name: String, _ value: String) -> String { #""headers":{"\#(name)":"\#(value)"}"# }

    static let rows = [
        Row(header("apns-priority", "7"), "400 BadPriority", "headers/apns-priority"),
        Row(header("Apns-Priority", ""), "400 BadPriority", "headers/apns-priority"),
        Row(
            header("apns-collapse-id", String(repeating: "k", count: 65)), "400 BadCollapseId",
            "headers/apns-collapse-id"),
        Row(header("apns-push-type", "foo"), "400 InvalidPushType", "headers/apns-push-type"),
        Row(header("apns-push-type", "liveactivity"), "400 InvalidPushType", "headers/apns-push-type"),
        Row(header("apns-push-type", "voip"), "400 DeviceTokenNotForTopic", "headers/apns-push-type"),
        Row(header("apns-expiration", "soon"), "400 BadExpirationDate", "headers/apns-expiration"),
        Row(header("apns-expiration", "-1"), "400 BadExpirationDate", "headers/apns-expiration"),
        Row(header("apns-id", "1"), "400 BadMessageId", "headers/apns-id"),
        Row(header("apns-topic", "a b"), "400 BadTopic", "headers/apns-topic"),
        Row(header("apns-topic", ""), "400 MissingTopic", "headers/apns-topic"),
        Row(header("apns-topic", "com.example.app.voip"), "400 DeviceTokenNotForTopic", "headers/apns-topic"),
        Row(header("apns-topic", "com.example.other"), "400 DeviceTokenNotForTopic", "headers/apns-topic"),
        Row(#""live_activity_token":"no token""#, "400 BadDeviceToken", "live_activity_token"),
        Row(#""live_activity_token":"dead0410""#, "410 Unregistered", "live_activity_token"),
        Row(
            #""payload":{"aps":{"alert":"\#(String(repeating: "x", count: 4000))"}}"#, "413 PayloadTooLarge", nil),
    ]

    private static func members(_ apns: String) -> String { #""data":{"k":"v"},"apns":{\#(apns)}"# }

    /// An iPhone `i` and an Android phone `a` that are subscribed to `news`.
    private static func fixture(_ change: (inout EngineSettings) -> Void = { _ in }) -> EngineFixture {
        let fixture = EngineFixture(change)
        fixture.silently {
            fixture.make("i")
            fixture.make("a", .android)
            for id in ["i", "a"] { fixture.subscribe(id, to: "news") }
        }
        return fixture
    }

    static let targets = [#""topic":"news""#, #""condition":"'news' in topics""#]

    @Test(arguments: rows, targets) func `Google accepts it, iPhones drop it, and Android phones get it`(
        row: Row, target: String
    ) throws {
        let fixture = Self.fixture()
        #expect(fixture.message("\(target),\(Self.members(row.apns))").status == 200)
        let finding = try #require(fixture.lastRecord?.findings.last)
        #expect(finding.rule.description == "fcm.refused-by-apple" && finding.severity == .warning)
        #expect(finding.path == "/message" + (row.place.map { "/apns/\($0)" } ?? ""))
        #expect(finding.message.contains(" with \(row.reason)"), "\(finding.message)")
        fixture.finish()
        let word = row.reason.split(separator: " ").last ?? ""
        let events = fixture.take().dropFirst()
        #expect(events.sorted() == ["delivered p1 a fcm.delivered", "dropped p1 i apns.\(word)"])
        #expect(fixture.device("i").phone.shade.entries.isEmpty)
    }

    @Test(arguments: rows) func `of messages to single tokens, only the one to the iPhone is refused`(row: Row) {
        let fixture = Self.fixture()
        let answer = fixture.message(to: "i", Self.members(row.apns))
        #expect(answer.appleError == row.reason && answer.status == 400)
        #expect(fixture.message(to: "a", Self.members(row.apns)).status == 200)
        #expect(!fixture.lastFindings.contains("fcm.refused-by-apple"))
        #expect(fixture.take().last == "delivered p2 a fcm.delivered")
    }

    @Test(
        arguments: [
            #""headers":{"apns-priority":"1","apns-collapse-id":"k","apns-expiration":"0"}"#,
            #""headers":{"apns-topic":"com.example.app"}"#, #""live_activity_token":"""#,
            // Only `strict` refuses this payload, and Apple accepts it.
            #""payload":{"aps":{"alert":"x","interruption-level":5}}"#,
        ], targets) func `what Apple takes is delivered`(apns: String, target: String)
    {
        let fixture = Self.fixture()
        #expect(fixture.message("\(target),\(Self.members(apns))").status == 200)
        #expect(!fixture.lastFindings.contains("fcm.refused-by-apple"))
        fixture.finish()
        #expect(fixture.take().contains("delivered p1 i apns.delivered"))
    }

    @Test func `apns-topic decides for each iPhone by its app`() throws {
        let fixture = Self.fixture()
        fixture.silently {
            fixture.make("other", app: "com.example.other")
            fixture.subscribe("other", to: "news")
            fixture.message(#""token":"\#(EngineFixture.fcmToken)","apns":{}"#)
            fixture.subscribe("d1", to: "news")
        }
        fixture.message(#""topic":"news",\#(Self.members(Self.header("apns-topic", "com.example.app")))"#)
        let finding = try #require(fixture.lastRecord?.findings.last)
        #expect(finding.path == "/message/apns/headers/apns-topic")
        #expect(finding.message.contains("whose app is not 'com.example.app', such as 'other'"))
        fixture.finish()
        let events = fixture.take().dropFirst().sorted()
        // The app of `d1` is unknown, because no message named it.
        #expect(
            events == [
                "delivered p2 a fcm.delivered", "delivered p2 d1 apns.delivered", "delivered p2 i apns.delivered",
                "dropped p2 other apns.DeviceTokenNotForTopic",
            ])
    }

    @Test(arguments: [#""apns":{},"#, ""])
    func `the payload may have 4096 bytes with all that Google adds`(_ apns: String) throws {
        let fixture = Self.fixture()
        func members(_ count: Int) -> String {
            #""topic":"news",\#(apns)"data":{"k":"\#(String(repeating: "x", count: count))"}"#
        }
        let answer = fixture.message(members(1))
        var payload = try #require(FCMPayload(Array(#"{"message":{\#(members(1))}}"#.utf8)))
        payload.name = answer.json?["name"]?.string?.split(separator: "/").last.map(String.init) ?? ""
        payload.fid = fixture.device("i").fid
        var json = JSONWriter()
        payload.writeApple(to: &json)
        let room = 4096 - json.finish().count
        fixture.message(members(1 + room))
        #expect(!fixture.lastFindings.contains("fcm.refused-by-apple"))
        fixture.message(members(2 + room))
        #expect(fixture.lastFindings.contains("fcm.refused-by-apple"))
    }

    @Test func `a dry run does not have the finding`() {
        let fixture = Self.fixture()
        fixture.message(#""topic":"news",\#(Self.members(Self.header("apns-priority", "7")))"#, isDryRun: true)
        #expect(!fixture.lastFindings.contains("fcm.refused-by-apple"))
    }

    @Test(arguments: [("apns-priority", "7", "apns.BadPriority"), ("apns-topic", "a.b", "apns.DeviceTokenNotForTopic")])
    func `an iPhone drops it after a restart, too`(name: String, value: String, why: String) throws {
        var (saved, fixture) = (SavedRecords(), EngineFixture.saving())
        fixture.make("i", .ios)
        fixture.subscribe("i", to: "news")
        try fixture.fault(#"{"effect":{"deliverAfter":"1h"}}"#)
        fixture.message(#""topic":"news",\#(Self.members(Self.header(name, value)))"#)
        fixture = try saved.restart(fixture)
        fixture.silently {}
        fixture.advance(3_600_000)
        #expect(fixture.take() == ["dropped p1 i \(why)"])
    }
}
