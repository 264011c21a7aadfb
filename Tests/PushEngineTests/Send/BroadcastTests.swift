import Devices
import JSON
import PushCore
import Testing

@testable import PushEngine

/// Channels, and broadcasts to the devices that are subscribed to them.
@Suite struct BroadcastTests {
    private static let body = #"{"aps":{"timestamp":1800000000,"event":"update","content-state":{}}}"#
    private static let channels = "/1/apps/\(EngineFixture.app)/channels"
    private static let broadcasts = "/4/broadcasts/apps/\(EngineFixture.app)"

    /// Makes a channel and returns its id.
    private static func channel(_ fixture: EngineFixture, policy: Int = 1, isSandbox: Bool = false) throws -> String {
        let answer = fixture.call(
            "POST", channels, body: #"{"message-storage-policy":\#(policy),"push-type":"LiveActivity"}"#,
            isSandbox: isSandbox)
        #expect(answer.status == 201)
        return try #require(answer.headers["apns-channel-id"])
    }

    @discardableResult private static func broadcast(
        _ fixture: EngineFixture, _ channel: String, expiration: String = "0", isSandbox: Bool = false
    ) -> EngineFixture.Answer {
        fixture.call(
            "POST", broadcasts,
            ["apns-channel-id": channel, "apns-push-type": "LiveActivity", "apns-expiration": expiration], body: body,
            isSandbox: isSandbox)
    }

    private static func subscribe(_ fixture: EngineFixture, _ id: String, _ channel: String, _ isWanted: Bool = true)
        -> String?
    {
        fixture.perform(.setChannel(channel, isSubscribed: isWanted), on: id)?.message
    }

