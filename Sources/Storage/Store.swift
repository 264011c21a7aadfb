internal import Glibc
internal import Synchronization

/// What a gateway keeps on a disk: one SQLite file in a directory. Written by whichever thread asks, one at a time.
package final class Store: Sendable {
    /// What has come since the last one was kept; all of it is kept, or none.
    package struct Batch: Sendable {
        /// Events in a row, with their numbers.
        package var events: (first: Int64, last: Int64, bytes: [UInt8])?
        /// What was kept before of events is forgotten: `events` has all.
        package var replacesEvents = false
        /// Events up to this one are forgotten.
        package var forgetsUpTo: Int64 = 0
        /// Devices that have changed; those without bytes are gone.
        package var devices: [(id: String, bytes: [UInt8]?)] = []
        /// Rows of the tracking book; those without bytes are gone.
        package var tracking: [(key: String, bytes: [UInt8]?)] = []
        package var forgetsTracking = false
        package var numbers: [(name: String, value: Int64)] = []

        package init() {}
    }

    /// All that is kept.
    package struct Contents: Sendable {
        /// Events in the order of their numbers, some in a piece.
        package var events: [[UInt8]] = []
        package var devices: [[UInt8]] = []
        package var tracking: [(key: String, bytes: [UInt8])] = []
        package var numbers: [String: Int64] = [:]
    }

    private let file: Mutex<StoreFile>
    package let path: String

    /// Opens what is there, or begins anew.
    package init(directory: String) throws(StorageError) {
        let path = "\(directory)/pushpit.db"
        self.path = path
        unsafe mkdir(directory, 0o700)
        // What providers sent is in it, their tokens too; what SQLite keeps beside it gets the same rights.
        let descriptor = unsafe Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        if descriptor >= 0 { close(descriptor) }
        file = Mutex(try Self.naming(path) { () throws(StorageError) in try StoreFile(path: path) })
    }

    package func load() throws(StorageError) -> Contents {
        try Self.naming(path) { () throws(StorageError) in
            try file.withLock { file throws(StorageError) in try file.load() }
        }
    }

    /// Who reads the error knows the file, not our SQL.
    private static func naming<Value: ~Copyable>(_ path: String, _ body: () throws(StorageError) -> sending Value)
        throws(StorageError) -> sending Value
    {
        do throws(StorageError) { return try body() } catch {
            let isTaken = error.words.contains("locked")
            throw StorageError("open", path, because: isTaken ? "\(error.words): another gateway uses it" : error.words)
        }
    }

    /// To be called at a gentle end.
    package func settle() { file.withLock { $0.settle() } }

    package func write(_ batch: Batch) throws(StorageError) {
        try file.withLock { file throws(StorageError) in try file.write(batch) }
    }
}
