internal import CSQLite

/// What SQLite refused: the call, what it was about, and SQLite's own code and words.
package struct StorageError: Error, CustomStringConvertible {
    package let operation: String
    package let subject: String
    package let code: Int32
    package let description: String

    /// One that SQLite knows nothing of.
    package init(_ operation: String, _ subject: String, because reason: String) {
        self.operation = operation
        self.subject = subject
        code = SQLITE_ERROR
        description = "can't \(operation) \(subject): \(reason)"
    }

    init(_ operation: String, _ subject: String, code: Int32, _ database: OpaquePointer?) {
        self.operation = operation
        self.subject = subject
        self.code = code
        let words = unsafe String(cString: database == nil ? sqlite3_errstr(code) : sqlite3_errmsg(database))
        description = "can't \(operation) \(subject): \(words) (SQLite code \(code))"
    }
}
