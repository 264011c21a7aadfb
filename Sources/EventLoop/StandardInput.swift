internal import Glibc

/// Standard input of a program that reads nothing from it.
package enum StandardInput {
    /// Calls `ended` on a new thread when standard input has ended. What arrives before is thrown away.
    ///
    /// A thread that reads works with every kind of input. The loop could not wait for a file or /dev/null, and would
    /// make a terminal that other programs share non-blocking.
    package static func whenEnded(_ ended: @escaping @Sendable () -> Void) throws(LoopError) {
        let box = unsafe Unmanaged.passRetained(Callback(ended))
        var thread = pthread_t()
        let code = unsafe pthread_create(
            &thread, nil,
            { argument in
                guard let argument = unsafe argument else { return nil }
                let callback = unsafe Unmanaged<Callback>.fromOpaque(argument).takeRetainedValue()
                StandardInput.readToEnd()
                callback.call()
                return nil
            }, box.toOpaque())
        if code != 0 { unsafe box.release() }
        try check(0 &- code, "start", "a thread that reads standard input")
        pthread_detach(thread)
    }

    private static func readToEnd() {
        var bytes = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = unsafe read(0, &bytes, bytes.count)
            if count == 0 || count < 0 && errno != EINTR { return }
        }
    }

    private final class Callback: Sendable {
        let call: @Sendable () -> Void
        init(_ call: @escaping @Sendable () -> Void) { self.call = call }
    }
}
