internal import CUV

/// One `uv_write` request with its bytes. Keeps itself alive until libuv calls back.
@safe final class WriteRequest {
    private let raw: UnsafeMutablePointer<uv_write_t>
    private let bytes: UnsafeMutableBufferPointer<UInt8>
    private var ended: (Int32) -> Void = { _ in }

    init(bytes source: [UInt8]) {
        unsafe raw = .allocate(capacity: 1)
        unsafe raw.initialize(to: uv_write_t())
        unsafe bytes = .allocate(capacity: source.count)
        _ = unsafe bytes.initialize(from: source)
    }

    deinit {
        unsafe raw.deallocate()
        unsafe bytes.deallocate()
    }

    var count: Int { unsafe bytes.count }

    /// Starts the write and returns libuv's code. `ended` is called later, unless the code is an error.
    func start(on stream: UnsafeMutablePointer<uv_stream_t>, ended: @escaping (Int32) -> Void) -> Int32 {
        self.ended = ended
        let retained = unsafe Unmanaged.passRetained(self)
        unsafe raw.pointee.data = retained.toOpaque()
        let base = unsafe UnsafeMutableRawPointer(bytes.baseAddress!).assumingMemoryBound(to: CChar.self)
        var buffer = unsafe uv_buf_t(base: base, len: bytes.count)
        let code = unsafe uv_write(raw, stream, &buffer, 1) { raw, status in
            guard let data = unsafe raw?.pointee.data else { return }
            unsafe EventLoop.callbackBegan(on: raw?.pointee.handle?.pointee.loop)
            let request = unsafe Unmanaged<WriteRequest>.fromOpaque(data).takeRetainedValue()
            request.ended(status)
        }
        if code < 0 { unsafe retained.release() }
        return code
    }
}

/// One `uv_shutdown` request. Keeps itself alive until libuv calls back.
@safe final class ShutdownRequest {
    let raw: UnsafeMutablePointer<uv_shutdown_t>

    init() {
        unsafe raw = .allocate(capacity: 1)
        unsafe raw.initialize(to: uv_shutdown_t())
    }

    deinit { unsafe raw.deallocate() }

    /// Call this after `uv_shutdown` has succeeded; `ended` releases the request.
    func retain() { unsafe raw.pointee.data = Unmanaged.passRetained(self).toOpaque() }

    static func ended(_ raw: UnsafeMutablePointer<uv_shutdown_t>?) {
        guard let data = unsafe raw?.pointee.data else { return }
        unsafe Unmanaged<ShutdownRequest>.fromOpaque(data).release()
    }
}
