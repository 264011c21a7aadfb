internal import Gateway
internal import Glibc
internal import Synchronization

/// The thread that a server runs on. It takes over the server; nothing else may use it afterwards.
final class LoopThread {
    private var thread = pthread_t()

    init(running server: Server) {
        let box = unsafe Unmanaged.passRetained(ServerBox(server)).toOpaque()
        let code = unsafe pthread_create(
            &thread, nil,
            { argument in
                let box = unsafe Unmanaged<ServerBox>.fromOpaque(argument!).takeRetainedValue()
                box.server.run()
                return nil
            }, box)
        precondition(code == 0, "cannot start a thread: error \(code)")
    }

    func join() { pthread_join(thread, nil) }
}

private final class ServerBox {
    let server: Server
    init(_ server: Server) { self.server = server }
}

/// A value that one thread waits for and another thread provides.
final class ResultBox<Value: Sendable>: Sendable {
    private let value: Mutex<Value?> = Mutex(nil)

    func put(_ result: Value) { value.withLock { $0 = result } }

    /// Waits at most five seconds.
    func wait() -> Value {
        for _ in 0..<5000 {
            if let result = value.withLock({ $0 }) { return result }
            usleep(1000)
        }
        preconditionFailure("the loop did not answer")
    }
}
