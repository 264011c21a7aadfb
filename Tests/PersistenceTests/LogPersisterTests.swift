import Devices
import HTTPCore
import PushCore
import PushEngine
import Storage
import Testing

@testable import Persistence

/// When batches are written, and when the answers of pushes are released.
@Suite struct LogPersisterTests {
    @Test func `an engine in which nothing has happened needs no batch`() throws {
        let fixture = try PersisterFixture()
        #expect(!fixture.begin())
        fixture.end()
        #expect(fixture.takeProgress() == [])
    }

    @Test func `a batch has everything since the last one`() throws {
        let fixture = try PersisterFixture()
        fixture.note(3)
        #expect(fixture.begin())
        #expect(fixture.persister.savedUpTo == 0)
        fixture.finish()
        #expect(fixture.persister.savedUpTo == 3)
        #expect(try fixture.savedEvents() == [1, 2, 3])
        #expect(!fixture.begin())
        fixture.note()
        fixture.save()
        #expect(try fixture.savedEvents() == [1, 2, 3, 4])
        #expect(fixture.takeProgress() == ["saved", "saved"])
    }

    @Test func `one batch is under way at a time, and what comes meanwhile is in the next`() throws {
        let fixture = try PersisterFixture()
        fixture.note()
        #expect(fixture.begin())
        fixture.note(2)
        #expect(!fixture.begin())
        #expect(fixture.underWay == 1)
        fixture.finish()
        #expect(fixture.persister.savedUpTo == 1)
        #expect(fixture.begin())
        fixture.finish()
        #expect(fixture.persister.savedUpTo == 3)
        #expect(try fixture.savedEvents() == [1, 2, 3])
    }

    @Test func `a batch has at most ten thousand events`() throws {
        let fixture = try PersisterFixture(logCapacity: 30_000)
        fixture.note(25_000)
        var steps: [UInt64] = []
        while fixture.begin() {
            fixture.finish()
            steps.append(fixture.persister.savedUpTo)
        }
        #expect(steps == [10_000, 20_000, 25_000])
        #expect(try fixture.savedEvents() == Array(1...25_000))
    }

    @Test func `an answer is released by the batch that has its push, in order`() throws {
        let fixture = try PersisterFixture()
        fixture.note()
        fixture.hold(1)
        #expect(fixture.begin())
        fixture.note()
        fixture.hold(3)
        fixture.hold(5)
        #expect(fixture.takeProgress() == [])
        fixture.finish()
        #expect(fixture.takeProgress() == ["saved 1"])
        fixture.save()
        #expect(fixture.takeProgress() == ["saved 3 5"])
    }

    @Test func `answers of a client that has gone are dropped`() throws {
        let fixture = try PersisterFixture()
        fixture.note()
        for stream in [1, 3, 5] as [StreamID] { fixture.hold(stream) }
        fixture.persister.forget { $0.stream == 3 }
        fixture.save()
        #expect(fixture.takeProgress() == ["saved 1 5"])
    }

    @Test func `a disk that fails refuses the held pushes, and the next batch has everything again`() throws {
        let fixture = try PersisterFixture()
        try fixture.make("d")
        fixture.hold(1)
        #expect(fixture.begin(at: 100))
        fixture.note()
        fixture.hold(3)
        fixture.finish(failing: .full)
        #expect(fixture.takeProgress() == ["failed 1 3 first"])
        #expect(fixture.persister.problem?.message == "it is full")
        #expect(fixture.refusesPushes)
        #expect(try fixture.savedEvents() == [])
        // Not before a second has passed.
        #expect(!fixture.begin(at: 1099))
        #expect(fixture.begin(at: 1100))
        fixture.finish(failing: .full)
        #expect(fixture.takeProgress() == ["failed"])
        #expect(!fixture.begin(at: 2099))
        #expect(fixture.begin(at: 2100))
        fixture.finish()
        #expect(fixture.takeProgress() == ["saved again"])
        #expect(fixture.persister.problem == nil)
        #expect(!fixture.refusesPushes)
        #expect(try fixture.savedEvents() == Array(1...fixture.engine.events.newest))
        #expect(try fixture.store.load().devices.count == 1)
    }

    /// The log's capacity, the unsaved events, and whether reading stops and pushes are refused.
    @Test(
        arguments: [
            (100, 0, false, false), (100, 50, false, false), (100, 51, true, false), (100, 75, true, false),
            (100, 76, true, true), (8, 4, false, false), (8, 5, true, false), (8, 6, true, false), (8, 7, true, true),
            // What the log has forgotten unsaved counts too.
            (8, 20, true, true),
        ])
    func `too much that is unsaved stops reading, and still more refuses pushes`(
        capacity: Int, unsaved: Int, isBehind: Bool, refuses: Bool
    ) throws {
        let fixture = try PersisterFixture(logCapacity: capacity)
        fixture.note(3)
        fixture.save()
        fixture.note(unsaved)
        #expect(fixture.isBehind == isBehind)
        #expect(fixture.refusesPushes == refuses)
        fixture.save()
        #expect(!fixture.isBehind)
        #expect(!fixture.refusesPushes)
    }

