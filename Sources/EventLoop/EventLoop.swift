internal import CUV
internal import Glibc

/// Owns a `uv_loop_t` and the one thread that runs it. Everything made from it must be closed before it goes.
///
/// Handles keep themselves alive until their close callback; `close()` runs the loop until the last has had its.
@safe package final class EventLoop {
    let raw: UnsafeMutablePointer<uv_loop_t>
    /// One buffer for every read: libuv fills it and hands it back within the same call.
    let readBuffer: UnsafeMutableRawBufferPointer

    static let readBufferSize = 65_536

    package init() throws(LoopError) {
        unsafe raw = .allocate(capacity: 1)
        unsafe readBuffer = .allocate(byteCount: Self.readBufferSize, alignment: 16)
        try check(unsafe uv_loop_init(raw), "start", "the event loop")
        unsafe raw.pointee.data = Unmanaged.passUnretained(self).toOpaque()
    }

    deinit {
        unsafe raw.deallocate()
        unsafe readBuffer.deallocate()
    }

    /// Runs until `stop()`, or until nothing is left that could happen.
    package func run() {
        blockBrokenPipe()
        _ = unsafe uv_run(raw, UV_RUN_DEFAULT)
    }

    /// Writing to a peer that is gone, or beyond what a file may have, is an error of that write, not a signal that ends the process.
    private func blockBrokenPipe() {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGPIPE)
        unsafe sigaddset(&signals, SIGXFSZ)
        _ = unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Does what is due now, without waiting.
    package func runOnce() { _ = unsafe uv_run(raw, UV_RUN_NOWAIT) }

    package func stop() { unsafe uv_stop(raw) }

    /// Lets the close callbacks of closed handles run, then ends the loop. False: a handle was left open.
    package func close() -> Bool {
        for _ in 0..<8 where unsafe uv_run(raw, UV_RUN_NOWAIT) == 0 { break }
        return unsafe uv_loop_close(raw) == 0
    }

    /// Monotonic milliseconds, read once a turn.
    package var now: UInt64 { unsafe uv_now(raw) }

    /// The wall clock in milliseconds since 1970.
    package static var wallClock: Int64 {
        var time = uv_timeval64_t()
        unsafe uv_gettimeofday(&time)
        return time.tv_sec * 1000 + Int64(time.tv_usec) / 1000
    }

    /// Monotonic nanoseconds, for measuring.
    package static var nanoseconds: UInt64 { uv_hrtime() }
}

@available(*, unavailable) extension EventLoop: Sendable {}
