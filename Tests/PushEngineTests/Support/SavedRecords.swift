import PushCore

@testable import PushEngine

/// The records on a disk, for engines that are saved and restored by a test.
struct SavedRecords {
    private(set) var rows: [RecordID: [UInt8]] = [:]

    init() {}

    init(_ rows: [RecordID: [UInt8]]) { self.rows = rows }

    /// Writes what has changed since the last call, as a batch does.
    mutating func save(_ fixture: EngineFixture) {
        for (kind, key, bytes) in fixture.engine.takeUnsavedRecords() {
            guard let kind = RecordKind(rawValue: kind) else { preconditionFailure("the kind \(kind)") }
            rows[RecordID(kind: kind, key: key)] = bytes
        }
    }

    func keys(_ kind: RecordKind) -> [String] { rows.keys.filter { $0.kind == kind }.map(\.key).sorted() }

    /// A new engine with everything that was saved of another: these records, and all else as it is now.
    func restored(_ fixture: EngineFixture) throws -> EngineFixture {
        let other = EngineFixture { $0.seed = 99 }
        other.now = fixture.now
        var snapshot = RestoreTests.snapshot(fixture)
        snapshot.records = rows.map { ($0.key.kind.rawValue, $0.key.key, $0.value) }
        try other.engine.restore(snapshot)
        other.engine.startCollectingChanges()
        return other
    }

    /// Saves an engine, and restores it.
    mutating func restart(_ fixture: EngineFixture) throws -> EngineFixture {
        save(fixture)
        return try restored(fixture)
    }
}

extension EngineFixture {
    /// An engine that notes what changes.
    static func saving() -> EngineFixture {
        let fixture = EngineFixture()
        fixture.engine.startCollectingChanges()
        return fixture
    }
}
