package import EventLoop
internal import Glibc

/// Checks once whether a gateway is ready, with a blocking socket.
package enum Probe {
    package enum State: Equatable {
        case ready
        /// A gateway answers, and says why it is not ready.
        case notReady(String)
        case noGateway
    }

    /// Gives up after `timeout` milliseconds.
    package static func state(_ address: SocketAddress, timeout: UInt64) -> State {
        guard let socket = BlockingSocket(to: address, timeout: timeout) else { return .noGateway }
        socket.write(Array("GET /readyz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n".utf8))
        let answer = socket.read()
        // A listener of role `apns` supports only HTTP/2. Its SETTINGS frame shows that it is ready.
        if answer.starts(with: "HTTP/1.1 200".utf8) || answer.starts(with: [0, 0, 30, 4]) { return .ready }
        guard answer.starts(with: "HTTP/1.1 503".utf8) else { return .noGateway }
        let lines = String(decoding: answer.prefix(4096), as: UTF8.self).split(whereSeparator: \.isNewline)
        return .notReady(lines.last.map(String.init) ?? "")
    }

    package static func isReady(_ address: SocketAddress, timeout: UInt64) -> Bool {
        state(address, timeout: timeout) == .ready
    }
}
