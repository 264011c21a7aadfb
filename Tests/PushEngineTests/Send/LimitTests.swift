import Devices
import PushCore
import Testing

@testable import PushEngine

/// What happens when there is no room for devices or waiting pushes.
@Suite struct LimitTests {
    private static func token(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 64 - digits.count) + digits
    }

    @Test func `a push that would have to wait above the limit is refused and leaves no trace`() {
        let fixture = EngineFixture { $0.waitingByteCapacity = 1 }
        fixture.make("a")
        fixture.make("b")
        for id in ["a", "b"] { fixture.set(id, #"{"online":false}"#) }
        // The limit is checked before a push is stored, so one push may exceed it.
        #expect(fixture.push(to: "a").status == 200)
        _ = fixture.take()
        let answer = fixture.push(to: "b")
        #expect(answer.description == "503 ServiceUnavailable")
        #expect(fixture.take() == ["refused p2 apns.ServiceUnavailable 503 ServiceUnavailable"])
        #expect(fixture.device("b").waitingPushes.isEmpty)
        // A push that need not wait is accepted.
        #expect(fixture.push(to: "b", ["apns-expiration": "0"]).status == 200)
        fixture.set("b", #"{"online":true}"#)
        #expect(fixture.push(to: "b").status == 200)
        // What waits makes room when it is delivered.
        fixture.set("b", #"{"online":false}"#)
        #expect(fixture.push(to: "b").status == 503)
        fixture.set("a", #"{"online":true}"#)
        #expect(fixture.push(to: "b").status == 200)
    }

    @Test func `expired pushes make room, at most once a second`() {
        let fixture = EngineFixture { $0.waitingByteCapacity = 1 }
        fixture.make("a")
        fixture.make("b")
        for id in ["a", "b"] { fixture.set(id, #"{"online":false}"#) }
        fixture.push(to: "a", ["apns-expiration": String(fixture.now.seconds + 1)])
        fixture.advance(500)
        #expect(fixture.push(to: "b").status == 503)
        _ = fixture.take()
        fixture.advance(500)
        #expect(fixture.push(to: "b").status == 200)
        #expect(
            fixture.take() == [
                "dropped p1 a apns.discarded-expired after 1000", "accepted p3 b apns.received 200",
                "stored p3 b apns.stored-offline",
            ])
        #expect(fixture.device("a").waitingPushes.isEmpty)
    }

    @Test func `a message that would have to wait above the limit is accepted and dropped`() {
        let fixture = EngineFixture { $0.waitingByteCapacity = 1 }
        fixture.make("a", .android)
        fixture.set("a", #"{"online":false}"#)
        fixture.message(to: "a")
        _ = fixture.take()
        #expect(fixture.message(to: "a").status == 200)
        #expect(fixture.take() == ["accepted p2 a 200", "dropped p2 a devices.storage-full"])
    }

    @Test func `a push to an unknown token makes room by forgetting the oldest such device`() {
        let fixture = EngineFixture { $0.deviceCapacity = 3 }
        fixture.make("kept")
        fixture.push(Self.token(1))
        fixture.push(Self.token(2))
        _ = fixture.take()
        #expect(fixture.push(Self.token(3)).status == 200)
        #expect(fixture.take().prefix(2) == ["unregistered d1 devices.capacity", "registered d3"])
        #expect(fixture.engine.devices.count == 3)
        // One that is watched stays.
        fixture.watch("d2")
        #expect(fixture.push(Self.token(4)).status == 200)
        #expect(fixture.take().prefix(2) == ["unregistered d3 devices.capacity", "registered d4"])
        #expect(fixture.engine.devices.slot(of: DeviceID("kept")) != nil)
    }

    @Test func `a push is refused if no device may be forgotten`() {
        let fixture = EngineFixture { $0.deviceCapacity = 2 }
        fixture.make("kept")
        fixture.push(Self.token(1))
        fixture.watch("d1")
        _ = fixture.take()
        let answer = fixture.push(Self.token(2))
        #expect(answer.description == "503 ServiceUnavailable")
        #expect(fixture.take() == ["refused p2 apns.ServiceUnavailable 503 ServiceUnavailable"])
        #expect(fixture.engine.devices.count == 2)
        // Devices that exist get theirs.
        #expect(fixture.push(Self.token(1)).status == 200)
        #expect(fixture.push(to: "kept").status == 200)
        fixture.leave("d1")
        #expect(fixture.push(Self.token(2)).status == 200)
    }

    @Test func `a message to an unknown token is accepted without a device if no device may be forgotten`() {
        let fixture = EngineFixture { $0.deviceCapacity = 1 }
        fixture.make("kept", .android)
        _ = fixture.take()
        #expect(fixture.message(#""token":"\#(EngineFixture.fcmToken)""#).status == 200)
        #expect(fixture.take() == ["accepted p1 200"])
        #expect(fixture.engine.devices.count == 1)
    }

    @Test func `a client's device needs a free slot`() {
        let fixture = EngineFixture { $0.deviceCapacity = 2 }
        fixture.push(Self.token(1))
        #expect(fixture.make("a"))
        #expect(!fixture.make("b"))
        #expect(fixture.engine.devices.count == 2)
        fixture.delete("a")
        #expect(fixture.make("b"))
    }

    @Test func `a forgotten device drops what waits for it and leaves its token`() {
        let fixture = EngineFixture { $0.deviceCapacity = 1 }
        fixture.push(Self.token(1))
        fixture.set("d1", #"{"online":false}"#)
        fixture.push(Self.token(1))
        _ = fixture.take()
        fixture.push(Self.token(2))
        #expect(fixture.take().prefix(2) == ["dropped p2 d1 devices.capacity", "unregistered d1 devices.capacity"])
        #expect(fixture.engine.devices.waitingBytes == 0)
    }
}
