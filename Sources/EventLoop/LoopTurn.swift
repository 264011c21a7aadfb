internal import CUV

/// Calls back once in each turn of the loop, after the callbacks of the turn and before the loop waits for input.
///
/// It does not keep the loop running.
final class LoopTurn: HandleOwner {
    private var ended: () -> Void

    private var raw: UnsafeMutablePointer<uv_prepare_t> { unsafe memory.assumingMemoryBound(to: uv_prepare_t.self) }

    init(on loop: EventLoop, ended: @escaping () -> Void) throws(LoopError) {
        self.ended = ended
        super.init(UV_PREPARE)
        try check(unsafe uv_prepare_init(loop.raw, raw), "create", "a prepare watcher")
        retainWhileOpen()
        unsafe uv_unref(handle)
        _ = unsafe uv_prepare_start(raw) { unsafe handleOwner(of: $0, as: LoopTurn.self)?.ended() }
    }

    override func close() {
        super.close()
        ended = {}
    }
}
