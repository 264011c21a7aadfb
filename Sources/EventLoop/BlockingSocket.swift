internal import CUV
internal import Glibc

/// A client's blocking socket, for the command line and for tests. Do not use it on the thread of a running loop.
package final class BlockingSocket {
    private let descriptor: Int32

    /// Connects; nil if that fails. Connecting, reading and writing give up after `timeout` milliseconds.
    package init?(to address: SocketAddress, timeout: UInt64 = 5000) {
        let family = address.host.contains(":") ? AF_INET6 : AF_INET
        descriptor = socket(family, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        var limit = timeval(tv_sec: Int(timeout / 1000), tv_usec: Int(timeout % 1000) * 1000)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            unsafe setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
        let size = socklen_t(
            family == AF_INET6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size)
        let result = try? unsafe address.withRaw { raw throws(LoopError) in unsafe connect(descriptor, raw, size) }
        guard result == 0 else { return nil }
    }

    deinit { shutdownAndClose() }

    /// Writes all bytes; stops without an error if the connection breaks.
    package func write(_ bytes: [UInt8]) {
        var offset = 0
        while offset < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { bytes in
                unsafe send(descriptor, bytes.baseAddress! + offset, bytes.count - offset, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            offset += count
        }
    }

    /// Waits for at least one byte and returns what has arrived; empty at the end of the connection or after the
    /// timeout.
    package func read() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe recv(descriptor, &bytes, bytes.count, 0)
        return Array(bytes.prefix(max(0, count)))
    }

    /// The next byte; nil at the end of the connection or after the timeout.
    package func readByte() -> UInt8? {
        var byte: UInt8 = 0
        return unsafe recv(descriptor, &byte, 1, 0) == 1 ? byte : nil
    }

    /// Waits until this socket or the descriptor `other` is readable, for at most `milliseconds`.
    package func wait(alsoFor other: Int32?, milliseconds: Int32) -> (isReadable: Bool, otherIsReadable: Bool) {
        var watched = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: other ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        let count = unsafe poll(&watched, 2, milliseconds)
        return count > 0 ? (watched[0].revents != 0, watched[1].revents != 0) : (false, false)
    }

    private func shutdownAndClose() {
        guard descriptor >= 0 else { return }
        shutdown(descriptor, Int32(SHUT_RDWR))
        Glibc.close(descriptor)
    }
}
