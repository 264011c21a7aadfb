import Devices
import HTTPCore
import PushCore
import Testing

@testable import PushEngine

/// An engine that was restored from what was saved answers as the one before.
@Suite struct RestoreTests {
    /// What `LogPersister` saves: events, changed devices, tracking and counters.
    static func snapshot(_ fixture: EngineFixture) -> EngineSnapshot {
        var snapshot = EngineSnapshot()
        func bytes(_ part: EventLog.Part) -> [UInt8] {
            var writer = ByteWriter()
            fixture.engine.events.write(1...max(1, fixture.engine.events.newest), of: part, to: &writer)
            return writer.bytes
        }
        (snapshot.events, snapshot.refused) = ([bytes(.main)], [bytes(.refused)])
        snapshot.devices = fixture.engine.devices.oldestFirst.map { fixture.engine.devices.encoded($0) }
        snapshot.tracking = fixture.engine.takeUnsavedTracking(since: 0).compactMap { row in
            row.bytes.map { (row.key, $0) }
        }
        snapshot.counters = Dictionary(uniqueKeysWithValues: fixture.engine.counters.map { ($0.name, $0.value) })
        return snapshot
    }

    static func restored(_ fixture: EngineFixture, _ change: @escaping (inout EngineSettings) -> Void = { _ in }) throws
        -> EngineFixture
    {
        let other = EngineFixture { settings in
            // The seed of the second run is another one.
            settings.seed = 99
            change(&settings)
        }
        other.now = fixture.now
        try other.engine.restore(snapshot(fixture))
        return other
    }

