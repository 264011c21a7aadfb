/// The tables of a store and the statements that use them.
struct StoreFile {
    let database: Database
    private let addEvents: Statement
    private let forgetEvents: Statement
    private let addRefused: Statement
    private let forgetRefused: Statement
    private let putDevice: Statement
    private let removeDevice: Statement
    private let putTracking: Statement
    private let removeTracking: Statement
    private let putRecord: Statement
    private let removeRecord: Statement
    private let putNumber: Statement

    /// The changes that each version made to the tables. An older file is migrated when it is opened.
    private static let migrations = [
        """
        CREATE TABLE events (first INTEGER PRIMARY KEY, last INTEGER NOT NULL, bytes BLOB NOT NULL);
        CREATE TABLE devices (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, bytes BLOB NOT NULL);
        CREATE TABLE tracking (number INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, bytes BLOB NOT NULL);
        CREATE TABLE numbers (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
        """,
        "-- The tables are the same; an encoded request may reuse the header fields of the request before it.",
        """
        CREATE TABLE records (
            number INTEGER PRIMARY KEY, kind TEXT NOT NULL, key TEXT NOT NULL, bytes BLOB NOT NULL, UNIQUE (kind, key));
        """,
        "CREATE TABLE refused (first INTEGER PRIMARY KEY, last INTEGER NOT NULL, bytes BLOB NOT NULL);",
        "CREATE TABLE identity (number INTEGER NOT NULL); INSERT INTO identity VALUES (random());",
    ]

    init(path: String) throws(StorageError) {
        let database = try Database(path: path)
        // Lock the file: a second gateway with the same file would not see this one's pushes.
        try database.execute(
            "PRAGMA locking_mode = EXCLUSIVE; PRAGMA wal_autocheckpoint = 4000; PRAGMA cache_size = -16384; BEGIN IMMEDIATE; COMMIT"
        )
        try Self.migrate(database)
        self.database = database
        addEvents = try database.prepare("INSERT INTO events VALUES (?, ?, ?)")
        forgetEvents = try database.prepare("DELETE FROM events WHERE last <= ?")
        addRefused = try database.prepare("INSERT INTO refused VALUES (?, ?, ?)")
        forgetRefused = try database.prepare("DELETE FROM refused WHERE last <= ?")
        putDevice = try database.prepare(
            "INSERT INTO devices (id, bytes) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET bytes = excluded.bytes")
        removeDevice = try database.prepare("DELETE FROM devices WHERE id = ?")
        putTracking = try database.prepare(
            "INSERT INTO tracking (key, bytes) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET bytes = excluded.bytes")
        removeTracking = try database.prepare("DELETE FROM tracking WHERE key = ?")
        putRecord = try database.prepare(
            """
            INSERT INTO records (kind, key, bytes) VALUES (?, ?, ?)
            ON CONFLICT (kind, key) DO UPDATE SET bytes = excluded.bytes
            """)
        removeRecord = try database.prepare("DELETE FROM records WHERE kind = ? AND key = ?")
        putNumber = try database.prepare(
            "INSERT INTO numbers VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value")
    }

    private static func migrate(_ database: Database) throws(StorageError) {
        var version: Int64 = 0
        try database.prepare("PRAGMA user_version").run { row in
            if case .integer(let number)? = row.first { version = number }
        }
        guard version >= 0 else {
            throw .damaged(database.path, "the version of its tables is \(version)")
        }
        guard version <= migrations.count else {
            throw StorageError(
                "open", database.path,
                because:
                    "it was created by a newer Pushpit (its tables have version \(version), this one supports \(migrations.count))"
            )
        }
        try database.transaction { () throws(StorageError) in
            for (index, sql) in migrations.enumerated().dropFirst(Int(version)) {
                try database.execute(sql)
                try database.execute("PRAGMA user_version = \(index + 1)")
            }
        }
    }

    /// Moves the write-ahead log into the main file, so that a copy of that file is complete. If that fails, it is
    /// done at the next start.
    func checkpoint() { try? database.execute("PRAGMA wal_checkpoint(TRUNCATE)") }

    func write(_ batch: Store.Batch) throws(StorageError) {
        try database.transaction { () throws(StorageError) in
            if batch.replacesEvents { try database.execute("DELETE FROM events; DELETE FROM refused") }
            for (piece, add) in [(batch.events, addEvents), (batch.refused, addRefused)] {
                if let piece { try add.run([.integer(piece.first), .integer(piece.last), .blob(piece.bytes)]) }
            }
            if batch.deletesEventsUpTo > 0 { try forgetEvents.run([.integer(batch.deletesEventsUpTo)]) }
            if batch.deletesRefusedUpTo > 0 { try forgetRefused.run([.integer(batch.deletesRefusedUpTo)]) }
            for device in batch.devices {
                if let bytes = device.bytes {
                    try putDevice.run([.text(device.id), .blob(bytes)])
                } else {
                    try removeDevice.run([.text(device.id)])
                }
            }
            if batch.deletesTracking { try database.execute("DELETE FROM tracking") }
            for row in batch.tracking {
                if let bytes = row.bytes {
                    try putTracking.run([.text(row.key), .blob(bytes)])
                } else {
                    try removeTracking.run([.text(row.key)])
                }
            }
            for record in batch.records {
                let id: [StorageValue] = [.text(record.kind), .text(record.key)]
                if let bytes = record.bytes {
                    try putRecord.run(id + [.blob(bytes)])
                } else {
                    try removeRecord.run(id)
                }
            }
            for number in batch.numbers { try putNumber.run([.text(number.name), .integer(number.value)]) }
        }
    }
}
