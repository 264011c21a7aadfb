internal import CUV
internal import Threads

/// Passes messages from other threads to a loop. Any thread can send; the loop's thread receives in order.
package final class Mailbox<Message: Sendable>: Sendable {
    private let pending: Lock<[Message]> = Lock([])
    private let wakeUp: WakeUp

    /// - Parameter receive: called on the loop's thread for each message.
    package init(on loop: EventLoop, receive: @escaping (Message) -> Void) throws(LoopError) {
        wakeUp = try WakeUp(on: loop)
        unsafe wakeUp.handle.woken = { [unowned self] in
            let messages = pending.withLock { pending in
                defer { pending = [] }
                return pending
            }
            for message in messages { receive(message) }
        }
    }

    /// Sends a message from any thread. Returns false, and drops the message, if the mailbox is closed.
    @discardableResult package func send(_ message: Message) -> Bool {
        pending.withLock { $0.append(message) }
        return wakeUp.wake()
    }

    /// Closes the mailbox. Call it on the loop's thread.
    package func close() { wakeUp.close() }
}

/// Wakes a loop from any thread. libuv allows `uv_async_send` from any thread while the handle is open; the lock
/// ensures that it stays open during the call.
private final class WakeUp: Sendable {
    nonisolated(unsafe) let handle: AsyncHandle
    private let isOpen = Lock(true)

    init(on loop: EventLoop) throws(LoopError) { unsafe handle = try AsyncHandle(on: loop) }

    func wake() -> Bool {
        isOpen.withLock { isOpen in
            if isOpen { unsafe handle.send() }
            return isOpen
        }
    }

    func close() {
        isOpen.withLock { $0 = false }
        // Outside the lock: closing releases the callback and the objects that it holds, and their `deinit` may use
        // this mailbox.
        unsafe handle.close()
    }
}

private final class AsyncHandle: HandleOwner {
    var woken: () -> Void = {}
    private var raw: UnsafeMutablePointer<uv_async_t> { unsafe memory.assumingMemoryBound(to: uv_async_t.self) }

    init(on loop: EventLoop) throws(LoopError) {
        super.init(UV_ASYNC)
        let code = unsafe uv_async_init(loop.raw, raw) { unsafe handleOwner(of: $0, as: AsyncHandle.self)?.woken() }
        try check(code, "create", "a wake-up handle")
        retainWhileOpen()
    }

    func send() { _ = unsafe uv_async_send(raw) }

    override func close() {
        super.close()
        woken = {}
    }
}
