internal import Glibc

/// A lock on a directory, which all processes of the machine see. It ends with its process, however that ends.
package final class DirectoryLock: Sendable {
    /// Negative if the directory could not be opened.
    let descriptor: Int32

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Nil if the directory is locked. A directory that can't be locked counts as not locked: some file systems have no
    /// locks.
    ///
    /// - Parameter followsLinks: whether the path may be a symbolic link. If not, the link counts as not locked.
    package static func take(_ path: String, followsLinks: Bool = true) -> DirectoryLock? {
        let links = followsLinks ? 0 : O_NOFOLLOW
        let lock = DirectoryLock(unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | links))
        guard lock.descriptor >= 0 else { return lock }
        return flock(lock.descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK ? lock : nil
    }
}
