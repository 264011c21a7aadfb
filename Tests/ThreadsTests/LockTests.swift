import Glibc
import Testing

@testable import Threads

@Suite struct LockTests {
    /// A number that several threads count up.
    private final class Counter: Sendable {
        let number = Lock(0)
        static let turns = 500

        func countUp() {
            for _ in 0..<Self.turns {
                number.withLock { number in
                    let seen = number
                    // Lets another thread in, if the lock does.
                    sched_yield()
                    number = seen + 1
                }
            }
        }
    }

    @Test func `threads take turns, so no change is lost`() {
        let counter = Counter()
        let threads = (0..<4).compactMap { _ in NewThread.start { counter.countUp() } }
        for thread in threads { pthread_join(thread, nil) }
        #expect(counter.number.withLock { $0 } == 4 * Counter.turns)
    }

    @Test func `an error from the body leaves the lock open`() {
        struct Refusal: Error {}
        let lock = Lock([1])
        #expect(throws: Refusal.self) {
            try lock.withLock { numbers in
                numbers.append(2)
                throw Refusal()
            }
        }
        #expect(lock.withLock { $0 } == [1, 2])
    }

    @Test func `the value is released with its lock`() {
        final class Witness: Sendable {}
        var witness: Witness? = Witness()
        weak let observed = witness
        var lock: Holder<Witness>? = Holder(witness)
        witness = nil
        #expect(observed != nil && lock != nil)
        lock = nil
        #expect(observed == nil)
    }

    private final class Holder<Value: Sendable>: Sendable {
        let lock: Lock<Value?>
        init(_ value: Value?) { lock = Lock(value) }
    }
}
