internal import Glibc
internal import Threads

/// Reads one descriptor to its end, on a thread, and closes it.
final class OutputReader: Sendable {
    private let descriptor: Int32
    private let receiver: any OutputReceiver

    init(_ descriptor: Int32, _ receiver: any OutputReceiver) {
        (self.descriptor, self.receiver) = (descriptor, receiver)
    }

    /// Nil, with the descriptor still open, if the system has no thread left.
    func start() -> pthread_t? {
        NewThread.start { self.run() }
    }

    private func run() {
        /// When the time is up, in milliseconds; nil if that no longer matters.
        var deadline: UInt64? = Self.now &+ receiver.patience
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let now = Self.now
            if let due = deadline, due <= now {
                deadline = nil
                receiver.timeIsUp()
            }
            var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&ready, 1, deadline.map { Int32(clamping: $0 &- now) } ?? -1) > 0 else { continue }
            let size = unsafe read(descriptor, &buffer, buffer.count)
            if size < 0, errno == EINTR { continue }
            guard size > 0 else { break }
            if receiver.receive(Array(buffer.prefix(size))) { deadline = nil }
        }
        close(descriptor)
    }

    /// Monotonic time in milliseconds.
    private static var now: UInt64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(clamping: time.tv_sec) &* 1000 &+ UInt64(clamping: time.tv_nsec) / 1_000_000
    }
}
