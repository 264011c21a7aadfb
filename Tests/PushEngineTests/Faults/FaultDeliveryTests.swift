import Devices
import PushCore
import Testing

@testable import PushEngine

/// Faults that deliver a push late or twice.
@Suite struct FaultDeliveryTests {
    @Test func `only one of two copies waits for a device that is offline`() throws {
        let fixture = EngineFixture()
        fixture.make("d")
        fixture.set("d", #"{"online":false}"#)
        _ = fixture.take()
        try fixture.fault(#"{"effect":{"deliver":2}}"#)
        fixture.push(to: "d")
        #expect(fixture.take().filter { $0.hasPrefix("stored") } == ["stored p1 d apns.stored-offline"])
    }

    @Test func `a late delivery arrives at its time`() throws {
        let fixture = EngineFixture()
        fixture.silently {
            fixture.make("i")
            fixture.make("a", .android)
        }
        try fixture.fault(#"{"effect":{"deliverAfter":"5s"}}"#)
        #expect(fixture.push(to: "i").status == 200)
        #expect(fixture.message(to: "a").status == 200)
        #expect(
            fixture.take() == [
                "accepted p1 i apns.received 200", "fault p1 fault.custom fault=f1 deliverAfter=5s",
                "accepted p2 a 200",
                "fault p2 fault.custom fault=f1 deliverAfter=5s",
            ])
        fixture.advance(4999)
        #expect(fixture.take() == [])
        fixture.advance(1)
        #expect(fixture.take() == ["delivered p1 i apns.delivered", "delivered p2 a fcm.delivered"])
    }

    @Test func `a late delivery does not reach the next device at its index`() throws {
        let fixture = EngineFixture()
        fixture.make("old")
        try fixture.fault(#"{"effect":{"deliverAfter":"5s"}}"#)
        fixture.push(to: "old")
        let slot = fixture.slot("old")
        fixture.delete("old")
        fixture.make("new")
        #expect(fixture.slot("new") == slot)
        _ = fixture.take()
        fixture.advance(5000)
        #expect(fixture.take() == [])
    }
}
