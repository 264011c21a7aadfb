internal import CUV

/// Work that is done in parts, one part in each turn of the loop, so that other handles get their callbacks in between.
///
/// A timer of 0 ms does not work for this: if its callback starts it again, it fires again in the same turn.
package final class LoopIdle: HandleOwner {
    private var turn: () -> Bool

    private var raw: UnsafeMutablePointer<uv_idle_t> { unsafe memory.assumingMemoryBound(to: uv_idle_t.self) }

    /// - Parameter turn: does one part; returns false when no work is left.
    package init(on loop: EventLoop, turn: @escaping () -> Bool) throws(LoopError) {
        self.turn = turn
        super.init(UV_IDLE)
        try check(unsafe uv_idle_init(loop.raw, raw), "create", "an idle watcher")
        retainWhileOpen()
    }

    /// Calls `turn` in each turn of the loop, until it returns false.
    package func start() {
        guard !isClosed else { return }
        _ = unsafe uv_idle_start(raw) { unsafe handleOwner(of: $0, as: LoopIdle.self)?.runTurn() }
    }

    package override func close() {
        super.close()
        turn = { false }
    }

    private func runTurn() {
        guard !turn(), !isClosed else { return }
        _ = unsafe uv_idle_stop(raw)
    }
}
