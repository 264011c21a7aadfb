internal import Glibc
internal import Threads

/// A value that one thread waits for and another provides. A byte in a pipe signals that it has arrived.
final class ResultBox<Value: Sendable>: Sendable {
    private let value: Lock<Value?> = Lock(nil)
    private let ends: (read: Int32, write: Int32)

    /// How long to wait, in milliseconds.
    private static var timeout: Int32 { 5000 }

    init() {
        var descriptors: [Int32] = [-1, -1]
        let code = unsafe pipe(&descriptors)
        precondition(code == 0, "cannot create a pipe: \(errno)")
        ends = (descriptors[0], descriptors[1])
    }

    deinit {
        close(ends.read)
        close(ends.write)
    }

    func put(_ result: Value) {
        value.withLock { $0 = result }
        var byte: UInt8 = 0
        let count = unsafe write(ends.write, &byte, 1)
        precondition(count == 1, "cannot write to the pipe: \(errno)")
    }

    func wait() -> Value {
        var watched = [pollfd(fd: ends.read, events: Int16(POLLIN), revents: 0)]
        _ = unsafe poll(&watched, 1, Self.timeout)
        guard let result = value.withLock({ $0 }) else { preconditionFailure("the loop did not answer") }
        return result
    }
}
