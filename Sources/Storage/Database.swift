internal import CSQLite

/// An open SQLite file. Owns its `sqlite3`, which its statements keep open. Use it from one thread at a time.
@safe package final class Database {
    let raw: OpaquePointer
    package let path: String

    /// Opens or creates the file. With a write-ahead log and full synchronization, a committed transaction survives if
    /// the process is killed.
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
        // Large pages, because most rows are large. The page size of an existing file does not change.
        try execute(
            "PRAGMA page_size = 16384; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON")
    }

    deinit { unsafe sqlite3_close_v2(raw) }

    /// Runs SQL statements that return no rows.
    package func execute(_ sql: String) throws(StorageError) {
        let code = unsafe sqlite3_exec(raw, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw unsafe StorageError("run", sql, code: code, raw) }
    }

    package func prepare(_ sql: String) throws(StorageError) -> Statement { try Statement(sql, in: self) }

    /// Runs `body` in a transaction. If it throws, nothing is written.
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
