import Devices
import Faults
import PushCore
import Testing

@testable import PushEngine

/// Deleting messages, and going back to the beginning.
@Suite struct DeletionTests {
    private static func fixture() -> EngineFixture {
        let fixture = EngineFixture()
        fixture.make("i")
        fixture.make("o", .ios, app: "com.example.other")
        fixture.push(to: "i")
        fixture.push(to: "o")
        fixture.push(to: "i")
        return fixture
    }

    private static func filter(_ field: MessageFilter.Field, _ wanted: String) throws -> MessageFilter {
        var filter = MessageFilter()
        try filter.add(field, wanted)
        return filter
    }

    @Test func `deleting a message deletes everything about it`() throws {
        let fixture = Self.fixture()
        #expect(fixture.delete(try Self.filter(.app, "com.example.app")) == 2)
        #expect(fixture.logged("p1") == nil)
        #expect(fixture.logged("p2") != nil)
        #expect(fixture.engine.events.events(after: 0).allSatisfy { $0.push.map { $0.number == 2 } ?? true })
        #expect(fixture.engine.messages(try Self.filter(.device, "i"), before: nil, limit: 9).messages.isEmpty)
        #expect(fixture.engine.deletions.ofEvents)
        #expect(fixture.delete(try Self.filter(.app, "com.example.app")) == 0)
        // Numbers go on.
        fixture.push(to: "i")
        #expect(fixture.lastRecord?.id.description == "p4")
    }

    @Test func `a deletion in portions hides its messages at once, and ends with the same result`() throws {
        let fixture = EngineFixture()
        for name in ["i", "j"] { fixture.make(name) }
        for number in 0..<40 { fixture.push(to: number % 3 == 0 ? "j" : "i") }
        fixture.engine.updateJournal()
        let gone = Set((1...40).filter { $0 % 3 == 1 || $0 == 2 }.map { PushID($0) })
        let deletion = fixture.engine.beginDeletion(of: gone)
        let left = (1...40).filter { !gone.contains(PushID($0)) }.reversed().map { "p\($0)" }
        func listed(_ filter: MessageFilter = MessageFilter()) -> [String] {
            JournalSample.ids(fixture.engine.messages(filter, before: nil, limit: 99).messages)
        }
        var portions = 0
        var search = fixture.engine.search(MessageFilter())
        var found: [String] = []
        while !fixture.engine.continueDeletion(atMost: 7) {
            portions += 1
            #expect(listed() == left && fixture.engine.messageCount == left.count)
            #expect(fixture.logged("p1") == nil)
            if let message = fixture.engine.nextMatch(&search, atMost: 5) {
                found.append(message.record.id.description)
            }
        }
        while !search.isDone {
            if let message = fixture.engine.nextMatch(&search, atMost: 5) {
                found.append(message.record.id.description)
            }
        }
        #expect(portions > 10 && deletion.count == gone.count)
        #expect(found == left && listed() == left)
        #expect(listed(try Self.filter(.device, "j")) == [])
        #expect(listed(try Self.filter(.device, "i")) == left)
        #expect(fixture.engine.events.events(after: 0).allSatisfy { $0.push.map { !gone.contains($0) } ?? true })
        #expect(fixture.engine.deletedPushes.isEmpty)
        // What comes later is listed again.
        fixture.push(to: "j")
        #expect(listed(try Self.filter(.device, "j")) == ["p41"])
    }

    @Test func `a deletion whose call has ended is completed while the gateway is idle`() {
        let fixture = Self.fixture()
        fixture.engine.updateJournal()
        _ = fixture.engine.beginDeletion(of: [PushID(1)])
        for _ in 0..<5 { fixture.engine.updateJournalWhileIdle() }
        #expect(fixture.engine.deletedPushes.isEmpty)
        #expect(fixture.engine.events.events(after: 0).allSatisfy { $0.push?.number != 1 })
    }

    @Test func `the log may forget messages while some are deleted`() throws {
        let fixture = EngineFixture { $0.logCapacity = 400 }
        for _ in 0..<100 { fixture.push() }
        fixture.engine.updateJournal()
        let deletion = fixture.engine.beginDeletion(of: Set((1...100).map { PushID($0) }))
        while !fixture.engine.continueDeletion(atMost: 3) {
            fixture.push()
            fixture.engine.updateJournal()
        }
        #expect(deletion.count == 100)
        let found = fixture.engine.messages(MessageFilter(), before: nil, limit: 1000).messages
        #expect(found.allSatisfy { $0.record.id.number > 100 } && found.count == fixture.engine.messageCount)
        #expect(found.count > 20)
    }

