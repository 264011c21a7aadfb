internal import CUV

/// A timer that fires on the loop's thread.
package final class LoopTimer: HandleOwner {
    private var fired: () -> Void

    private var raw: UnsafeMutablePointer<uv_timer_t> { unsafe memory.assumingMemoryBound(to: uv_timer_t.self) }

    package init(on loop: EventLoop, fired: @escaping () -> Void) throws(LoopError) {
        self.fired = fired
        super.init(UV_TIMER)
        try check(unsafe uv_timer_init(loop.raw, raw), "create", "a timer")
        retainWhileOpen()
    }

    /// Fires after `delay` milliseconds and then every `interval` milliseconds; with an interval of 0, only once.
    /// Replaces an earlier start.
    package func start(after delay: UInt64, every interval: UInt64 = 0) {
        guard !isClosed else { return }
        _ = unsafe uv_timer_start(raw, { unsafe handleOwner(of: $0, as: LoopTimer.self)?.fired() }, delay, interval)
    }

    package func stop() {
        guard !isClosed else { return }
        _ = unsafe uv_timer_stop(raw)
    }

    package override func close() {
        super.close()
        fired = {}
    }
}
