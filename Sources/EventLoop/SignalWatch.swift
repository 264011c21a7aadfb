internal import CUV

/// Calls `received` on the loop's thread when the process receives a signal.
package final class SignalWatch: HandleOwner {
    private var received: () -> Void

    package enum Signal: Sendable { case terminate, interrupt, hangUp }

    package init(_ signal: Signal, on loop: EventLoop, received: @escaping () -> Void) throws(LoopError) {
        self.received = received
        super.init(UV_SIGNAL)
        let raw = unsafe memory.assumingMemoryBound(to: uv_signal_t.self)
        try check(unsafe uv_signal_init(loop.raw, raw), "watch", "signals")
        retainWhileOpen()
        let number: Int32 =
            switch signal {
            case .terminate: SIGTERM
            case .interrupt: SIGINT
            case .hangUp: SIGHUP
            }
        let code = unsafe uv_signal_start(
            raw,
            { handle, _ in
                unsafe handleOwner(of: handle, as: SignalWatch.self)?.received()
            }, number)
        if code < 0 { close() }
        try check(code, "watch", "signal \(number)")
    }

    package override func close() {
        super.close()
        received = {}
    }
}
