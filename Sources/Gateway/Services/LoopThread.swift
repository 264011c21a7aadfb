internal import Glibc
internal import Threads

/// The thread that a server runs on. The server belongs to that thread from then on.
package final class LoopThread {
    private let thread: pthread_t

    /// Nil if the system has no thread left.
    package init?(running server: Server) {
        nonisolated(unsafe) let server = server
        guard let thread = NewThread.start({ unsafe server.run() }) else { return nil }
        self.thread = thread
    }

    /// Waits until the server has shut down.
    package func join() { pthread_join(thread, nil) }
}
