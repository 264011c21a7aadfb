internal import CUV
internal import Threads

extension EventLoop {
    /// Runs `work` on another thread, then passes its result to `done` on the loop's thread. `run()` does not return by
    /// itself while such work is unfinished.
    package func offload<Value: Sendable>(_ work: @escaping @Sendable () -> Value, then done: @escaping (Value) -> Void)
        throws(LoopError)
    {
        let result = Result<Value>()
        let request = WorkRequest {
            let value = work()
            result.value.withLock { $0 = value }
        } done: {
            if let value = result.value.withLock({ $0 }) { done(value) }
        }
        try check(request.start(on: self), "start", "work on another thread")
    }

    private final class Result<Value: Sendable>: Sendable {
        let value = Lock<Value?>(nil)
    }
}

/// One `uv_queue_work` request. Keeps itself alive until libuv calls back.
@safe private final class WorkRequest {
    private let raw: UnsafeMutablePointer<uv_work_t>
    private let work: @Sendable () -> Void
    private let done: () -> Void

    init(work: @escaping @Sendable () -> Void, done: @escaping () -> Void) {
        self.work = work
        self.done = done
        unsafe raw = .allocate(capacity: 1)
        unsafe raw.initialize(to: uv_work_t())
    }

    deinit { unsafe raw.deallocate() }

    func start(on loop: EventLoop) -> Int32 {
        let retained = unsafe Unmanaged.passRetained(self)
        unsafe raw.pointee.data = retained.toOpaque()
        let code = unsafe uv_queue_work(loop.raw, raw) { raw in
            guard let data = unsafe raw?.pointee.data else { return }
            // The other thread uses only this closure of the request, and the loop does not use it at the same time.
            unsafe Unmanaged<WorkRequest>.fromOpaque(data).takeUnretainedValue().work()
        } _: { raw, _ in
            guard let data = unsafe raw?.pointee.data else { return }
            unsafe EventLoop.callbackBegan(on: raw?.pointee.loop)
            unsafe Unmanaged<WorkRequest>.fromOpaque(data).takeRetainedValue().done()
        }
        if code < 0 { unsafe retained.release() }
        return code
    }
}
