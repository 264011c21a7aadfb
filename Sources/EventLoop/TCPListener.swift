internal import CUV

/// A listening TCP socket. It passes each accepted connection on as a `TCPStream` that is not reading yet.
package final class TCPListener: HandleOwner {
    private unowned let loop: EventLoop
    /// Called for each accepted connection. Set it before the loop runs.
    package var accepted: (TCPStream) -> Void = { $0.close() }
    /// Whether a connection may be accepted now. If not, it waits until `resume()`, and later ones wait in the kernel.
    package var mayAccept: () -> Bool = { true }
    /// Whether a connection waits.
    private var isPaused = false
    /// The bound address. If port 0 was requested, it has the port that the system chose.
    package private(set) var address: SocketAddress

    /// How many connections can wait to be accepted while one turn of the loop is busy.
    static let backlog: Int32 = 4096

    /// Seconds without data after which the kernel checks whether the peer is still there.
    private static let keepAliveDelay: UInt32 = 60

    package init(on loop: EventLoop, at address: SocketAddress) throws(LoopError) {
        self.loop = loop
        self.address = address
        super.init(UV_TCP)
        try check(unsafe uv_tcp_init(loop.raw, tcp), "create", "a socket")
        retainWhileOpen()
        do throws(LoopError) {
            let bindCode = try unsafe address.withRaw { raw throws(LoopError) in
                unsafe uv_tcp_bind(self.tcp, raw, address.host.contains(":") ? UV_TCP_IPV6ONLY.rawValue : 0)
            }
            try check(bindCode, "listen on", address.description)
            let code = unsafe uv_listen(stream, Self.backlog) { handle, status in
                guard status == 0, let listener = unsafe handleOwner(of: handle, as: TCPListener.self) else { return }
                listener.accept()
            }
            try check(code, "listen on", address.description)
        } catch {
            close()
            throw error
        }
        self.address = boundAddress()
    }

    package override func close() {
        super.close()
        accepted = { $0.close() }
        mayAccept = { true }
    }

    /// Accepts connections again if it is allowed.
    package func resume() {
        guard isPaused, !isClosed else { return }
        isPaused = false
        accept()
    }

    private func accept() {
        // libuv reports no other connection until `uv_accept` has taken this one.
        guard mayAccept() else {
            isPaused = true
            return
        }
        guard let peer = try? TCPStream(on: loop) else { return }
        guard unsafe uv_accept(stream, peer.stream) == 0 else { return peer.close() }
        _ = unsafe uv_tcp_nodelay(peer.tcp, 1)
        _ = unsafe uv_tcp_keepalive(peer.tcp, 1, Self.keepAliveDelay)
        accepted(peer)
    }

    private func boundAddress() -> SocketAddress {
        var storage = sockaddr_storage()
        var length = Int32(MemoryLayout<sockaddr_storage>.size)
        _ = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            unsafe uv_tcp_getsockname(
                tcp, UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: sockaddr.self), &length)
        }
        return SocketAddress(raw: storage)
    }
}
