internal import Glibc

/// A lock on a file, which all processes of the machine see. It ends with its process, however that ends.
package final class FileLock: Sendable {
    package enum Attempt {
        case taken(FileLock)
        /// Another process has the lock.
        case busy
        /// The file can't be made or locked, because its directory is read-only or its file system has no locks.
        case impossible
    }

    private let descriptor: Int32

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Tries every 20 ms until the lock is taken, at most for this many milliseconds. 0 tries once and never blocks.
    package static func take(_ path: String, patience: Int) -> Attempt {
        // Reading is enough for a lock, so a file in a read-only directory can be locked if it exists.
        var descriptor = unsafe open(path, O_RDONLY | O_CREAT | O_CLOEXEC, mode_t(0o600))
        if descriptor < 0 { descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC) }
        guard descriptor >= 0 else { return .impossible }
        let lock = FileLock(descriptor)
        for attempt in 0...patience / 20 {
            if attempt > 0 { usleep(20_000) }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return .taken(lock) }
            guard errno == EWOULDBLOCK || errno == EINTR else { return .impossible }
        }
        return .busy
    }
}
