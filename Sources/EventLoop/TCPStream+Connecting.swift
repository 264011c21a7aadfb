internal import CUV

extension TCPStream {
    /// Connects to a peer. `ended` is called once, on the loop's thread: with the stream, which is not read yet, or with
    /// what went wrong.
    package static func connect(
        to address: SocketAddress, on loop: EventLoop, _ ended: @escaping (Result<TCPStream, LoopError>) -> Void
    ) {
        do throws(LoopError) {
            let stream = try TCPStream(on: loop)
            let request = ConnectRequest { code in
                if code == 0 { return ended(.success(stream)) }
                stream.close()
                ended(.failure(LoopError("connect to", address.description, code: code)))
            }
            let code = try unsafe address.withRaw { raw throws(LoopError) in unsafe request.start(on: stream.tcp, raw) }
            if code < 0 { stream.close() }
            try check(code, "connect to", address.description)
            _ = unsafe uv_tcp_nodelay(stream.tcp, 1)
        } catch { ended(.failure(error)) }
    }
}

/// One `uv_connect` request. Keeps itself alive until libuv calls back.
@safe private final class ConnectRequest {
    private let raw: UnsafeMutablePointer<uv_connect_t>
    private let ended: (Int32) -> Void

    init(_ ended: @escaping (Int32) -> Void) {
        self.ended = ended
        unsafe raw = .allocate(capacity: 1)
        unsafe raw.initialize(to: uv_connect_t())
    }

    deinit { unsafe raw.deallocate() }

    /// Returns libuv's code. `ended` is called later, unless the code is an error.
    func start(on tcp: UnsafeMutablePointer<uv_tcp_t>, _ address: UnsafePointer<sockaddr>) -> Int32 {
        let retained = unsafe Unmanaged.passRetained(self)
        unsafe raw.pointee.data = retained.toOpaque()
        let code = unsafe uv_tcp_connect(raw, tcp, address) { raw, status in
            guard let data = unsafe raw?.pointee.data else { return }
            unsafe EventLoop.callbackBegan(on: raw?.pointee.handle?.pointee.loop)
            unsafe Unmanaged<ConnectRequest>.fromOpaque(data).takeRetainedValue().ended(status)
        }
        if code < 0 { unsafe retained.release() }
        return code
    }
}
