internal import CUV

/// Owns the memory of one libuv handle, which is zeroed at first and freed after libuv's close callback.
///
/// While the handle is open, its `data` field holds a reference to this object, so a callback never finds it freed.
@safe package class HandleOwner {
    let memory: UnsafeMutableRawPointer
    package private(set) var isClosed = false

    init(_ kind: uv_handle_type) {
        let size = uv_handle_size(kind)
        unsafe memory = .allocate(byteCount: size, alignment: 16)
        unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    }

    var handle: UnsafeMutablePointer<uv_handle_t> { unsafe memory.assumingMemoryBound(to: uv_handle_t.self) }
    var stream: UnsafeMutablePointer<uv_stream_t> { unsafe memory.assumingMemoryBound(to: uv_stream_t.self) }
    var tcp: UnsafeMutablePointer<uv_tcp_t> { unsafe memory.assumingMemoryBound(to: uv_tcp_t.self) }

    /// Call this after libuv's `…_init` has succeeded.
    func retainWhileOpen() {
        unsafe handle.pointee.data = Unmanaged.passRetained(self).toOpaque()
    }

    /// Closes the handle. No callback runs after this; closing twice is allowed.
    ///
    /// A subclass also releases its callback, because the closure usually holds the object that owns this handle.
    package func close() {
        guard !isClosed else { return }
        isClosed = true
        unsafe uv_close(handle) { handle in
            guard let data = unsafe handle?.pointee.data else { return }
            // Releasing the owner may free much memory.
            unsafe EventLoop.callbackBegan(on: handle?.pointee.loop)
            unsafe Unmanaged<HandleOwner>.fromOpaque(data).release()
        }
    }

    deinit { unsafe memory.deallocate() }
}

@available(*, unavailable) extension HandleOwner: Sendable {}

/// The owner of the handle that libuv passed to a callback; nil if it has been closed. All handle types start with the
/// fields of `uv_handle_t`.
func handleOwner<Owner: HandleOwner>(of handle: UnsafeMutableRawPointer?, as: Owner.Type) -> Owner? {
    guard let handle = unsafe handle?.assumingMemoryBound(to: uv_handle_t.self),
        let data = unsafe handle.pointee.data
    else { return nil }
    unsafe EventLoop.callbackBegan(on: handle.pointee.loop)
    let owner = unsafe Unmanaged<HandleOwner>.fromOpaque(data).takeUnretainedValue()
    return owner.isClosed ? nil : unsafe unsafeDowncast(owner, to: Owner.self)
}
