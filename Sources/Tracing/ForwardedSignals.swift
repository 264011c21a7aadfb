internal import Glibc

/// The signals that this process passes on to its supervised command instead of handling them.
package enum ForwardedSignals {
    private static let numbers = [
        SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGTSTP, SIGTTIN, SIGTTOU, SIGCONT,
    ]
    /// The ones that ask a process to end.
    private static let ending = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

    /// Blocks the signals in this thread and in the threads that it creates from now on. They wait for `run()` of a
    /// command, or for `unblock()`.
    package static func block() { change(numbers, SIG_BLOCK) }

    package static func unblock() { change(numbers, SIG_UNBLOCK) }

    /// Lets this process be suspended and resumed again.
    package static func unblockJobControl() { change([SIGTSTP, SIGTTIN, SIGTTOU, SIGCONT], SIG_UNBLOCK) }

    /// A waiting signal that asks this process to end; nil if no such signal waits.
    package static var waiting: Int32? {
        var signals = sigset_t()
        guard unsafe sigpending(&signals) == 0 else { return nil }
        return ending.first { number in unsafe sigismember(&signals, number) == 1 }
    }

    /// Waits for a signal that asks this process to end. The thread has to block these signals.
    static func nextEnding() -> Int32 {
        var (signals, number) = (sigset_t(), Int32(0))
        unsafe sigemptyset(&signals)
        for ending in ending { unsafe sigaddset(&signals, ending) }
        let code = unsafe sigwait(&signals, &number)
        return code == 0 ? number : SIGTERM
    }

    /// Asks the supervised command to end, as somebody would who sends SIGTERM to this process.
    package static func endCommand() { kill(getpid(), SIGTERM) }

    private static func change(_ numbers: [Int32], _ how: Int32) {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        for number in numbers { unsafe sigaddset(&signals, number) }
        _ = unsafe pthread_sigmask(how, &signals, nil)
    }
}
