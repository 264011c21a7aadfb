package import EventLoop
internal import Glibc

/// Checks once whether a gateway is ready, with a blocking socket.
package enum Probe {
    /// Whether a gateway is ready on a port of this machine.
    package static func isReady(onPort port: UInt16) -> Bool {
        ["127.0.0.1", "::1"].contains { isReady(SocketAddress(host: $0, port: port), timeout: 500) }
    }

    /// Gives up after `timeout` milliseconds.
    package static func isReady(_ address: SocketAddress, timeout: UInt64) -> Bool {
        guard let socket = BlockingSocket(to: address, timeout: timeout) else { return false }
        socket.write(Array("GET /readyz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n".utf8))
        let answer = socket.read()
        // A listener of role `apns` supports only HTTP/2. Its SETTINGS frame shows that it is ready.
        return answer.starts(with: "HTTP/1.1 200".utf8) || answer.starts(with: [0, 0, 30, 4])
    }
}