    @Test func `a deletion that matches no message changes nothing`() throws {
        let fixture = Self.fixture()
        let newest = fixture.engine.events.newest
        #expect(fixture.delete(try Self.filter(.app, "none")) == 0)
        #expect(!fixture.engine.deletions.ofEvents)
        #expect(fixture.engine.events.events(after: 0).count == Int(newest))
    }

    @Test func `a reset forgets messages, devices, faults, media and tracking`() throws {
        let fixture = Self.fixture()
        try fixture.fault(#"{"effect":{"delay":"1s"}}"#)
        fixture.engine.media["https://example.com/a.png"] = Media(contentType: "image/png", size: 1)
        let (messages, devices) = try fixture.reset(nil)
        #expect((messages, devices) == (3, 2))
        #expect(fixture.engine.devices.count == 0)
        #expect(fixture.engine.faults.isEmpty)
        #expect(fixture.engine.media.urls.all.isEmpty)
        #expect(fixture.engine.deletions.ofEvents && fixture.engine.deletions.ofTracking)
        #expect(
            fixture.take() == [
                "registered i", "registered o", "unregistered i devices.deleted", "unregistered o devices.deleted",
            ])
        // Both names are free again, and the service has forgotten the tokens.
        #expect(fixture.make("i"))
        #expect(fixture.push(to: "i").status == 200)
    }

    @Test func `a reset of one app leaves the others alone`() throws {
        let fixture = Self.fixture()
        fixture.make("f", .android, app: "com.example.third", #""project":"demo""#)
        try fixture.fault(#"{"match":{"app":"com.example.app"},"effect":{"delay":"1s"}}"#)
        try fixture.fault(#"{"effect":{"delay":"2s"}}"#)
        fixture.engine.media["https://example.com/a.png"] = Media(contentType: "image/png", size: 1)
        let (messages, devices) = try fixture.reset("com.example.app")
        #expect((messages, devices) == (2, 1))
        #expect(fixture.engine.devices.count == 2)
        #expect(fixture.engine.faults.faults.map(\.id) == ["f2"])
        #expect(fixture.engine.media.count == 1)
        // A project's name means its devices.
        #expect(try fixture.reset("demo").devices == 1)
        let left = fixture.engine.devices.slots.count {
            fixture.engine.devices.existed($0, atGeneration: fixture.engine.devices.generation)
        }
        #expect(left == 1)
    }

    @Test func `a device that is watched stays, with nothing shown and nothing waiting`() throws {
        let fixture = EngineFixture()
        fixture.make("d")
        fixture.watch("d")
        fixture.push(to: "d")
        fixture.set("d", #"{"online":false}"#)
        fixture.push(to: "d")
        #expect(fixture.device("d").phone.shade.entries.count == 1)
        _ = fixture.take()
        let state = fixture.device("d").state
        #expect(try fixture.reset(nil).devices == 0)
        #expect(fixture.device("d").phone.shade.entries.isEmpty)
        #expect(fixture.device("d").waitingPushes.isEmpty)
        #expect(fixture.device("d").state == state)
        #expect(fixture.take() == ["dropped p2 d devices.reset"])
        #expect(fixture.notifier.dismissed.isEmpty)
        #expect(fixture.engine.devices.waitingBytes == 0)
    }

    @Test func `deleting a device ends its sockets and drops its waiting pushes`() {
        let fixture = EngineFixture()
        fixture.make("d")
        fixture.set("d", #"{"online":false}"#)
        fixture.push(to: "d")
        let token = fixture.apnsToken("d")
        fixture.watch("d", 7)
        _ = fixture.take()
        fixture.delete("d")
        #expect(fixture.take() == ["dropped p1 d devices.deleted", "unregistered d devices.deleted"])
        #expect(fixture.notifier.dismissed == [7])
        #expect(fixture.engine.devices.waitingBytes == 0)
        // Its token is unknown now: a push makes another device.
        fixture.push(token)
        #expect(fixture.take().first == "registered d1")
    }
}
