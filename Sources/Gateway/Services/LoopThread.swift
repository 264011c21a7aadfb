internal import Glibc

/// The thread that a server runs on. The server belongs to that thread from then on.
package final class LoopThread {
    private var thread = pthread_t()

    /// Nil if the system has no thread left.
    package init?(running server: Server) {
        let box = unsafe Unmanaged.passRetained(ServerBox(server))
        let code = unsafe pthread_create(
            &thread, nil,
            { argument in
                guard let argument = unsafe argument else { return nil }
                unsafe Unmanaged<ServerBox>.fromOpaque(argument).takeRetainedValue().server.run()
                return nil
            }, box.toOpaque())
        guard code != 0 else { return }
        unsafe box.release()
        return nil
    }

    /// Waits until the server has shut down.
    package func join() { pthread_join(thread, nil) }
}

private final class ServerBox {
    let server: Server
    init(_ server: Server) { self.server = server }
}
