internal import CUV

/// The events of a `TCPStream`. They are called on the loop's thread.
package protocol TCPStreamOwner: AnyObject {
    /// `bytes` are valid only during the call.
    func received(_ bytes: Span<UInt8>)
    /// The queue in which the stream waits if there is no time to read it.
    var readQueue: ReadQueue { get }
    /// The peer has finished sending; it may still read.
    func peerEnded()
    /// The connection is broken.
    func peerClosed()
    /// The kernel has taken all bytes that were queued.
    func drained()
}

/// An accepted TCP connection. Writing never blocks: bytes that the kernel does not take at once are queued.
package final class TCPStream: HandleOwner {
    /// Held strongly until the stream is closed. A weak reference would make every retain and release of the owner
    /// slower, because its counts would move to a side table.
    package var owner: (any TCPStreamOwner)? { didSet { if isClosed { owner = nil } } }
    /// Bytes to write when the request in flight is complete.
    private var queued: [UInt8] = []
    private var inFlight: WriteRequest?
    /// `endWriting` was called.
    private var endsWhenDrained = false
    unowned let loop: EventLoop
    /// The turn of the loop in which the stream was read last. A stream is read once a turn.
    var lastRead: UInt64 = 0
    /// Whether the stream is in the loop's line of streams that wait to be read.
    var isWaiting = false
    package internal(set) var isReading = false

    init(on loop: EventLoop) throws(LoopError) {
        self.loop = loop
        super.init(UV_TCP)
        try check(unsafe uv_tcp_init(loop.raw, tcp), "create", "a socket")
        retainWhileOpen()
    }

    /// The number of bytes that the kernel has not taken yet, because the peer does not read.
    package var pendingBytes: Int {
        inFlight == nil || isClosed ? 0 : queued.count + Int(unsafe uv_stream_get_write_queue_size(stream))
    }

    /// Writes or queues bytes. Ignored after `endWriting` or `close`.
    package func write(_ bytes: Span<UInt8>) {
        guard !isClosed, !endsWhenDrained, bytes.count > 0 else { return }
        unsafe bytes.withUnsafeBufferPointer { bytes in
            var rest = unsafe bytes[...]
            if inFlight == nil {
                var buffer = unsafe uv_buf_t(
                    base: UnsafeMutablePointer(
                        mutating: UnsafeRawPointer(bytes.baseAddress!)
                            .assumingMemoryBound(to: CChar.self)), len: bytes.count)
                let taken = unsafe uv_try_write(stream, &buffer, 1)
                if taken > 0 { unsafe rest = rest.dropFirst(Int(taken)) }
            }
            guard unsafe !rest.isEmpty else { return }
            unsafe queued.append(contentsOf: rest)
            if inFlight == nil { sendQueued() }
        }
    }

    /// Ends the sending direction after all written bytes have been sent. Reading continues.
    package func endWriting() {
        guard !isClosed, !endsWhenDrained else { return }
        endsWhenDrained = true
        if pendingBytes == 0 { shutDown() }
    }

    private func shutDown() {
        let request = ShutdownRequest()
        if unsafe uv_shutdown(request.raw, stream, { request, _ in unsafe ShutdownRequest.ended(request) }) == 0 {
            request.retain()
        }
    }

    /// Closes the connection with a TCP reset, so that the peer gets an error instead of an end of the stream.
    package func reset() {
        guard !isClosed else { return }
        var option = linger(l_onoff: 1, l_linger: 0)
        var descriptor: uv_os_fd_t = -1
        if unsafe uv_fileno(handle, &descriptor) == 0 {
            _ = unsafe setsockopt(
                descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        }
        close()
    }

    package override func close() {
        super.close()
        owner = nil
    }

    private func sendQueued() {
        let request = WriteRequest(bytes: queued)
        queued = []
        inFlight = request
        let code = unsafe request.start(on: stream) { self.writeEnded(status: $0) }
        if code < 0 { writeEnded(status: code) }
    }

    private func writeEnded(status: Int32) {
        inFlight = nil
        guard !isClosed else { return }
        if status < 0 {
            stopReading()
            owner?.peerClosed()
        } else if !queued.isEmpty {
            sendQueued()
        } else {
            if endsWhenDrained { shutDown() }
            owner?.drained()
        }
    }
}
