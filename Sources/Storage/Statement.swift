internal import CSQLite

/// A prepared statement that can be run many times. Owns its `sqlite3_stmt` and keeps its database open.
@safe package final class Statement {
    private let raw: OpaquePointer
    private let database: Database
    private let sql: String

    init(_ sql: String, in database: Database) throws(StorageError) {
        var prepared: OpaquePointer?
        let code = unsafe sqlite3_prepare_v2(database.raw, sql, -1, &prepared, nil)
        guard code == SQLITE_OK, let found = unsafe prepared else {
            throw unsafe StorageError("prepare", sql, code: code, database.raw)
        }
        unsafe raw = unsafe found
        self.database = database
        self.sql = sql
    }

    deinit { unsafe sqlite3_finalize(raw) }

    /// Runs the statement with `values` for its question marks, and passes each row of the result to `row`.
    package func run(_ values: [StorageValue] = [], _ row: ([StorageValue]) -> Void = { _ in }) throws(StorageError) {
        defer {
            unsafe sqlite3_reset(raw)
            unsafe sqlite3_clear_bindings(raw)
        }
        for (index, value) in values.enumerated() {
            let code = bind(value, at: Int32(index + 1))
            guard code == SQLITE_OK else { throw unsafe StorageError("bind a value to", sql, code: code, database.raw) }
        }
        while true {
            switch unsafe sqlite3_step(raw) {
            case SQLITE_ROW: row(columns)
            case SQLITE_DONE: return
            case let code: throw unsafe StorageError("run", sql, code: code, database.raw)
            }
        }
    }

    /// Binds a value. `SQLITE_TRANSIENT` makes SQLite copy it. Swift does not import that C macro, which is -1 cast to
    /// a function pointer.
    private func bind(_ value: StorageValue, at index: Int32) -> Int32 {
        let transient = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        return switch value {
        case .null: unsafe sqlite3_bind_null(raw, index)
        case .integer(let number): unsafe sqlite3_bind_int64(raw, index, number)
        case .text(let text): unsafe sqlite3_bind_text(raw, index, text, Int32(text.utf8.count), transient)
        case .blob(let bytes): unsafe sqlite3_bind_blob64(raw, index, bytes, UInt64(bytes.count), transient)
        }
    }

    private var columns: [StorageValue] {
        let count = unsafe sqlite3_column_count(raw)
        return (0..<count).map(column)
    }

    private func column(_ index: Int32) -> StorageValue {
        switch unsafe sqlite3_column_type(raw, index) {
        case SQLITE_NULL: .null
        case SQLITE_INTEGER: .integer(unsafe sqlite3_column_int64(raw, index))
        case SQLITE_TEXT: Self.text(unsafe bytes(sqlite3_column_text(raw, index), index))
        default: .blob(unsafe bytes(sqlite3_column_blob(raw, index), index))
        }
    }

    /// A text that is not UTF-8 is returned as a blob. If Swift replaced its invalid bytes, a key would no longer match
    /// its row.
    private static func text(_ bytes: [UInt8]) -> StorageValue {
        String(validating: bytes, as: UTF8.self).map { .text($0) } ?? .blob(bytes)
    }

    private func bytes(_ start: UnsafeRawPointer?, _ index: Int32) -> [UInt8] {
        unsafe Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(raw, index))))
    }
}

@available(*, unavailable) extension Statement: Sendable {}
