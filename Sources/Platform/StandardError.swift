internal import Glibc
internal import Synchronization

/// Where log lines go by default. Never waits: the loop writes them, and a pipe that nobody reads would stop it.
final class StandardError: Sendable {
    private let lost = Atomic(0)

    /// A pipe that can be written to at all takes this much at once (PIPE_BUF).
    private static let longestLine = 4096

    func write(_ line: [UInt8]) {
        let missed = lost.load(ordering: .relaxed)
        guard isReady else { return lost.store(missed + 1, ordering: .relaxed) }
        if missed > 0 {
            put(Array("pushpit: \(missed) lines of the log were lost, because stderr was not read\n".utf8))
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
