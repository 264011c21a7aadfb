import Glibc
import Testing

@testable import Threads

@Suite struct NewThreadTests {
    @Test func `the work runs on another thread, and is released after it`() throws {
        final class Witness: Sendable {}
        var witness: Witness? = Witness()
        weak let observed = witness
        let seen = Lock<(isAnother: Bool, isThere: Bool)>((false, false))
        let box = Holder(seen)
        let caller = pthread_self()
        let started = NewThread.start { [witness] () -> Void in
            box.seen.withLock { $0 = (pthread_equal(caller, pthread_self()) == 0, witness != nil) }
        }
        let thread = try #require(started)
        witness = nil
        pthread_join(thread, nil)
        #expect(box.seen.withLock { $0 } == (true, true))
        #expect(observed == nil)
    }

    private final class Holder: Sendable {
        let seen: Lock<(isAnother: Bool, isThere: Bool)>
        init(_ seen: consuming Lock<(isAnother: Bool, isThere: Bool)>) { self.seen = seen }
    }
}
