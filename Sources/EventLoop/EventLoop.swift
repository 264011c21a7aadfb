internal import CUV
internal import Glibc

/// Owns a `uv_loop_t`, which one thread runs. All handles made from it must be closed before it is released.
///
/// An open handle keeps itself alive until its close callback, and `close()` runs the loop until all close
/// callbacks have run.
@safe package final class EventLoop {
    let raw: UnsafeMutablePointer<uv_loop_t>
    /// One buffer for all reads: libuv fills it and passes it on within the same call.
    let readBuffer: UnsafeMutableRawBufferPointer

    /// The most bytes of one read.
    package static let readBufferSize = 65_536
    /// Whether there is time to read streams. Data that is not read waits in the kernel.
    package var takesInput: () -> Bool = { true }
    /// Called before the first callback of each turn.
    package var turnBegan: () -> Void = {}
    private var isInTurn = false
    /// Called at the end of each turn, before the loop waits for input.
    package var turnEnded: () -> Void = {}
    private var turnWatch: LoopTurn?
    /// Called when streams wait for another turn. The closure has to keep the loop from waiting for input.
    package var inputWaits: () -> Void = {}
    private var waiting = WaitingStreams()
    /// The number of this turn.
    package private(set) var turn: UInt64 = 1

    package init() throws(LoopError) {
        unsafe raw = .allocate(capacity: 1)
        unsafe readBuffer = .allocate(byteCount: Self.readBufferSize, alignment: 16)
        try check(unsafe uv_loop_init(raw), "start", "the event loop")
        unsafe raw.pointee.data = Unmanaged.passUnretained(self).toOpaque()
        turnWatch = try LoopTurn(on: self) { [unowned self] in
            isInTurn = false
            turnEnded()
            turn &+= 1
            if !waiting.isEmpty { readWaiting() }
        }
    }

    deinit {
        unsafe raw.deallocate()
        unsafe readBuffer.deallocate()
    }

    /// Runs until `stop()`, or until no open handle or request can cause another callback.
    package func run() {
        blockWriteSignals()
        _ = unsafe uv_run(raw, UV_RUN_DEFAULT)
    }

    /// Blocks two signals on this thread. A write to a closed connection, or past the size limit of a file, then fails
    /// with an error instead of ending the process.
    private func blockWriteSignals() {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGPIPE)
        unsafe sigaddset(&signals, SIGXFSZ)
        _ = unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Runs the callbacks that are due, without waiting.
    package func runOnce() { _ = unsafe uv_run(raw, UV_RUN_NOWAIT) }

    /// Makes `run()` return after the current turn.
    package func stop() { unsafe uv_stop(raw) }

    /// Runs the close callbacks of closed handles and ends the loop. False if a handle is still open.
    package func close() -> Bool {
        turnWatch?.close()
        (turnBegan, turnEnded, inputWaits) = ({}, {}, {})
        waiting.removeAll()
        for _ in 0..<8 where unsafe uv_run(raw, UV_RUN_NOWAIT) == 0 { break }
        return unsafe uv_loop_close(raw) == 0
    }

    /// Every callback of libuv calls this first. So the time from `turnBegan` to `turnEnded` contains everything except
    /// the time in which the loop waits.
    static func callbackBegan(on raw: UnsafeMutablePointer<uv_loop_t>?) {
        guard let data = unsafe raw?.pointee.data else { return }
        let loop = unsafe Unmanaged<EventLoop>.fromOpaque(data).takeUnretainedValue()
        if loop.isInTurn { return }
        loop.isInTurn = true
        loop.turnBegan()
    }

    /// Whether a stream with data may be read now. Streams that wait already come first.
    func hasTime() -> Bool { waiting.isEmpty && takesInput() }

    /// A stream has data, and there is no time to read it.
    func wait(for stream: TCPStream) {
        waiting.append(stream)
        inputWaits()
    }

    /// Reads waiting streams while there is time. `WaitingStreams` decides their order.
    private func readWaiting() {
        while takesInput(), let stream = waiting.popFirst() { stream.readAfterWaiting() }
        waiting.compact()
        // These reads belong to the next turn. The loop must not wait for input before that turn has ended.
        inputWaits()
    }

    /// Monotonic time in milliseconds, read once in each turn of the loop.
    package var now: UInt64 { unsafe uv_now(raw) }

    /// The wall clock, in milliseconds since 1970.
    package static var wallClock: Int64 {
        var time = uv_timeval64_t()
        unsafe uv_gettimeofday(&time)
        return time.tv_sec * 1000 + Int64(time.tv_usec) / 1000
    }

    /// Monotonic time in nanoseconds, for measurements.
    package static var nanoseconds: UInt64 { uv_hrtime() }
}

@available(*, unavailable) extension EventLoop: Sendable {}
