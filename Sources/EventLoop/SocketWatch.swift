internal import CUV

/// Reports when a socket that somebody else owns can be read or written. Close the watch before the socket.
package final class SocketWatch: HandleOwner {
    package struct Events: OptionSet, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let readable = Events(rawValue: 1)
        package static let writable = Events(rawValue: 2)
        package static let failed = Events(rawValue: 4)
    }

    private var ready: (Events) -> Void

    private var raw: UnsafeMutablePointer<uv_poll_t> { unsafe memory.assumingMemoryBound(to: uv_poll_t.self) }

    /// - Parameter ready: called in each turn of the loop in which the socket is ready, until what it is ready for has
    ///   been done. So a call may leave the rest of its work to the next turn.
    package init(_ socket: Int32, on loop: EventLoop, ready: @escaping (Events) -> Void) throws(LoopError) {
        self.ready = ready
        super.init(UV_POLL)
        try check(unsafe uv_poll_init(loop.raw, raw, socket), "watch", "a socket")
        retainWhileOpen()
    }

    /// Watches for these events from now on.
    package func start(for events: Events) {
        guard !isClosed else { return }
        let wanted =
            (events.contains(.readable) ? Int32(UV_READABLE.rawValue) : 0)
            | (events.contains(.writable) ? Int32(UV_WRITABLE.rawValue) : 0)
        _ = unsafe uv_poll_start(raw, wanted) { handle, status, events in
            guard let watch = unsafe handleOwner(of: handle, as: SocketWatch.self) else { return }
            var seen: Events = status < 0 ? .failed : []
            if events & Int32(UV_READABLE.rawValue) != 0 { seen.insert(.readable) }
            if events & Int32(UV_WRITABLE.rawValue) != 0 { seen.insert(.writable) }
            watch.ready(seen)
        }
    }

    package override func close() {
        super.close()
        ready = { _ in }
    }
}
