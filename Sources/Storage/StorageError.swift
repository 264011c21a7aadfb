internal import CSQLite
internal import Glibc

/// An operation that failed: what was attempted, on what, and why.
package struct StorageError: Error, CustomStringConvertible {
    package let operation: String
    package let subject: String
    /// SQLite's result code.
    package let code: Int32
    /// SQLite's message, or Pushpit's if SQLite did not report the problem.
    package let message: String

    package var description: String {
        "cannot \(operation) \(subject): \(message)" + (code == SQLITE_ERROR ? "" : " (SQLite code \(code))")
    }

    /// A problem that SQLite did not report.
    package init(_ operation: String, _ subject: String, because reason: String) {
        self.operation = operation
        self.subject = subject
        code = SQLITE_ERROR
        message = reason
    }

    /// A call to the system that failed; errno says why.
    static func system(_ operation: String, _ subject: String) -> StorageError {
        let reason = meansFullDisk(errno) ? fullDisk : unsafe String(cString: strerror(errno))
        return StorageError(operation, subject, because: reason)
    }

    private static func meansFullDisk(_ code: Int32) -> Bool { code == ENOSPC || code == EDQUOT }

    private static let fullDisk = "the disk is full: free some space on it"

    /// The file at `path` contains something that Pushpit has not written.
    package static func damaged(_ path: String, _ reason: String) -> StorageError {
        StorageError(
            "read", path,
            because: "the file is damaged: \(reason); restore a copy of it, or move the file away to start afresh")
    }

    /// Whether SQLite found that the file, or one of its tables, is not as Pushpit made it.
    var isDamage: Bool {
        let codes = [SQLITE_ERROR, SQLITE_CONSTRAINT, SQLITE_CORRUPT, SQLITE_FORMAT, SQLITE_MISMATCH, SQLITE_NOTADB]
        return ["run", "prepare"].contains(operation) && codes.contains(code & 0xFF)
    }

    init(_ operation: String, _ subject: String, code: Int32, _ database: OpaquePointer?) {
        self.operation = operation
        self.subject = subject
        self.code = code
        // SQLite has a code for a full disk, but uses it only when it writes pages.
        let isFull =
            switch code & 0xFF {
            case SQLITE_FULL: true
            case SQLITE_IOERR, SQLITE_CANTOPEN: Self.meansFullDisk(unsafe sqlite3_system_errno(database))
            default: false
            }
        message =
            isFull
            ? Self.fullDisk : unsafe String(cString: database == nil ? sqlite3_errstr(code) : sqlite3_errmsg(database))
    }
}
