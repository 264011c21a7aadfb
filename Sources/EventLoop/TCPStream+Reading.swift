internal import CUV
internal import Glibc

/// Reading, in turns with other streams.
extension TCPStream {
    /// Starts to call `received` on the owner.
    package func startReading() {
        guard !isClosed, !isReading else { return }
        isReading = true
        if !isWaiting { startPolling() }
    }

    /// Stops reading, so that the peer has to wait.
    package func stopReading() {
        guard !isClosed, isReading else { return }
        isReading = false
        if !isWaiting { _ = unsafe uv_read_stop(stream) }
    }

    private func startPolling() {
        _ = unsafe uv_read_start(
            stream,
            { handle, _, buffer in
                // Without a buffer, libuv reads nothing and reports UV_ENOBUFS.
                guard let stream = unsafe handleOwner(of: handle, as: TCPStream.self),
                    stream.lastRead != stream.loop.turn,
                    stream.loop.hasTime()
                else { return }
                let memory = unsafe stream.loop.readBuffer
                unsafe buffer?.pointee.base = memory.baseAddress?.assumingMemoryBound(to: CChar.self)
                unsafe buffer?.pointee.len = memory.count
            },
            { handle, count, _ in
                guard count != 0, let stream = unsafe handleOwner(of: handle, as: TCPStream.self) else { return }
                if count == UV_ENOBUFS.rawValue { return stream.wait() }
                stream.took(count, isEnd: count == UV_EOF.rawValue)
            })
    }

    /// Puts the stream into the line of waiting streams. A stream that was already read in this turn is not put there:
    /// libuv reports it again in the next turn.
    private func wait() {
        guard lastRead != loop.turn else { return }
        _ = unsafe uv_read_stop(stream)
        isWaiting = true
        loop.wait(for: self)
    }

    /// Returns true if the stream is no longer read, and then marks it as not waiting. The caller takes it out of the
    /// line.
    func hasStoppedWaiting() -> Bool {
        if isReading, !isClosed { return false }
        isWaiting = false
        return true
    }

    /// Reads once: it is this stream's turn.
    func readAfterWaiting() {
        isWaiting = false
        guard isReading, !isClosed else { return }
        var descriptor: uv_os_fd_t = -1
        guard unsafe uv_fileno(handle, &descriptor) == 0 else { return }
        let count = unsafe read(descriptor, loop.readBuffer.baseAddress, loop.readBuffer.count)
        let isInterrupted = count < 0 && [EAGAIN, EINTR].contains(errno)
        if !isInterrupted { took(count, isEnd: count == 0) }
        if isReading, !isClosed, !isWaiting { startPolling() }
    }

    /// Passes on what was read: the first `count` bytes of the loop's buffer, the end, or an error.
    private func took(_ count: Int, isEnd: Bool) {
        lastRead = loop.turn
        guard count > 0, let base = unsafe loop.readBuffer.baseAddress else {
            stopReading()
            if isEnd { owner?.peerEnded() } else { owner?.peerClosed() }
            return
        }
        let start = unsafe UnsafeRawPointer(base).assumingMemoryBound(to: UInt8.self)
        unsafe owner?.received(UnsafeBufferPointer(start: start, count: count).span)
    }
}
