package import EventLoop
internal import Glibc

/// Checks once whether a gateway is ready, with a blocking socket.
package enum Probe {
    /// Gives up after `timeout` milliseconds.
    package static func isReady(_ address: SocketAddress, timeout: UInt64) -> Bool {
        guard let socket = BlockingSocket(to: address, timeout: timeout) else { return false }
        socket.write(Array("GET /readyz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n".utf8))
        let answer = socket.read()
        // A listener of role `apns` supports only HTTP/2. Its SETTINGS frame shows that it is ready.
        return answer.starts(with: "HTTP/1.1 200".utf8) || answer.starts(with: [0, 0, 30, 4])
    }
}
