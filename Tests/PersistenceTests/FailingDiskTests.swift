import Devices
import PushCore
import PushEngine
import Storage
import TestSupport
import Testing

@testable import Persistence

/// What happens when the disk fails, lags behind or has damaged data.
@Suite struct FailingDiskTests {
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

    @Test func `unsaved events about refused pushes stop reading, but refuse no push`() throws {
        let fixture = try PersisterFixture(logCapacity: 100)
        fixture.refuse(200)
        #expect(fixture.isBehind)
        #expect(!fixture.refusesPushes)
        fixture.note(75)
        #expect(!fixture.refusesPushes)
        fixture.note()
        #expect(fixture.refusesPushes)
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

    @Test func `records whose batch failed are in the next one, as they are by then`() throws {
        let fixture = try PersisterFixture()
        for url in ["kept", "gone"] { fixture.engine.setMedia(Media(contentType: "", size: 1), for: url) }
        fixture.hold(1)
        #expect(fixture.begin())
        _ = fixture.engine.removeMedia(for: "gone")
        fixture.finish(failing: .full)
        #expect(fixture.takeProgress() == ["failed 1 first"])
        fixture.hold(3)
        fixture.save(at: 1000)
        #expect(fixture.takeProgress() == ["saved 3 again"])
        #expect(try fixture.store.load().records.map(\.key) == ["kept"])
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
}
