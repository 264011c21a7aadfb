internal import Glibc

/// A directory for the files of one run of the program. The program locks it as long as it runs, so that a later run can
/// tell directories that a killed program left behind.
package final class RunDirectory {
    package let path: String
    private let lock: DirectoryLock
    private var isRemoved = false

    private init(_ path: String, _ lock: DirectoryLock) {
        self.path = path
        self.lock = lock
    }

    deinit { remove() }

    /// Makes a directory `NAME-XXXXXX`, which only this user can read.
    package static func make(_ name: String, in parent: String) throws(Files.Failure) -> RunDirectory {
        var template = Array("\(parent)/\(name)-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw Files.Failure("make a directory in", parent) }
        let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard let lock = DirectoryLock.take(path, followsLinks: false) else {
            // Another process cleans up: to it, a directory without a lock is one that was left behind.
            throw Files.Failure("lock", path)
        }
        return RunDirectory(path, lock)
    }

    /// Deletes the directory with everything in it. A second call does nothing.
    package func remove() {
        guard !isRemoved else { return }
        isRemoved = true
        Self.remove(path, lock)
    }

    /// Directories that have changed more recently than this many seconds ago may belong to a run that starts.
    private static let youngest = 60
    /// The most directories that one run removes, so that it starts quickly.
    private static let most = 16

    /// Deletes directories of runs that were killed: directories that belong to this user, are not locked, and have not
    /// changed for a minute. Symbolic links are not followed.
    ///
    /// - Parameter now: the system's time, in seconds since 1970.
    package static func removeAbandoned(_ name: String, in parent: String, at now: Int64) {
        let names = Files.names(in: parent).filter { isName($0, of: name) }
        var left = most
        for name in names where left > 0 {
            let path = "\(parent)/\(name)"
            guard let lock = DirectoryLock.take(path, followsLinks: false) else { continue }
            var status = stat()
            guard unsafe fstat(lock.descriptor, &status) == 0, status.st_uid == geteuid(),
                now &- Int64(status.st_mtim.tv_sec) >= youngest
            else { continue }
            remove(path, lock)
            left -= 1
        }
    }

    /// Whether the text is the name with a hyphen and six letters or digits.
    private static func isName(_ text: String, of name: String) -> Bool {
        guard text.hasPrefix(name + "-") else { return false }
        let end = text.utf8.dropFirst(name.utf8.count &+ 1)
        return end.count == 6 && end.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x7A ~= $0 | 0x20 }
    }

    private static func remove(_ path: String, _ lock: DirectoryLock) {
        DirectoryTree.empty(lock.descriptor)
        unsafe rmdir(path)
    }
}
