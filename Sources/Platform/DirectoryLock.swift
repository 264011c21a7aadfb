internal import Glibc

/// A lock on a directory, which all processes of the machine see. It ends with its process, however that ends.
package final class DirectoryLock: Sendable {
    private let descriptor: Int32

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Nil if the directory is locked. A directory that can't be locked counts as not locked: some file systems have no
    /// locks.
    package static func take(_ path: String) -> DirectoryLock? {
        let lock = DirectoryLock(unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
        guard lock.descriptor >= 0 else { return lock }
        return flock(lock.descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK ? lock : nil
    }
}
