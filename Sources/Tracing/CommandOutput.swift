internal import Glibc

/// A pipe for what a command prints, and the thread that reads it.
///
/// Make it after `ForwardedSignals.block()`: its thread must leave these signals to the command.
package final class CommandOutput: Sendable {
    /// The end of the pipe that the command writes to.
    let end: Int32
    private let thread: pthread_t

    /// Nil if the system has no descriptors or threads left.
    package init?(_ receiver: any OutputReceiver) {
        var ends: [Int32] = [0, 0]
        guard unsafe pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        guard let thread = OutputReader(ends[0], receiver).start() else {
            ends.forEach { close($0) }
            return nil
        }
        (end, self.thread) = (ends[1], thread)
    }

    /// Waits until everything is read. The command must have ended, and this may be called once.
    package func finish() {
        close(end)
        pthread_join(thread, nil)
    }
}

/// Gets what a command prints. All calls come from one thread.
package protocol OutputReceiver: Sendable {
    /// How many milliseconds it may take until `receive` returns true.
    var patience: UInt64 { get }
    /// Takes the next piece. Returns whether the text that it waits for has arrived.
    func receive(_ piece: [UInt8]) -> Bool
    /// The time is up. It is called at most once.
    func timeIsUp()
}
