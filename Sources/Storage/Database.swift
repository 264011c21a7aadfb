internal import CSQLite

/// One SQLite file, for the one thread that opened it. Owns its `sqlite3`; its statements keep it alive.
@safe package final class Database {
    let raw: OpaquePointer
    package let path: String

    /// Opens or makes the file, with a write-ahead log, so that a killed process loses nothing it was told is kept.
    package init(path: String) throws(StorageError) {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        let code = unsafe sqlite3_open_v2(path, &opened, flags, nil)
        guard code == SQLITE_OK, let found = unsafe opened else {
            defer { unsafe sqlite3_close_v2(opened) }
            throw unsafe StorageError("open", path, code: code, opened)
        }
        unsafe raw = unsafe found
        self.path = path
        // A page size holds for new files alone; what is kept here comes in large pieces.
        try execute(
            "PRAGMA page_size = 16384; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON")
    }

    deinit { unsafe sqlite3_close_v2(raw) }

    /// Runs statements that answer nothing.
    package func execute(_ sql: String) throws(StorageError) {
        let code = unsafe sqlite3_exec(raw, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw unsafe StorageError("run", sql, code: code, raw) }
    }

    package func prepare(_ sql: String) throws(StorageError) -> Statement { try Statement(sql, in: self) }

    /// All of it is kept, or none.
    package func transaction(_ body: () throws(StorageError) -> Void) throws(StorageError) {
        try execute("BEGIN IMMEDIATE")
        do throws(StorageError) {
            try body()
            try execute("COMMIT")
        } catch {
            try? execute("ROLLBACK")
            throw error
        }
    }
}

@available(*, unavailable) extension Database: Sendable {}
