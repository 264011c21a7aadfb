internal import Glibc
internal import Threads

/// Standard input of a program that reads nothing from it.
package enum StandardInput {
    /// Calls `ended` on a new thread when standard input has ended. What arrives before is thrown away.
    ///
    /// A thread that reads works with every kind of input. The loop could not wait for a file or /dev/null, and would
    /// make a terminal that other programs share non-blocking.
    package static func whenEnded(_ ended: @escaping @Sendable () -> Void) throws(LoopError) {
        let hasStarted = NewThread.detach {
            readToEnd()
            ended()
        }
        try check(hasStarted ? 0 : 0 &- EAGAIN, "start", "a thread that reads standard input")
    }

    private static func readToEnd() {
        var bytes = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = unsafe read(0, &bytes, bytes.count)
            if count == 0 || count < 0 && errno != EINTR { return }
        }
    }
}