    @Test func `a disk that fails stops no reading: pushes are refused at once`() throws {
        let fixture = try PersisterFixture(logCapacity: 8)
        fixture.note(5)
        #expect(fixture.begin())
        #expect(fixture.isBehind)
        fixture.finish(failing: .full)
        #expect(!fixture.isBehind)
        #expect(fixture.refusesPushes)
    }

    @Test func `a deletion writes all events that are left again`() throws {
        let fixture = try PersisterFixture()
        try fixture.make("d")
        let push = PushID(7)
        fixture.engine.events.append(.delivered, at: PersisterFixture.start, app: "a", push: push)
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

    @Test func `a deletion whose batch failed is in the next one`() throws {
        let fixture = try PersisterFixture()
        fixture.note(2)
        fixture.save()
        fixture.engine.events.forget { $0.seq == 1 }
        fixture.engine.deletions.ofEvents = true
        #expect(fixture.begin())
        fixture.finish(failing: .full)
        #expect(fixture.engine.deletions.ofEvents)
        fixture.save(at: 1000)
        #expect(try fixture.savedEvents() == [2])
    }

    @Test func `what the log has forgotten is deleted from the disk too`() throws {
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

    @Test func `devices are saved when they change, and deleted with the device`() throws {
        let fixture = try PersisterFixture()
        let place = try fixture.make("d")
        fixture.save()
        #expect(try fixture.store.load().devices.count == 1)
        let before = try fixture.store.load().devices
        try fixture.engine.perform(
            .patchState(try json(#"{"locked":true}"#), pointer: ""), on: place, at: PersisterFixture.start)
        fixture.save()
        #expect(try fixture.store.load().devices != before)
        fixture.engine.deleteDevice(place, at: PersisterFixture.start)
        fixture.save()
        #expect(try fixture.store.load().devices.isEmpty)
    }

    @Test func `the end saves everything and releases every answer`() throws {
        let fixture = try PersisterFixture(logCapacity: 30_000)
        fixture.note(15_000)
        fixture.hold(1)
        #expect(fixture.begin())
        fixture.note()
        fixture.hold(3)
        // The batch on the other thread has not been written: the end does it itself.
        fixture.end()
        #expect(fixture.takeProgress() == ["saved", "saved 1 3"])
        #expect(try fixture.savedEvents() == Array(1...15_001))
        // The other thread comes too late, and changes nothing.
        fixture.finish()
        #expect(fixture.takeProgress() == [])
        #expect(fixture.persister.savedUpTo == 15_001)
        #expect(try fixture.savedEvents().count == 15_001)
    }

    @Test func `the end gives up on a disk that fails`() throws {
        let fixture = try PersisterFixture()
        fixture.note()
        fixture.hold(1)
        // Another table of the same name can't be written to.
        try Self.breakStore(fixture)
        fixture.end()
        #expect(fixture.takeProgress() == ["failed 1 first"])
        #expect(fixture.persister.problem != nil)
    }

    /// Two events with the same number can't be stored.
    private static func breakStore(_ fixture: PersisterFixture) throws {
        var batch = Store.Batch()
        batch.events = (1, 1, [])
        try fixture.store.write(batch)
    }

    @Test func `an engine that was restored has no work, and goes on with the numbers`() throws {
        let scratch = Scratch()
        do {
            let fixture = try PersisterFixture(in: scratch)
            try fixture.make("d")
            fixture.note(2)
            fixture.end()
        }
        let fixture = try PersisterFixture(in: scratch)
        #expect(!fixture.begin())
        #expect(fixture.persister.savedUpTo == 3)
        #expect(fixture.engine.events.events(after: 0).map(\.seq) == [1, 2, 3])
        #expect(fixture.engine.devices.place(of: DeviceID("d")) == 0)
        fixture.note()
        fixture.save()
        #expect(try fixture.savedEvents() == [1, 2, 3, 4])
    }

    @Test func `a store with damaged events is refused, with its path and a remedy`() throws {
        let scratch = Scratch()
        do {
            let fixture = try PersisterFixture(in: scratch)
            try Self.breakStore(fixture)
            var batch = Store.Batch()
            batch.events = (2, 2, [1, 2, 3])
            try fixture.store.write(batch)
        }
        let error = #expect(throws: StorageError.self) { _ = try PersisterFixture(in: scratch) }
        #expect(error?.description.contains(scratch.directory) == true)
        #expect(error?.message.contains("move the file away") == true)
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
