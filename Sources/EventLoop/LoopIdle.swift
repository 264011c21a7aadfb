internal import CUV

/// Something done once a turn of the loop, as long as there is some of it: between two turns everybody else has his.
///
/// A timer of 0 ms would not do: armed again within its own callback, it fires again in the same turn.
package final class LoopIdle: HandleOwner {
    private let turn: () -> Bool

    private var raw: UnsafeMutablePointer<uv_idle_t> { unsafe memory.assumingMemoryBound(to: uv_idle_t.self) }

    /// - Parameter turn: does a part of it; false where nothing is left.
    package init(on loop: EventLoop, turn: @escaping () -> Bool) throws(LoopError) {
        self.turn = turn
        super.init(UV_IDLE)
        try check(unsafe uv_idle_init(loop.raw, raw), "make", "an idle watch")
        retainWhileOpen()
    }

    package func start() {
        guard !isClosed else { return }
        _ = unsafe uv_idle_start(raw) { unsafe handleOwner(of: $0, as: LoopIdle.self)?.take() }
    }

    private func take() {
        guard !turn(), !isClosed else { return }
        _ = unsafe uv_idle_stop(raw)
    }
}
