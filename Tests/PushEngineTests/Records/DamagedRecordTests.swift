import APNs
import Devices
import HTTPCore
import PushCore
import Receivers
import Testing

@testable import PushEngine

/// Records that are not as they were written: they are read or refused, and the process lives.
@Suite struct DamagedRecordTests {
    /// One record of each kind, and an engine that has everything they refer to.
    private static func sample() throws -> (rows: [RecordID: [UInt8]], fixture: EngineFixture) {
        var (saved, fixture) = (SavedRecords(), EngineFixture.saving())
        fixture.make("i")
        let body = #"{"message-storage-policy":1,"push-type":"LiveActivity"}"#
        _ = fixture.call("POST", "/1/apps/\(EngineFixture.app)/channels", body: body)
        fixture.make("a", .android, #""project":"demo""#)
        fixture.subscribe("a", to: "news")
        try fixture.fault(#"{"effect":{"deliverAfter":"1h"},"every":1,"per":"token","probability":1}"#)
        fixture.push(to: "i")
        fixture.message(#""topic":"news","data":{"a":"b"}"#)
        var media = Media(contentType: "image/png", size: 3)
        media.content = [1, 2, 3]
        fixture.engine.setMedia(media, for: "https://e.com/a.png")
        fixture.engine.addKey(
            ProviderKey(id: "NEWKEY1234", team: "TEAM567890", environment: .sandbox, topics: ["a"]), publicPEM: [1])
        fixture.engine.addAccount("a@b.example", publicPEM: [1])
        fixture.engine.saveClock(.ahead(milliseconds: 7))
        let checkin = Request(version: .http2, headers: HeaderBlock([.method: "POST", .path: "/checkin"]))
        _ = fixture.engine.realReceivers.answer(checkin, at: fixture.now)
        fixture.engine.applyReceiverNews(at: fixture.now)
        saved.save(fixture)
        var rows = saved.rows
        rows[RecordID(kind: .latePushProgress, key: "3.0")] = UInt64(1).savedBytes
        return (rows, fixture)
    }

    /// Restores these records. If that succeeds, the engine is used. Returns the reason if it is refused.
    private static func outcome(_ rows: [RecordID: [UInt8]], _ fixture: EngineFixture) -> String? {
        let restored: EngineFixture
        do { restored = try SavedRecords(rows).restored(fixture) } catch {
            return (error as? EngineSnapshot.Damage)?.reason ?? "\(error)"
        }
        restored.push(to: "i")
        restored.message(#""topic":"news","data":{"a":"b"}"#)
        restored.advance(7_200_000)
        var saved = SavedRecords()
        saved.save(restored)
        return nil
    }

    @Test func `the sample has every kind and is restored`() throws {
        let (rows, fixture) = try Self.sample()
        #expect(Set(rows.keys.map(\.kind)) == Set(RecordKind.allCases))
        #expect(Self.outcome(rows, fixture) == nil)
    }

    @Test(arguments: RecordKind.allCases) func `a record that is cut off or too long is refused`(kind: RecordKind)
        throws
    {
        let (rows, fixture) = try Self.sample()
        let (id, bytes) = try #require(rows.first { $0.key.kind == kind })
        for count in 0..<bytes.count {
            var damaged = rows
            damaged[id] = Array(bytes.prefix(count))
            let reason = Self.outcome(damaged, fixture)
            // Records of media had neither a format nor bytes in earlier versions.
            if kind == .media, [bytes.count - 5, bytes.count - 4].contains(count) {
                #expect(reason == nil)
                continue
            }
            #expect(
                reason?.hasPrefix("it contains a damaged '\(kind.rawValue)' record") == true,
                "\(count) of \(bytes.count) bytes")
        }
        var damaged = rows
        damaged[id] = bytes + [0]
        #expect(Self.outcome(damaged, fixture)?.hasPrefix("it contains a damaged '\(kind.rawValue)' record") == true)
    }

    @Test(arguments: RecordKind.allCases) func `changed bytes are read or refused`(kind: RecordKind) throws {
        let (rows, fixture) = try Self.sample()
        let (id, bytes) = try #require(rows.first { $0.key.kind == kind })
        var generator = Random(seed: 5)
        var refused = 0
        for round in 0..<600 {
            var changed = bytes
            for _ in 0...round % 3 {
                let index = Int.random(in: changed.indices, using: &generator)
                changed[index] =
                    [0, 1, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &generator)]
                    .randomElement(using: &generator) ?? 0
            }
            // Ten bytes of a number that is as large as it can be.
            if round % 5 == 0 {
                let index = Int.random(in: changed.indices, using: &generator)
                changed.replaceSubrange(index...index, with: Array(repeating: 0xFF, count: 9) + [1])
            }
            var damaged = rows
            damaged[id] = changed
            if Self.outcome(damaged, fixture) != nil { refused += 1 }
        }
        #expect(refused > 0)
    }

    /// Keys that do not belong to the kind.
    @Test(arguments: [
        (RecordKind.channel, "production"), (.channel, "moon x y"), (.faultCount, ""), (.faultCount, "f9 x"),
        (.latePush, ""), (.latePushProgress, "x"), (.media, ""), (.clock, "x"),
    ])
    func `a key that makes no sense is ignored or refused`(kind: RecordKind, key: String) throws {
        var (rows, fixture) = try Self.sample()
        let (id, bytes) = try #require(rows.first { $0.key.kind == kind })
        rows[id] = nil
        rows[RecordID(kind: kind, key: key)] = bytes
        let reason = Self.outcome(rows, fixture)
        #expect(reason?.hasPrefix("it contains a damaged '\(kind.rawValue)' record") ?? true)
    }

    @Test(arguments: [(RecordKind.fault, "f2"), (.apnsKey, "NEWKEY5678")])
    func `a record under a key of another is refused`(kind: RecordKind, key: String) throws {
        var (rows, fixture) = try Self.sample()
        let (id, bytes) = try #require(rows.first { $0.key.kind == kind })
        rows[id] = nil
        rows[RecordID(kind: kind, key: key)] = bytes
        #expect(Self.outcome(rows, fixture)?.hasPrefix("it contains a damaged '\(kind.rawValue)' record") == true)
    }

    @Test func `two faults with one id are refused`() throws {
        var (rows, fixture) = try Self.sample()
        rows[RecordID(kind: .fault, key: "f2")] = rows[RecordID(kind: .fault, key: "f1")]
        #expect(Self.outcome(rows, fixture)?.hasPrefix("it contains a damaged 'fault' record") == true)
    }

    @Test func `counters that are as large as they can be stop nothing`() throws {
        let (_, fixture) = try Self.sample()
        var snapshot = RestoreTests.snapshot(fixture)
        for name in snapshot.counters.keys { snapshot.counters[name] = name == "faults" ? 1 << 53 : 1 << 60 }
        let other = EngineFixture()
        try other.engine.restore(snapshot)
        other.engine.startCollectingChanges()
        #expect(other.push(to: "i").status == 200)
        try other.fault(#"{\#(EngineFixture.refusal)}"#)
        let counters = other.engine.counters
        #expect(counters.allSatisfy { $0.value >= 1 << 53 })
    }

    @Test(arguments: ["seq", "pushes", "hits", "faults"], [Int64.max, .min, -1, (1 << 60) + 1])
    func `a counter out of range is refused by its name`(name: String, value: Int64) throws {
        let (_, fixture) = try Self.sample()
        var snapshot = RestoreTests.snapshot(fixture)
        snapshot.counters[name] = value
        let damage = #expect(throws: EngineSnapshot.Damage.self) { try EngineFixture().engine.restore(snapshot) }
        #expect(damage?.reason.hasPrefix("the number '\(name)' is \(value), which is not between 0 and ") == true)
    }
}
