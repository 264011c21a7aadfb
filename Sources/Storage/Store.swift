internal import Glibc
internal import Threads

/// The data that a gateway keeps on disk: one SQLite file in a directory. Safe to use from any thread; calls run one at
/// a time.
package final class Store: Sendable {
    /// The changes since the last batch. They are written in one transaction.
    package struct Batch: Sendable {
        /// Consecutive events, encoded as one piece, with the numbers of the first and the last.
        package var events: (first: Int64, last: Int64, bytes: [UInt8])?
        /// The events about refused pushes in the same range, which `events` does not contain.
        package var refused: (first: Int64, last: Int64, bytes: [UInt8])?
        /// Delete all stored events first: `events` and `refused` contain all events that remain.
        package var replacesEvents = false
        /// Delete the pieces whose events all have numbers up to this one; 0 deletes none.
        package var deletesEventsUpTo: Int64 = 0
        /// The same for the events about refused pushes.
        package var deletesRefusedUpTo: Int64 = 0
        /// Devices that changed; nil bytes delete a device.
        package var devices: [(id: String, bytes: [UInt8]?)] = []
        /// Rows about tracked pushes (`TrackingBook`) that changed; nil bytes delete a row.
        package var tracking: [(key: String, bytes: [UInt8]?)] = []
        /// Delete all stored tracking rows before `tracking` is written.
        package var deletesTracking = false
        /// Records that changed, of any kind; nil bytes delete a record.
        package var records: [(kind: String, key: String, bytes: [UInt8]?)] = []
        /// Named counters to set.
        package var numbers: [(name: String, value: Int64)] = []

        package init() {}
    }

    /// Everything that is stored.
    package struct Contents: Sendable {
        /// Pieces of consecutive events, in the order of their numbers.
        package var events: [[UInt8]] = []
        /// The same for the events about refused pushes. Files of version 3 have them in `events`.
        package var refused: [[UInt8]] = []
        /// The number of the newest event according to the rows of these two tables; 0 without events.
        package var lastEvent: Int64 = 0
        package var devices: [[UInt8]] = []
        package var tracking: [(key: String, bytes: [UInt8])] = []
        package var records: [(kind: String, key: String, bytes: [UInt8])] = []
        package var numbers: [String: Int64] = [:]
        /// A random number. No other file has it, except copies of this one.
        package var identity: Int64 = 0
    }

    /// The largest number of an event or of a row that is accepted from a file. It leaves room for counting without an
    /// overflow.
    package static let largestNumber: Int64 = 1 << 60

    private let file: Lock<StoreFile>
    package let path: String

    /// Opens the store in `directory`; creates the directory and the file if they do not exist.
    package init(directory: String) throws(StorageError) {
        let path = "\(directory)/pushpit.db"
        self.path = path
        guard unsafe mkdir(directory, 0o700) == 0 || errno == EEXIST else { throw .system("open", path) }
        let folder = unsafe Glibc.open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if folder >= 0 {
            close(folder)
        } else if errno == ENOTDIR, unsafe access(directory, F_OK) == 0 {
            throw StorageError("open", directory, because: "it is a file, not a directory")
        }
        // The file contains pushes and tokens, so only its owner may read it. SQLite gives its other files the same
        // mode.
        let descriptor = unsafe Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system("open", path) }
        close(descriptor)
        file = Lock(try Self.namingFile(path) { () throws(StorageError) in try StoreFile(path: path) })
    }

    /// Reads everything. Throws if the file is damaged.
    package func load() throws(StorageError) -> Contents {
        try Self.namingFile(path) { () throws(StorageError) in
            try file.withLock { file throws(StorageError) in try file.load() }
        }
    }

    /// Replaces the SQL in an error with the path of the file, which the user knows.
    private static func namingFile<Value: ~Copyable>(_ path: String, _ body: () throws(StorageError) -> sending Value)
        throws(StorageError) -> sending Value
    {
        do throws(StorageError) { return try body() } catch {
            if error.isDamage { throw .damaged(path, error.message) }
            if error.operation == "read" { throw error }
            let isLocked = error.message.hasSuffix("locked")
            throw StorageError(
                "open", path, because: isLocked ? "\(error.message): another gateway is using it" : error.message)
        }
    }

    /// Moves everything into the main file. Call it before a normal exit.
    package func checkpoint() { file.withLock { $0.checkpoint() } }

    /// Writes all changes of a batch, or none if it throws.
    package func write(_ batch: Batch) throws(StorageError) {
        try file.withLock { file throws(StorageError) in try file.write(batch) }
    }
}
