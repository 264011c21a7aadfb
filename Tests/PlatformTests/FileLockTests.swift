import Platform
import TestSupport
import Testing

/// Which process may change a directory.
@Suite struct FileLockTests {
    private func take(_ path: String) -> FileLock? {
        if case .taken(let lock) = FileLock.take(path, patience: 0) { lock } else { nil }
    }

    private func isBusy(_ path: String) -> Bool {
        if case .busy = FileLock.take(path, patience: 0) { true } else { false }
    }

    @Test func `a file is locked once, until its lock is gone`() {
        let scratch = Scratch()
        var first = take(scratch.path("lock"))
        #expect(first != nil && isBusy(scratch.path("lock")))
        #expect(take(scratch.path("other")) != nil)
        first = nil
        #expect(first == nil && take(scratch.path("lock")) != nil)
        #expect(Scratch.mode(of: scratch.path("lock")) == 0o600)
    }

    @Test func `a file that can't be made can't be locked`() {
        if case .impossible = FileLock.take(Scratch().path("none/lock"), patience: 0) { return }
        Issue.record("it was locked")
    }
}
