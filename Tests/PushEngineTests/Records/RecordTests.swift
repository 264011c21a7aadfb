import APNs
import Devices
import JSON
import PushCore
import Testing

@testable import PushEngine

/// Records of channels, media, credentials and the clock, saved and restored.
@Suite struct RecordTests {
    private static let channels = "/1/apps/\(EngineFixture.app)/channels"

    private static func channel(_ fixture: EngineFixture) throws -> String {
        let body = #"{"message-storage-policy":1,"push-type":"LiveActivity"}"#
        return try #require(fixture.call("POST", channels, body: body).headers["apns-channel-id"])
    }

    private static func broadcast(_ fixture: EngineFixture, _ channel: String) -> EngineFixture.Answer {
        let fields = ["apns-channel-id": channel, "apns-push-type": "LiveActivity", "apns-expiration": "0"]
        let answer = fixture.call(
            "POST", "/4/broadcasts/apps/\(EngineFixture.app)", fields,
            body: #"{"aps":{"timestamp":1800000000,"event":"update","content-state":{}}}"#)
        fixture.finish()
        return answer
    }

    @Test func `channels are there with their subscribers, and deleted ones stay deleted`() throws {
        var (saved, fixture) = (SavedRecords(), EngineFixture.saving())
        let (kept, gone) = (try Self.channel(fixture), try Self.channel(fixture))
        for id in ["a", "b"] {
            fixture.make(id)
            fixture.perform(.setChannel(kept, isSubscribed: true), on: id)
        }
        saved.save(fixture)
        _ = fixture.call("DELETE", Self.channels, ["apns-channel-id": gone])
        for _ in 0..<2 {
            fixture = try saved.restart(fixture)
            fixture.silently {}
            #expect(Self.broadcast(fixture, kept).status == 200)
            #expect(fixture.take().filter { $0.hasPrefix("delivered") }.count == 2)
            #expect(Self.broadcast(fixture, gone).reason == "ChannelNotRegistered")
            let list = fixture.call("GET", "/1/apps/\(EngineFixture.app)/all-channels")
            #expect(list.json?["channels"]?.elements.map(\.string) == [kept])
            let read = fixture.call("GET", Self.channels, ["apns-channel-id": kept])
            #expect(read.json?["message-storage-policy"]?.int64 == 1)
        }
        #expect(saved.keys(.channel).count == 2)
    }

    @Test func `a channel that a fault kept from being made is not saved`() throws {
        var (saved, fixture) = (SavedRecords(), EngineFixture.saving())
        try fixture.fault(#"{\#(EngineFixture.refusal)}"#)
        _ = fixture.call(
            "POST", Self.channels, body: #"{"message-storage-policy":1,"push-type":"LiveActivity"}"#)
        saved.save(fixture)
        #expect(saved.keys(.channel) == [])
    }

    @Test func `media are there until they are removed`() throws {
        var (saved, fixture) = (SavedRecords(), EngineFixture.saving())
        var media = Media(status: 404, contentType: "text/html", size: 1 << 40, delay: PushEngine.longestMediaDelay)
        media.format = .unknown
        media.content = Array("<p>".utf8)
        for url in ["https://e.com/a.png", "https://e.com/b.png"] { fixture.engine.setMedia(media, for: url) }
        fixture = try saved.restart(fixture)
        let restored = try #require(fixture.engine.media["https://e.com/a.png"])
        #expect((restored.status, restored.contentType) == (404, "text/html"))
        #expect((restored.size, restored.delay) == (1 << 40, PushEngine.longestMediaDelay))
        #expect(restored.format == .unknown && restored.content == Array("<p>".utf8))
        // A record of an earlier version has no format.
        (media.format, media.content) = (nil, nil)
        var reader = ByteReader(media.savedBytes.dropLast())
        let old = try Media(from: &reader)
        #expect(old.status == 404 && old.format == nil)
        let isRemoved = fixture.engine.removeMedia(for: "https://e.com/b.png")
        #expect(isRemoved)
        fixture = try saved.restart(fixture)
        #expect(fixture.engine.media.urls.all == ["https://e.com/a.png"])
        _ = try fixture.reset(nil)
        saved.save(fixture)
        #expect(saved.rows.isEmpty)
    }

    @Test func `keys and accounts are there with all that limits them`() throws {
        var (saved, fixture) = (SavedRecords(), EngineFixture.saving())
        let key = ProviderKey(
            id: "NEWKEY1234", team: "TEAM567890", environment: .sandbox, topics: ["a.b", "c.d"], related: "ABCDE12345")
        fixture.engine.addKey(key, publicPEM: [1, 2])
        fixture.engine.addKey(ProviderKey(id: "PLAINKEY12", team: "TEAM567890"), publicPEM: [3])
        fixture.engine.addAccount("sender@shop.example", publicPEM: [4])
        fixture = try saved.restart(fixture)
        let keys = fixture.engine.addedCredentials.keys
        #expect(keys.values.map(\.publicPEM).sorted { $0.count < $1.count } == [[3], [1, 2]])
        #expect(fixture.engine.addedCredentials.accounts["sender@shop.example"]?.publicPEM == [4])
        let policy = fixture.engine.dialects.apns.policy
        #expect(policy.keys.keys.sorted() == ["ABCDE12345", "NEWKEY1234", "PLAINKEY12"])
        let restored = try #require(policy.keys["NEWKEY1234"])
        #expect((restored.team, restored.environment) == ("TEAM567890", .sandbox))
        #expect((restored.topics, restored.related) == (["a.b", "c.d"], "ABCDE12345"))
        #expect(policy.keys["PLAINKEY12"]?.topics == nil)
    }

    @Test func `removed keys and accounts are not there after a restart`() throws {
        var (saved, fixture) = (SavedRecords(), EngineFixture.saving())
        fixture.engine.addKey(ProviderKey(id: "PLAINKEY12", team: "TEAM567890"), publicPEM: [3])
        fixture.engine.addAccount("sender@shop.example", publicPEM: [4])
        fixture = try saved.restart(fixture)
        let removed = [
            fixture.engine.removeKey("PLAINKEY12", original: nil), fixture.engine.removeAccount("sender@shop.example"),
            fixture.engine.removeKey("ABCDE12345", original: nil), fixture.engine.removeAccount("a@b.example"),
        ]
        #expect(removed == [true, true, false, false])
        let policy = fixture.engine.dialects.apns.policy
        #expect(policy.keys.keys.sorted() == ["ABCDE12345"])
        saved.save(fixture)
        #expect(saved.rows.isEmpty)
    }

    @Test(arguments: [
        ClockSetting.ahead(milliseconds: 3_600_000), .ahead(milliseconds: -1), .frozen(at: EngineFixture.start),
    ])
    func `the clock's setting is there until the clock is the system's`(setting: ClockSetting) throws {
        var (saved, fixture) = (SavedRecords(), EngineFixture.saving())
        fixture.engine.saveClock(setting)
        fixture = try saved.restart(fixture)
        #expect(fixture.engine.clockSetting == setting)
        fixture.engine.saveClock(nil)
        saved.save(fixture)
        #expect(saved.rows.isEmpty)
    }

    @Test func `an engine without a disk notes no changes`() throws {
        let fixture = EngineFixture()
        _ = try Self.channel(fixture)
        try fixture.fault(#"{\#(EngineFixture.refusal),"per":"token"}"#)
        fixture.push()
        fixture.engine.setMedia(Media(contentType: "", size: 0), for: "u")
        let changes = fixture.engine.changeCount
        #expect(changes == 0)
        let rows = fixture.engine.takeUnsavedRecords()
        #expect(rows.isEmpty)
    }

    @Test func `a record of an unknown kind is refused with its name`() throws {
        var snapshot = EngineSnapshot()
        snapshot.records = [("moon-phase", "", [1])]
        let damage = #expect(throws: EngineSnapshot.Damage.self) { try EngineFixture().engine.restore(snapshot) }
        #expect(damage?.reason == "it contains 'moon-phase' records, which only a newer Pushpit can read")
    }
}
