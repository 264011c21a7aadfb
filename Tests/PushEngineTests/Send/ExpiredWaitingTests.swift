import Devices
import PushCore
import Testing

@testable import PushEngine

/// Pushes that expire while they wait count for nothing any more.
@Suite struct ExpiredWaitingTests {
    @Test func `an expired push is not replaced, but dropped as expired`() {
        let fixture = EngineFixture()
        fixture.make("d")
        fixture.set("d", #"{"online":false}"#)
        fixture.push(to: "d", ["apns-expiration": String(fixture.now.seconds + 60)])
        fixture.advance(61_000)
        _ = fixture.take()
        fixture.push(to: "d")
        #expect(
            fixture.take() == [
                "accepted p2 d apns.received 200", "stored p2 d apns.stored-offline",
                "dropped p1 d apns.discarded-expired after 61000",
            ])
    }

    @Test func `expired messages do not count towards the hundred`() {
        let fixture = EngineFixture()
        fixture.make("d", .android)
        fixture.set("d", #"{"online":false}"#)
        for _ in 0..<100 { fixture.message(to: "d", #""data":{"a":"b"},"android":{"ttl":"60s"}"#) }
        fixture.advance(60_000)
        _ = fixture.take()
        fixture.message(to: "d")
        let events = fixture.take()
        #expect(events.prefix(2) == ["accepted p101 d 200", "stored p101 d fcm.pending"])
        #expect(events.count { $0.hasSuffix(" d fcm.ttl-expired after 60000") } == 100 && events.count == 102)
        fixture.set("d", #"{"online":true}"#)
        #expect(fixture.take() == ["state d", "delivered p101 d fcm.delivered-late after 0"])
    }

    @Test func `a message that waited for a stopped app says so`() {
        let fixture = EngineFixture()
        fixture.make("d", .android)
        fixture.set("d", #"{"forceStopped":true}"#)
        fixture.message(to: "d", #""data":{"a":"b"},"android":{"ttl":"60s"}"#)
        fixture.advance(61_000)
        fixture.message(to: "d")
        #expect(fixture.take().last == "dropped p1 d fcm.force-stopped after 61000")
    }
}
