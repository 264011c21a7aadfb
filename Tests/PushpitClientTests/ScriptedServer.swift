import EventLoop
import Glibc
import Threads

/// A server for one connection: it reads a request, sends the same bytes whatever it was, and closes; or reads once more
/// before it closes. It waits at most ten seconds for its client.
final class ScriptedServer: Sendable {
    let address: SocketAddress
    private let descriptor: Int32
    private let answer: [UInt8]
    private let readsAgain: Bool
    private let heard = Lock<[UInt8]>([])
    private let thread = Lock<pthread_t?>(nil)

    convenience init(answering text: String) { self.init(answering: Array(text.utf8)) }

    init(answering answer: [UInt8], readsAgain: Bool = false) {
        self.answer = answer
        self.readsAgain = readsAgain
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var timeout = timeval(tv_sec: 10, tv_usec: 0)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_addr.s_addr = unsafe inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        unsafe withUnsafeMutablePointer(to: &name) { pointer in
            let raw = unsafe UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: sockaddr.self)
            _ = unsafe bind(descriptor, raw, size)
            listen(descriptor, 1)
            _ = unsafe getsockname(descriptor, raw, &size)
        }
        address = SocketAddress(host: "127.0.0.1", port: UInt16(bigEndian: name.sin_port))
        start()
    }

    deinit {
        // Nothing waits for the end of the thread any more. This may run on that thread itself.
        thread.withLock { thread in
            if let running = thread { pthread_detach(running) }
        }
        close(descriptor)
    }

    /// What the client sent, when the connection has ended.
    func request() -> String { String(decoding: received(), as: UTF8.self) }

    func received() -> [UInt8] {
        thread.withLock { thread in
            if let running = thread { pthread_join(running, nil) }
            thread = nil
        }
        return heard.withLock { $0 }
    }

    private func start() {
        var made = pthread_t()
        let argument = unsafe Unmanaged.passRetained(self).toOpaque()
        let code = unsafe pthread_create(
            &made, nil,
            { argument in
                unsafe Unmanaged<ScriptedServer>.fromOpaque(argument!).takeRetainedValue().serve()
                return nil
            }, argument)
        precondition(code == 0, "cannot start a thread: error \(code)")
        thread.withLock { $0 = made }
    }

    private func serve() {
        let peer = accept(descriptor, nil, nil)
        guard peer >= 0 else { return }
        defer { close(peer) }
        read(peer)
        _ = unsafe send(peer, answer, answer.count, Int32(MSG_NOSIGNAL))
        if readsAgain { read(peer) }
    }

    private func read(_ peer: Int32) {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe recv(peer, &bytes, bytes.count, 0)
        heard.withLock { $0 += bytes.prefix(max(0, count)) }
    }
}
