import Devices
import HTTPCore
import PushCore
import Testing

@testable import PushEngine

/// The sockets that watch a device: what they are sent, and what counts as received.
@Suite struct InboxTests {
    @Test func `viewers are sent what they want, with the push that came`() throws {
        let fixture = EngineFixture()
        fixture.make("d")
        fixture.watch("d", 1, [.push])
        fixture.watch("d", 2, [.event])
        fixture.push(to: "d")
        let notes = fixture.notifier.notes
        #expect(notes.map(\.event.kind) == [.delivered, .presented])
        #expect(notes.allSatisfy { $0.clients == [1, 2] })
        let arrival = try #require(notes[0].arrival)
        #expect(arrival.id == PushID(1))
        #expect(arrival.platform == .ios)
        #expect(arrival.delivery.request.body == Array(#"{"aps":{"alert":"Hello"}}"#.utf8))
        #expect(notes[1].arrival == nil)
    }

    @Test func `a device without viewers of pushes prepares none`() {
        let fixture = EngineFixture()
        fixture.make("d")
        fixture.push(to: "d")
        #expect(fixture.notifier.notes.isEmpty)
        fixture.watch("d", 1, [.event])
        fixture.push(to: "d")
        #expect(fixture.notifier.notes.allSatisfy { $0.arrival == nil })
        fixture.engine.setRequestedFrames([.push], of: ClientID(slot: 1, generation: 1), fixture.slot("d"))
        _ = fixture.notifier.takeArrivals()
        fixture.push(to: "d")
        #expect(fixture.notifier.takeArrivals() == ["p3 1"])
        fixture.leave("d")
        fixture.push(to: "d")
        #expect(fixture.notifier.notes.isEmpty)
    }

    @Test func `a device whose client is the phone is online while that client is connected`() {
        let fixture = EngineFixture()
        fixture.make("d")
        fixture.set("d", #"{"online":false}"#)
        fixture.push(to: "d")
        _ = fixture.take()
        fixture.watch("d", 1, isOfflineWhenDisconnected: true)
        #expect(fixture.take() == ["state d", "delivered p1 d apns.delivered-from-storage after 0"])
        #expect(fixture.notifier.takeArrivals() == ["p1 1"])
        fixture.watch("d", 2, isOfflineWhenDisconnected: true)
        fixture.watch("d", 3)
        fixture.leave("d", 1)
        #expect(fixture.device("d").state.online)
        fixture.leave("d", 2)
        #expect(!fixture.device("d").state.online)
        #expect(fixture.take() == ["state d"])
        // A client that is unknown, or has left, changes nothing.
        fixture.leave("d", 2)
        fixture.leave("d", 9)
        #expect(fixture.take() == [])
    }

    @Test func `a push that is not acknowledged is sent again, and counted`() {
        let fixture = EngineFixture()
        fixture.make("d")
        fixture.watch("d", 1, usesManualAck: true)
        for _ in 0..<3 { fixture.push(to: "d") }
        #expect(fixture.notifier.takeArrivals() == ["p1 1", "p2 1", "p3 1"])
        #expect(fixture.owed("d") == ["p1", "p2", "p3"])
        fixture.perform(.acknowledge([PushID(2), PushID(9)]), on: "d")
        #expect(fixture.owed("d") == ["p1", "p3"])
        #expect(fixture.send("d") == ["p1 2", "p3 2"])
        #expect(fixture.send("d") == ["p1 3", "p3 3"])
        let last = fixture.engine.watches[fixture.slot("d")].inbox.entries.last?.seq ?? 0
        fixture.perform(.acknowledgeUpTo(last - 1), on: "d")
        #expect(fixture.owed("d") == ["p3"])
        fixture.perform(.acknowledgeUpTo(last), on: "d")
        #expect(fixture.owed("d") == [])
    }

    @Test func `a rejected push is an event, and does not come again`() {
        let fixture = EngineFixture()
        fixture.make("d")
        fixture.watch("d", 1, usesManualAck: true)
        fixture.push(to: "d")
        _ = fixture.take()
        fixture.perform(.reject(PushID(1), code: 302), on: "d")
        #expect(fixture.take() == ["callback p1 d name=nack code=302"])
        #expect(fixture.owed("d") == [])
    }

    @Test func `a client that does not acknowledge gets no push again`() {
        let fixture = EngineFixture()
        fixture.make("d")
        fixture.watch("d", 1)
        fixture.push(to: "d")
        #expect(fixture.owed("d") == [])
        // Sent again from the log, it is the second attempt.
        #expect(fixture.engine.noteSent(PushID(1), 2, fixture.slot("d"), usesManualAck: false) == 2)
    }

    @Test func `at most the newest thousand unacknowledged pushes are kept for a device`() {
        let fixture = EngineFixture()
        fixture.make("d")
        fixture.watch("d", 1, usesManualAck: true)
        for _ in 0..<1001 { fixture.push(to: "d") }
        let owed = fixture.owed("d")
        #expect((owed.count, owed.first, owed.last) == (1000, "p2", "p1001"))
    }

    @Test func `a device does not get the unacknowledged pushes of the one before at its index`() {
        let fixture = EngineFixture()
        fixture.make("old")
        fixture.watch("old", 1, usesManualAck: true)
        fixture.push(to: "old")
        let slot = fixture.slot("old")
        fixture.delete("old")
        #expect(fixture.notifier.dismissed == [1])
        fixture.make("new")
        #expect(fixture.slot("new") == slot)
        #expect(fixture.owed("new") == [])
        #expect(fixture.engine.watches[slot].viewers.isEmpty)
    }

    @Test func `an old push can be sent again while the log has it`() throws {
        let fixture = EngineFixture { $0.logCapacity = 10 }
        fixture.make("d")
        fixture.set("d", #"{"online":false}"#)
        fixture.push(to: "d", body: #"{"aps":{"badge":7}}"#)
        fixture.advance(5000)
        fixture.set("d", #"{"online":true}"#)
        let event = try #require(fixture.takeEvents().first { $0.kind == .delivered })
        let again = fixture.engine.inbound(event, fixture.slot("d"))
        let inbound = try #require(again)
        #expect(inbound.delivery.storedFor == 5000)
        #expect(inbound.delivery.request.body == Array(#"{"aps":{"badge":7}}"#.utf8))
        for _ in 0..<10 { fixture.push(to: "d") }
        #expect(fixture.engine.inbound(event, fixture.slot("d")) == nil)
    }
}

extension EngineFixture {
    /// The pushes that a device's client has not acknowledged.
    fileprivate func owed(_ id: String) -> [String] {
        engine.watches[slot(id)].inbox.entries.map { $0.push.description }
    }

    /// Sends what is not acknowledged again, as when the client connects anew. Returns pushes and attempts.
    fileprivate func send(_ id: String) -> [String] {
        let slot = slot(id)
        return engine.watches[slot].inbox.entries.map { entry in
            "\(entry.push) \(engine.noteSent(entry.push, entry.seq, slot, usesManualAck: true))"
        }
    }
}
