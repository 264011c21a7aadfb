internal import Glibc
internal import Threads

/// Waits on a thread for a signal that asks this process to end, while all threads block these signals.
package final class SignalWatch: Sendable {
    private let handleSignal: @Sendable (Int32) -> Never
    /// Whether `stop` was called. The lock is held while `handleSignal` runs, so `stop` does not return then.
    private let isStopped = Lock(false)

    /// - Parameter handleSignal: what to do about the signal.
    package init?(_ handleSignal: @escaping @Sendable (Int32) -> Never) {
        self.handleSignal = handleSignal
        guard NewThread.detach({ self.wait() }) else { return nil }
    }

    /// From now on, a signal ends the process at once.
    package func stop() { isStopped.withLock { $0 = true } }

    private func wait() {
        let signal = ForwardedSignals.nextEnding()
        // A second signal ends the process at once.
        ForwardedSignals.unblock()
        isStopped.withLock { isStopped in
            if isStopped { exit(Self.signalBase &+ signal) }
            handleSignal(signal)
        }
    }

    /// Added to the number of the signal, as shells do.
    private static let signalBase: Int32 = 128
}
