internal import Glibc
internal import Synchronization

/// The default destination of log lines.
///
/// It never blocks, because it is called on the loop thread, and a full pipe without a reader would stop the gateway.
/// Lines that cannot be written are counted and reported later.
final class StandardError: Sendable {
    private let lost = Atomic(0)

    /// PIPE_BUF: a pipe that is ready for writing accepts at least this many bytes at once.
    static let longestLine = 4096

    func write(_ line: [UInt8]) {
        let missed = lost.load(ordering: .relaxed)
        guard isReady else { return lost.store(missed + 1, ordering: .relaxed) }
        if missed > 0 {
            put(Array("pushpit: \(missed) log lines were lost because stderr was not being read\n".utf8))
            lost.store(0, ordering: .relaxed)
            guard isReady else { return lost.store(1, ordering: .relaxed) }
        }
        put(line)
    }

    private var isReady: Bool {
        var ask = pollfd(fd: 2, events: Int16(POLLOUT), revents: 0)
        return unsafe poll(&ask, 1, 0) == 1
    }

    private func put(_ line: [UInt8]) { _ = unsafe Glibc.write(2, line, min(line.count, Self.longestLine)) }
}