    static func fixture() -> EngineFixture {
        let fixture = EngineFixture()
        fixture.make("i", .ios, #""tracking":{"profile":"adobe","ecid":"123"}"#)
        fixture.make("a", .android, #""project":"demo""#)
        fixture.make("off")
        fixture.subscribe("a", to: "news")
        fixture.set("off", #"{"online":false}"#)
        fixture.push(to: "i", body: #"{"aps":{"alert":"one","badge":4},"_mId":"m","_dId":"d"}"#)
        fixture.push(to: "off", body: #"{"aps":{"alert":"later"}}"#)
        fixture.message(to: "a", #""notification":{"title":"two"}"#)
        fixture.message(#""token":"abc""#)
        fixture.push("abc")
        fixture.engine.tracking.unsaved = [PushID(1)]
        return fixture
    }

    @Test func `a restored engine has the same log`() throws {
        let before = Self.fixture()
        let after = try Self.restored(before)
        let events = before.engine.events.events(after: 0)
        let restored = after.engine.events.events(after: 0)
        #expect(restored.map(EngineFixture.line) == events.map(EngineFixture.line))
        #expect(restored.map(\.seq) == events.map(\.seq))
        #expect(restored.map(\.time) == events.map(\.time))
        #expect(after.engine.events.newest == before.engine.events.newest)
        for id in ["p1", "p3", "p4"] {
            let (old, new) = (before.logged(id), after.logged(id))
            #expect(try #require(new).request.body == #require(old).request.body)
            #expect(new?.record.findings == old?.record.findings)
            #expect(new?.record.name == old?.record.name)
        }
    }

    @Test func `restored devices have their tokens, topics, states and shades`() throws {
        let before = Self.fixture()
        let after = try Self.restored(before)
        for id in ["i", "a", "off"] {
            let (old, new) = (before.device(id), after.device(id))
            #expect(new.apnsToken == old.apnsToken)
            #expect(new.fcmToken == old.fcmToken)
            #expect(new.state == old.state)
            #expect(new.topics == old.topics)
            #expect(new.phone.badge == old.phone.badge)
            #expect(new.phone.shade.entries.map(\.key) == old.phone.shade.entries.map(\.key))
        }
        #expect(after.device("i").phone.shade.entries.count == 1)
        #expect(after.engine.devices.waitingBytes == before.engine.devices.waitingBytes)
    }

    @Test func `a restored engine continues where the other stopped`() throws {
        let before = Self.fixture()
        let after = try Self.restored(before)
        _ = before.take()
        _ = after.take()
        for fixture in [before, after] {
            fixture.advance(5000)
            fixture.set("off", #"{"online":true}"#)
            fixture.push(to: "i")
            fixture.message(#""topic":"news","data":{"a":"b"}"#)
            fixture.finish()
        }
        let events = after.take()
        #expect(events == before.take())
        #expect(events.contains("delivered p2 off apns.delivered-from-storage after 5000"))
        #expect(events.contains("delivered p7 a fcm.delivered"))
        // The ids of pushes come from the saved seed.
        #expect(after.push(to: "i").headers["apns-id"] == before.push(to: "i").headers["apns-id"])
    }

    @Test func `restored notifications can be opened`() throws {
        let after = try Self.restored(Self.fixture())
        let key = try #require(after.device("i").phone.shade.entries.first?.key)
        _ = after.takeEvents()
        #expect(after.perform(.act(.open(key)), on: "i") == nil)
        #expect(after.takeShown().contains { $0.hasPrefix("opened p1 i") })
    }

    @Test func `hits are joined to restored pushes`() throws {
        let before = Self.fixture()
        let after = try Self.restored(before)
        #expect(after.engine.tracking.pushes.map(\.push) == [PushID(1)])
        let request = after.request(method: "GET", path: "/r/?id=m,d,2&mcId=1")
        _ = after.engine.collect(request, at: after.now)
        #expect(after.engine.tracking.hits.last?.push == PushID(1))
        #expect(after.engine.trackingTotal == before.engine.trackingTotal + 1)
    }

    @Test func `a throttled message waits for its time after a restart too`() throws {
        let before = EngineFixture { $0.enforcesQuotas = true }
        before.make("a", .android)
        for _ in 0..<21 { before.message(to: "a", #""android":{"collapseKey":"k"}"#) }
        #expect(before.take().last == "stored p21 a fcm.pending")
        let after = try Self.restored(before) { $0.enforcesQuotas = true }
        #expect(after.engine.pendingWork.wakes.count == 1)
        _ = after.take()
        after.advance(180_000)
        #expect(after.take() == ["delivered p21 a fcm.delivered-after-throttle after 180000"])
    }

    @Test func `numbers that were used are not used again`() throws {
        let before = Self.fixture()
        // The messages are gone, but their numbers were seen.
        _ = before.engine.deleteMessages(before.engine.pushes(matching: MessageFilter()))
        let after = try Self.restored(before)
        after.push(to: "i")
        #expect(after.lastRecord?.id == PushID(6))
        #expect(after.engine.events.newest > before.engine.events.newest)
    }

    @Test func `a log that is smaller now keeps the newest`() throws {
        let before = Self.fixture()
        let after = try Self.restored(before) { $0.logCapacity = 4 }
        let events = before.engine.events.events(after: 0)
        let newest = events.filter { $0.kind != .refused }.suffix(4) + events.filter { $0.kind == .refused }.suffix(1)
        #expect(after.engine.events.events(after: 0).map(\.seq) == newest.map(\.seq))
        #expect(after.logged("p5") != nil)
        #expect(after.logged("p1") == nil)
    }

    @Test func `a damaged snapshot is refused`() {
        let before = Self.fixture()
        let good = Self.snapshot(before)
        var events = good
        events.events[0].removeLast()
        var order = good
        order.events.append(good.events[0])
        var device = good
        device.devices[1] = Array("{}".utf8)
        var twice = good
        twice.devices.append(good.devices[0])
        for (snapshot, word) in [(events, "event"), (order, "event"), (device, "device"), (twice, "device")] {
            let fixture = EngineFixture()
            let damage = #expect(throws: EngineSnapshot.Damage.self) { try fixture.engine.restore(snapshot) }
            #expect(damage?.reason.contains(word) == true)
        }
    }

    @Test func `changes are noted from the start of saving on`() {
        let fixture = EngineFixture()
        fixture.make("before")
        fixture.engine.startCollectingChanges()
        fixture.make("after")
        #expect(fixture.engine.takeUnsavedDevices().map(\.description) == ["after"])
        #expect(fixture.engine.takeUnsavedDevices().isEmpty)
        fixture.delete("after")
        let gone = fixture.engine.takeUnsavedDevices()
        #expect(gone.map(\.description) == ["after"])
        let rows = fixture.engine.encodedDevices(gone)
        #expect(rows.map(\.id) == ["after"] && rows.first?.bytes == nil)
    }
}