    @Test func `a channel is made, read, listed and deleted`() throws {
        let fixture = EngineFixture()
        let id = try Self.channel(fixture)
        let read = fixture.call("GET", Self.channels, ["apns-channel-id": id])
        #expect(read.text == #"{"message-storage-policy":1,"push-type":"LiveActivity"}"#)
        let list = fixture.call("GET", "/1/apps/\(EngineFixture.app)/all-channels")
        #expect(list.json?["channels"]?.elements.map(\.string) == [id])
        #expect(fixture.call("DELETE", Self.channels, ["apns-channel-id": id]).status == 204)
        #expect(fixture.call("DELETE", Self.channels, ["apns-channel-id": id]).description == "404 BadPath")
        #expect(Self.broadcast(fixture, id).description == "400 ChannelNotRegistered")
        // The other environment has never had it.
        #expect(Self.broadcast(fixture, id, isSandbox: true).description == "400 BadChannelId")
        #expect(
            fixture.take() == [
                "refused p5 apns.BadPath 404 BadPath", "refused p6 apns.ChannelNotRegistered 400 ChannelNotRegistered",
                "refused p7 apns.BadChannelId 400 BadChannelId",
            ])
    }

    @Test func `a broadcast reaches only the subscribers of its channel`() throws {
        let fixture = EngineFixture()
        let (one, other) = (try Self.channel(fixture), try Self.channel(fixture))
        for id in ["a", "b", "c"] { fixture.make(id) }
        for id in ["a", "b"] { #expect(Self.subscribe(fixture, id, one) == nil) }
        #expect(Self.subscribe(fixture, "c", other) == nil)
        _ = fixture.take()
        #expect(Self.broadcast(fixture, one).status == 200)
        #expect(fixture.take() == ["accepted p3 apns.received 200"])
        fixture.finish()
        #expect(fixture.take() == ["delivered p3 a apns.delivered", "delivered p3 b apns.delivered"])
        #expect(Self.subscribe(fixture, "a", one, false) == nil)
        #expect(fixture.take() == ["unsubscribed a channel"])
        Self.broadcast(fixture, one)
        fixture.finish()
        #expect(fixture.take().filter { $0.hasPrefix("delivered") } == ["delivered p4 b apns.delivered"])
    }

    @Test func `a channel that stores keeps the latest broadcast for a device that is offline`() throws {
        let fixture = EngineFixture()
        let channel = try Self.channel(fixture, policy: 1)
        fixture.make("d")
        #expect(Self.subscribe(fixture, "d", channel) == nil)
        fixture.set("d", #"{"online":false}"#)
        let expiration = String(fixture.now.seconds + 60)
        // A push to the device's own token waits beside it.
        fixture.push(to: "d")
        for _ in 0..<2 {
            Self.broadcast(fixture, channel, expiration: expiration)
            fixture.finish()
        }
        #expect(fixture.take().last == "dropped p3 d apns.overwritten by p4")
        fixture.set("d", #"{"online":true}"#)
        #expect(
            fixture.take() == [
                "state d", "delivered p2 d apns.delivered-from-storage after 0",
                "delivered p4 d apns.delivered-from-storage after 0",
            ])
    }

    @Test func `a channel without storage requires the expiration 0`() throws {
        let fixture = EngineFixture()
        let channel = try Self.channel(fixture, policy: 0)
        #expect(Self.broadcast(fixture, channel, expiration: "1900000000").description == "400 BadExpirationDate")
        fixture.make("d")
        #expect(Self.subscribe(fixture, "d", channel) == nil)
        fixture.set("d", #"{"online":false}"#)
        _ = fixture.take()
        Self.broadcast(fixture, channel)
        fixture.finish()
        #expect(fixture.take() == ["accepted p3 apns.received 200", "dropped p3 d apns.discarded-expired"])
    }

    @Test func `a broadcast that has expired reaches devices that are online, with a finding`() throws {
        let fixture = EngineFixture()
        let channel = try Self.channel(fixture)
        for id in ["on", "off"] {
            fixture.make(id)
            #expect(Self.subscribe(fixture, id, channel) == nil)
        }
        fixture.set("off", #"{"online":false}"#)
        _ = fixture.take()
        Self.broadcast(fixture, channel, expiration: "3600")
        #expect(fixture.lastFindings == ["apns.expiration-lifetime"])
        fixture.finish()
        #expect(fixture.take().contains("delivered p2 on apns.delivered"))
        Self.broadcast(fixture, channel, expiration: "1799999999")
        fixture.finish()
        #expect(fixture.take().contains("dropped p3 off apns.discarded-expired"))
    }

    @Test func `a device that is deleted leaves its channels`() throws {
        let fixture = EngineFixture()
        let channel = try Self.channel(fixture)
        fixture.make("d")
        #expect(Self.subscribe(fixture, "d", channel) == nil)
        fixture.delete("d")
        fixture.make("d")
        _ = fixture.take()
        Self.broadcast(fixture, channel)
        fixture.finish()
        #expect(fixture.take() == ["accepted p2 apns.received 200"])
    }

    @Test func `a device that subscribes while a broadcast is under way gets nothing of it`() throws {
        let fixture = EngineFixture()
        let channel = try Self.channel(fixture)
        fixture.make("a")
        fixture.make("b")
        #expect(Self.subscribe(fixture, "a", channel) == nil)
        Self.broadcast(fixture, channel)
        #expect(Self.subscribe(fixture, "b", channel) == nil)
        _ = fixture.take()
        fixture.finish()
        #expect(fixture.take() == ["delivered p2 a apns.delivered"])
    }

    @Test func `impossible subscriptions are refused`() throws {
        let fixture = EngineFixture()
        let channel = try Self.channel(fixture)
        fixture.make("i")
        fixture.make("a", .android)
        fixture.make("other", .ios, app: "com.example.other")
        fixture.make("gone")
        fixture.uninstall("gone")
        _ = fixture.take()
        for id in ["a", "gone"] { #expect(Self.subscribe(fixture, id, channel)?.contains("iOS") == true) }
        #expect(Self.subscribe(fixture, "other", channel)?.contains("com.example.other has no channel") == true)
        #expect(Self.subscribe(fixture, "i", "AAAA")?.contains("no channel 'AAAA'") == true)
        #expect(Self.subscribe(fixture, "i", channel, false) != nil)
        #expect(fixture.take() == [])
        #expect(Self.subscribe(fixture, "i", channel) == nil)
        #expect(Self.subscribe(fixture, "i", channel) != nil)
        #expect(fixture.take() == ["subscribed i channel"])
    }

    @Test func `a device has at most a hundred channels, and deleted ones do not count`() throws {
        let fixture = EngineFixture()
        fixture.make("d")
        let channels = try (0...DeviceRegistry.channelLimit).map { _ in try Self.channel(fixture) }
        for channel in channels.dropLast() { #expect(Self.subscribe(fixture, "d", channel) == nil) }
        let last = try #require(channels.last)
        #expect(Self.subscribe(fixture, "d", last)?.contains("100") == true)
        #expect(fixture.call("DELETE", Self.channels, ["apns-channel-id": channels[0]]).status == 204)
        #expect(Self.subscribe(fixture, "d", last) == nil)
    }

    @Test func `a fault that replaces the answer to a broadcast changes no channel`() throws {
        let fixture = EngineFixture()
        try fixture.fault(
            #"{"match":{"provider":"apns"},"effect":{"answer":{"status":503,"reason":"Shutdown"}},"times":1}"#)
        let create = #"{"message-storage-policy":1,"push-type":"LiveActivity"}"#
        #expect(fixture.call("POST", Self.channels, body: create).description == "503 Shutdown")
        let list = fixture.call("GET", "/1/apps/\(EngineFixture.app)/all-channels")
        #expect(list.json?["channels"]?.count == 0)
    }
}
