internal import Glibc

/// A value that several threads share, but only one can use at a time.
///
/// This is a POSIX mutex rather than Swift's `Mutex`, because the thread sanitizer does not understand `Mutex`: it
/// would report every use of a value that a `Mutex` protects as a race.
@safe package struct Lock<Value: ~Copyable>: ~Copyable, Sendable {
    /// In separate memory, because a mutex must not move.
    private nonisolated(unsafe) let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private nonisolated(unsafe) let value: UnsafeMutablePointer<Value>

    package init(_ initial: consuming sending Value) {
        unsafe mutex = .allocate(capacity: 1)
        let code = unsafe pthread_mutex_init(mutex, nil)
        precondition(code == 0, "cannot make a lock: error \(code)")
        unsafe value = .allocate(capacity: 1)
        unsafe value.initialize(to: initial)
    }

    deinit {
        unsafe value.deinitialize(count: 1)
        unsafe value.deallocate()
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    /// Waits until no other thread uses the value, then calls `body` with it. `body` must not use the same lock.
    package func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return try unsafe body(&value.pointee)
    }
}
