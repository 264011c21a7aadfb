import Platform
import TestSupport
import Testing

/// Who uses a directory.
@Suite struct DirectoryLockTests {
    @Test func `a directory is locked once, until its lock is gone`() {
        let (one, other) = (Scratch(), Scratch())
        var first = DirectoryLock.take(one.directory)
        #expect(first != nil)
        #expect(DirectoryLock.take(one.directory) == nil)
        #expect(DirectoryLock.take(other.directory) != nil)
        first = nil
        #expect(first == nil && DirectoryLock.take(one.directory) != nil)
    }

    @Test func `a directory that does not exist counts as not locked`() {
        let path = Scratch().path("gone")
        let first = DirectoryLock.take(path)
        #expect(first != nil && DirectoryLock.take(path) != nil)
    }
}
