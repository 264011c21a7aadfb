import Devices
import PushCore
import PushEngine
import Storage
import TestSupport
import Testing

@testable import Persistence

/// Many changed devices are saved in portions, so that a batch does not hold up the loop.
@Suite struct DividedBatchTests {
    private func fixture(devices: Int) throws -> PersisterFixture {
        let fixture = try PersisterFixture(logCapacity: 10_000)
        for number in 0..<devices { try fixture.make("d\(number)") }
        return fixture
    }

    @Test func `the events come with the last devices, and the answers after them`() throws {
        let fixture = try fixture(devices: 1000)
        fixture.hold(1)
        let newest = fixture.engine.events.newest
        var steps: [[UInt64]] = []
        while fixture.begin() {
            fixture.finish()
            steps.append([UInt64(try fixture.store.load().devices.count), fixture.persister.savedUpTo])
        }
        #expect(steps == [[400, 0], [800, 0], [1000, newest]])
        #expect(fixture.takeProgress() == ["saved", "saved", "saved 1"])
    }

    @Test func `events are encoded in portions`() throws {
        let fixture = try fixture(devices: 0)
        fixture.note(1000)
        var steps: [Bool] = []
        repeat {
            // What comes meanwhile is in the next batch.
            fixture.note()
            steps.append(fixture.persister.begin(&fixture.engine) { _ in })
        } while steps.last == false
        #expect(steps == [false, false, true])
        fixture.finish()
        #expect(try fixture.savedEvents() == Array(1...1001))
    }

    @Test func `devices keep their order over a restart`() throws {
        func save() throws -> Scratch {
            let fixture = try fixture(devices: 1000)
            fixture.save()
            return fixture.scratch
        }
        let again = try PersisterFixture(logCapacity: 10_000, in: try save())
        let ids = again.engine.devices.slots.map { again.engine.devices.id(at: $0).description }
        #expect(ids == (0..<1000).map { "d\($0)" })
    }

    @Test func `what happens meanwhile waits for its own devices`() throws {
        let fixture = try fixture(devices: 500)
        fixture.hold(1)
        #expect(fixture.begin())
        try fixture.make("late")
        fixture.hold(3)
        fixture.finish()
        #expect(fixture.begin())
        fixture.finish()
        #expect(fixture.takeProgress() == ["saved", "saved 1"])
        #expect(try fixture.store.load().devices.count == 500)
        fixture.save()
        #expect(fixture.takeProgress() == ["saved 3"])
        #expect(try fixture.store.load().devices.count == 501)
    }

    @Test(arguments: [0, 1, 2]) func `after a failure all devices are saved`(failing: Int) throws {
        let fixture = try fixture(devices: 1000)
        for _ in 0..<failing {
            #expect(fixture.begin())
            fixture.finish()
        }
        #expect(fixture.begin())
        fixture.finish(failing: .full)
        #expect(fixture.persister.savedUpTo == 0)
        fixture.save(at: 1000)
        #expect(try fixture.store.load().devices.count == 1000)
        #expect(fixture.persister.savedUpTo == fixture.engine.events.newest)
    }

    @Test func `the end saves everything`() throws {
        let fixture = try fixture(devices: 1000)
        #expect(fixture.begin())
        fixture.end()
        #expect(try fixture.store.load().devices.count == 1000)
        #expect(fixture.persister.savedUpTo == fixture.engine.events.newest)
    }
}
