internal import CUV
internal import Synchronization

/// The way for other threads into a loop: values put in on any thread come out on the loop's, in order.
package final class Mailbox<Message: Sendable>: Sendable {
    private let waiting: Mutex<[Message]> = Mutex([])
    private let wakeUp: WakeUp

    package init(on loop: EventLoop, receive: @escaping (Message) -> Void) throws(LoopError) {
        wakeUp = try WakeUp(on: loop)
        unsafe wakeUp.handle.woken = { [unowned self] in
            let messages = waiting.withLock { waiting in
                defer { waiting = [] }
                return waiting
            }
            for message in messages { receive(message) }
        }
    }

    /// From any thread. False: the loop is gone and the message with it.
    @discardableResult package func send(_ message: Message) -> Bool {
        waiting.withLock { $0.append(message) }
        return wakeUp.wake()
    }

    /// On the loop's thread.
    package func close() { wakeUp.close() }
}

/// The one handle other threads may touch, and only through `wake()`: libuv allows `uv_async_send` from anywhere
/// while the handle is open, which the lock makes sure of.
private final class WakeUp: Sendable {
    nonisolated(unsafe) let handle: AsyncHandle
    private let isOpen = Mutex(true)

    init(on loop: EventLoop) throws(LoopError) { unsafe handle = try AsyncHandle(on: loop) }

    func wake() -> Bool {
        isOpen.withLock { isOpen in
            if isOpen { unsafe handle.send() }
            return isOpen
        }
    }

    func close() {
        isOpen.withLock { isOpen in
            isOpen = false
            unsafe handle.close()
        }
    }
}

private final class AsyncHandle: HandleOwner {
    var woken: () -> Void = {}
    private var raw: UnsafeMutablePointer<uv_async_t> { unsafe memory.assumingMemoryBound(to: uv_async_t.self) }

    init(on loop: EventLoop) throws(LoopError) {
        super.init(UV_ASYNC)
        let code = unsafe uv_async_init(loop.raw, raw) { unsafe handleOwner(of: $0, as: AsyncHandle.self)?.woken() }
        try check(code, "make", "a wake-up")
        retainWhileOpen()
    }

    func send() { _ = unsafe uv_async_send(raw) }
}
