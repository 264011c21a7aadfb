import Devices
import HTTPCore
import PushCore
import PushEngine
import Storage
import TestSupport
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

    @Test func `an answer is released by the batch that has its record`() throws {
        let fixture = try PersisterFixture()
        fixture.note()
        #expect(fixture.begin())
        // The event is in the batch that is being written, the record is not.
        fixture.engine.setMedia(Media(contentType: "", size: 1), for: "u")
        fixture.hold(1)
        fixture.finish()
        #expect(fixture.takeProgress() == ["saved"])
        #expect(fixture.begin())
        fixture.finish()
        #expect(fixture.takeProgress() == ["saved 1"])
        #expect(!fixture.begin())
    }

    @Test func `an answer is released by the batch that has its deletion`() throws {
        let fixture = try PersisterFixture()
        fixture.note()
        fixture.save()
        _ = fixture.takeProgress()
        fixture.engine.deleteMessages(fixture.engine.pushes(matching: MessageFilter()))
        for slot in fixture.engine.devices.oldestFirst {
            _ = fixture.engine.resetDevice(slot, at: PersisterFixture.start)
        }
        fixture.engine.finishReset(nil)
        fixture.hold(1)
        #expect(fixture.takeProgress() == [])
        fixture.save()
        #expect(fixture.takeProgress() == ["saved 1"])
    }

    @Test func `answers of a client that has gone are dropped`() throws {
        let fixture = try PersisterFixture()
        fixture.note()
        for stream in [1, 3, 5] as [StreamID] { fixture.hold(stream) }
        fixture.persister.forget { $0.stream == 3 }
        fixture.save()
        #expect(fixture.takeProgress() == ["saved 1 5"])
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

    @Test func `a restored engine has nothing to save and continues the numbers`() throws {
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
        #expect(fixture.engine.devices.slot(of: DeviceID("d")) == 0)
        fixture.note()
        fixture.save()
        #expect(try fixture.savedEvents() == [1, 2, 3, 4])
    }
}
