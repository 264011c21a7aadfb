import Storage
import TestSupport
import Testing

/// Files that cannot be used, or that an older version made.
@Suite struct StoreFileTests {
    private func message(_ body: () throws -> Void) -> String {
        do { try body() } catch { return "\(error)" }
        return "no error"
    }

    @Test func `a second store cannot open the file of the first`() throws {
        let scratch = Scratch()
        let store = try Store(directory: scratch.directory)
        let message = message { _ = try Store(directory: scratch.directory) }
        #expect(message == "cannot open \(scratch.path): database is locked: another gateway is using it")
        try store.write(Store.Batch())
    }

    @Test func `a directory that cannot be created is named`() {
        let message = message { _ = try Store(directory: "/dev/null/missing") }
        #expect(message.contains("cannot open /dev/null/missing/pushpit.db: "))
    }

    @Test func `a file in place of the directory is called so`() {
        let scratch = Scratch()
        scratch.write([1])
        let message = message { _ = try Store(directory: scratch.path) }
        #expect(message == "cannot open \(scratch.path): it is a file, not a directory")
    }

    @Test func `a file that is not a database is refused and left unchanged`() {
        let scratch = Scratch()
        let bytes = Array(String(repeating: "This is not a database. ", count: 100).utf8)
        scratch.write(bytes)
        let message = message { _ = try Store(directory: scratch.directory) }
        #expect(message.contains("cannot read \(scratch.path): the file is damaged: "), "\(message)")
        #expect(message.contains("not a database"), "\(message)")
        #expect(scratch.read() == bytes)
    }

    @Test func `a file with damaged pages is refused when it is loaded`() throws {
        let scratch = Scratch()
        do {
            let store = try Store(directory: scratch.directory)
            for first in 1...8 as ClosedRange<Int64> {
                var batch = Store.Batch()
                batch.events = (first, first, Array(repeating: UInt8(first), count: 20_000))
                try store.write(batch)
            }
            store.checkpoint()
        }
        var bytes = scratch.read()
        let pageSize = 16_384
        try #require(bytes.count > 8 * pageSize)
        for index in pageSize..<bytes.count { bytes[index] = UInt8(truncatingIfNeeded: index &* 0x9E37_79B1 >> 7) }
        scratch.write(bytes)
        let message = message { _ = try Store(directory: scratch.directory).load() }
        #expect(message.contains("cannot read \(scratch.path): the file is damaged: "), "\(message)")
    }

    @Test func `a file of a newer version is refused with both versions`() throws {
        let scratch = Scratch()
        try Database(path: scratch.path).execute("PRAGMA user_version = 99")
        let message = message { _ = try Store(directory: scratch.directory) }
        #expect(
            message == "cannot open \(scratch.path): it was created by a newer Pushpit "
                + "(its tables have version 99, this one supports 5)")
    }

    @Test func `a file of the first version is migrated and keeps its rows`() throws {
        let scratch = Scratch()
        do {
            let database = try Database(path: scratch.path)
            try database.execute(
                """
                CREATE TABLE events (first INTEGER PRIMARY KEY, last INTEGER NOT NULL, bytes BLOB NOT NULL);
                CREATE TABLE devices (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, bytes BLOB NOT NULL);
                CREATE TABLE tracking (number INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, bytes BLOB NOT NULL);
                CREATE TABLE numbers (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
                PRAGMA user_version = 1
                """)
            try database.execute("INSERT INTO numbers VALUES ('seq', 17)")
        }
        #expect(try Store(directory: scratch.directory).load().numbers == ["seq": 17])
        var version: [[StorageValue]] = []
        try Database(path: scratch.path).prepare("PRAGMA user_version").run { version.append($0) }
        #expect(version == [[.integer(5)]])
    }
}
