internal import CSQLite

/// What SQLite refused: the call, what it was about, and SQLite's own code and words.
package struct StorageError: Error, CustomStringConvertible {
    package let operation: String
    package let subject: String
    package let code: Int32
    /// SQLite's, or ours.
    package let words: String

    package var description: String {
        "can't \(operation) \(subject): \(words)" + (code == SQLITE_ERROR ? "" : " (SQLite code \(code))")
    }

    /// One that SQLite knows nothing of.
    package init(_ operation: String, _ subject: String, because reason: String) {
        self.operation = operation
        self.subject = subject
        code = SQLITE_ERROR
        words = reason
    }

    init(_ operation: String, _ subject: String, code: Int32, _ database: OpaquePointer?) {
        self.operation = operation
        self.subject = subject
        self.code = code
        words = unsafe String(cString: database == nil ? sqlite3_errstr(code) : sqlite3_errmsg(database))
    }
}
