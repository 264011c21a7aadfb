package import Glibc

/// Runs work on a new thread.
package enum NewThread {
    private final class Work: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Starts a thread that has to be joined; nil if the system has no thread left.
    package static func start(_ body: @escaping @Sendable () -> Void) -> pthread_t? {
        let work = unsafe Unmanaged.passRetained(Work(body))
        var thread = pthread_t()
        let code = unsafe pthread_create(
            &thread, nil,
            { argument in
                guard let argument = unsafe argument else { return nil }
                unsafe Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body()
                return nil
            }, work.toOpaque())
        guard code != 0 else { return thread }
        unsafe work.release()
        return nil
    }

    /// Starts a thread that is not joined. False if the system has no thread left.
    package static func detach(_ body: @escaping @Sendable () -> Void) -> Bool {
        guard let thread = start(body) else { return false }
        pthread_detach(thread)
        return true
    }
}
