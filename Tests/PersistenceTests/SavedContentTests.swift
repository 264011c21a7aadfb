import Devices
import HTTPCore
import PushCore
import PushEngine
import Storage
import TestSupport
import Testing

@testable import Persistence

/// What batches write and delete: events, devices and tracking.
@Suite struct SavedContentTests {
    @Test func `a deletion writes all events that are left again`() throws {
        let fixture = try PersisterFixture()
        try fixture.make("d")
        let push = PushID(7)
        fixture.engine.events.append(.delivered, at: PersisterFixture.start, about: Event.Subject(app: "a", push: push))
        fixture.note()
        fixture.save()
        #expect(try fixture.savedEvents() == [1, 2, 3])
        fixture.engine.events.forget { $0.push == push }
        fixture.engine.deletions.ofEvents = true
        #expect(fixture.begin())
        #expect(!fixture.engine.deletions.ofEvents)
        fixture.finish()
        #expect(try fixture.savedEvents() == [1, 3])
        #expect(!fixture.begin())
    }

    @Test func `a batch in the middle of a deletion has nothing of the deleted pushes`() throws {
        let fixture = try PersisterFixture()
        let (one, other) = (PushID(7), PushID(8))
        for push in [one, other, one, other] {
            fixture.engine.events.append(
                .delivered, at: PersisterFixture.start, about: Event.Subject(app: "a", push: push))
        }
        fixture.save()
        #expect(try fixture.savedEvents() == [1, 2, 3, 4])
        _ = fixture.engine.beginDeletion(of: [one])
        // One of its two events is removed from memory.
        let isDone = fixture.engine.continueDeletion(atMost: 1)
        #expect(!isDone)
        fixture.save()
        #expect(try fixture.savedEvents() == [2, 4])
        // What is added meanwhile is saved in the usual way.
        fixture.note()
        fixture.save()
        #expect(try fixture.savedEvents() == [2, 4, 5])
        while !fixture.engine.continueDeletion(atMost: 1) {}
        fixture.save()
        #expect(try fixture.savedEvents() == [2, 4, 5])
    }

    @Test func `events that the log has forgotten are deleted from the disk too`() throws {
        let fixture = try PersisterFixture(logCapacity: 10)
        for _ in 0..<10 {
            fixture.note(3)
            fixture.save()
        }
        // Batches are deleted whole, once their last event is forgotten.
        let saved = try fixture.savedEvents()
        #expect(saved.last == 30)
        #expect(saved == Array((saved.first ?? 0)...30))
        #expect(10...12 ~= saved.count)
    }

    @Test func `refused pushes that the log has forgotten are deleted from the disk, before older accepted ones`()
        throws
    {
        let scratch = Scratch()
        do {
            let fixture = try PersisterFixture(logCapacity: 50, in: scratch)
            fixture.note(2)
            for _ in 0..<30 {
                fixture.refuse(3)
                fixture.save()
            }
            #expect(try fixture.savedEvents() == [1, 2])
            let saved = try fixture.savedEvents(of: .refused)
            #expect(saved == Array((saved.first ?? 0)...92))
            #expect(10...12 ~= saved.count)
        }
        let again = try PersisterFixture(logCapacity: 50, in: scratch)
        #expect(again.engine.events.events(after: 0).map(\.seq) == [1, 2] + Array(83...92))
        again.refuse(1)
        again.save()
        #expect(try again.savedEvents(of: .refused).last == 93)
        // A deletion writes both parts again.
        again.engine.events.forget { [1, 90].contains($0.seq) }
        again.engine.deletions.ofEvents = true
        again.save()
        #expect(try again.savedEvents() == [2])
        #expect(try again.savedEvents(of: .refused) == Array(84...89) + [91, 92, 93])
    }

    @Test func `devices are saved when they change, and deleted with the device`() throws {
        let fixture = try PersisterFixture()
        let slot = try fixture.make("d")
        fixture.save()
        #expect(try fixture.store.load().devices.count == 1)
        let before = try fixture.store.load().devices
        try fixture.engine.perform(
            .patchState(try json(#"{"locked":true}"#), pointer: ""), on: slot, at: PersisterFixture.start)
        fixture.save()
        #expect(try fixture.store.load().devices != before)
        fixture.engine.deleteDevice(slot, at: PersisterFixture.start)
        fixture.save()
        #expect(try fixture.store.load().devices.isEmpty)
    }

    @Test func `records of any kind are saved when they change, and deleted`() throws {
        let fixture = try PersisterFixture()
        func rows() throws -> [String] { try fixture.store.load().records.map { "\($0.kind) \($0.key)" } }
        for url in ["u1", "u2"] { fixture.engine.setMedia(Media(contentType: "", size: 1), for: url) }
        fixture.save()
        #expect(try rows().sorted() == ["media u1", "media u2"])
        #expect(!fixture.begin())
        let before = try fixture.store.load().records.map(\.bytes)
        fixture.engine.setMedia(Media(contentType: "", size: 2), for: "u1")
        _ = fixture.engine.removeMedia(for: "u2")
        fixture.save()
        #expect(try rows() == ["media u1"])
        #expect(try !before.contains(fixture.store.load().records[0].bytes))
    }

    @Test func `tracking is saved, replaced and deleted`() throws {
        let fixture = try PersisterFixture()
        func report(_ id: String) {
            var request = Request(
                version: .http11, headers: HeaderBlock([.method: "GET", .path: "/r/?id=\(id)&mcId=1"]))
            request.body = []
            _ = fixture.engine.collect(request, at: PersisterFixture.start)
        }
        report("a,b,2")
        fixture.save()
        report("c,d,2")
        fixture.save()
        #expect(try fixture.store.load().tracking.map(\.key) == ["h0", "h1"])
        fixture.engine.forgetTrackingOfDeletedPushes(everything: true)
        fixture.engine.deletions.ofTracking = true
        fixture.save()
        #expect(try fixture.store.load().tracking.isEmpty)
        report("e,f,2")
        fixture.save()
        #expect(try fixture.store.load().tracking.map(\.key) == ["h2"])
        #expect(fixture.engine.trackingTotal == 3)
    }
}
