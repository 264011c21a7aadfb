package import EventLoop
package import JSON
internal import PushCore
internal import WebSocket

/// The client side of a device socket, for the terminal: a WebSocket over a blocking socket.
package final class DeviceClient {
    private let socket: BlockingSocket
    private var decoder = FrameDecoder(expectsMask: false, messageLimit: 64 << 20)
    private var random: Random
    /// The gateway closed the WebSocket or the connection.
    package private(set) var isClosed = false
    /// The gateway's close code and reason.
    package private(set) var closeText = ""

    private static let headLimit = 16 << 10

    package init(to address: SocketAddress, apiToken: String?, seed: UInt64) throws(BlockingClient.Failure) {
        guard let socket = BlockingSocket(to: address) else {
            throw BlockingClient.Failure(description: "cannot connect to \(address)")
        }
        self.socket = socket
        random = Random(seed: seed)
        let key = Base64.encode((0..<16).map { _ in UInt8(truncatingIfNeeded: random.next()) })
        let token = apiToken.map { "Authorization: Bearer \($0)\r\n" } ?? ""
        socket.write(
            Array(
                """
                GET \(WireNames.deviceSocketPath) HTTP/1.1\r\nHost: \(address)\r\nUpgrade: websocket\r\nConnection: Upgrade\r
                Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: \(key)\r\nSec-WebSocket-Protocol: \(WireNames.deviceSubprotocol)\r\n\(token)\r\n
                """.utf8))
        var head: [UInt8] = []
        let end = Array("\r\n\r\n".utf8)
        while !head.suffix(end.count).elementsEqual(end), head.count < Self.headLimit {
            guard let byte = socket.readByte() else { break }
            head.append(byte)
        }
        let text = String(decoding: head, as: UTF8.self)
        guard text.hasPrefix("HTTP/1.1 101 ") else { throw Self.refusal(text, from: address, socket) }
    }

    /// The error for an answer that does not open a socket, with the gateway's reason, which is plain text.
    private static func refusal(
        _ head: String, from address: SocketAddress, _ socket: BlockingSocket
    ) -> BlockingClient.Failure {
        let lines = head.split(separator: "\r\n")
        let line = lines.first ?? ""
        let length = lines.first { $0.lowercased().hasPrefix("content-length:") }
            .flatMap { Int($0.drop { $0 != ":" }.dropFirst().drop { $0 == " " }) }
        var body: [UInt8] = []
        while body.count < min(length ?? 0, headLimit), let byte = socket.readByte() { body.append(byte) }
        let isText = lines.contains { $0.lowercased().hasPrefix("content-type: text/plain") }
        let reason = isText ? String(decoding: body, as: UTF8.self).split(whereSeparator: \.isNewline).first : nil
        return BlockingClient.Failure(
            description: "\(address) did not open a device socket; it answered '\(line)'"
                + (reason.map { ": \($0)" } ?? ""),
            status: line.split(separator: " ").dropFirst().first.flatMap { Int($0) })
    }

    package func send(_ message: [UInt8]) {
        let mask = (0..<4).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        var output: [UInt8] = []
        FrameEncoder.append(.text, message, mask: mask, into: &output)
        socket.write(output)
    }

    package func send(_ type: String, _ fields: (inout JSONWriter) -> Void = { _ in }) {
        var json = JSONWriter()
        json.object { json in
            json.member("type", type)
            fields(&json)
        }
        send(json.finish())
    }

    /// Waits until the gateway sends something, the other descriptor has input, or the time is up.
    package func wait(alsoFor descriptor: Int32?, milliseconds: Int32) -> (hasMessages: Bool, hasInput: Bool) {
        let (isReadable, otherIsReadable) = socket.wait(alsoFor: descriptor, milliseconds: milliseconds)
        return (isReadable, otherIsReadable)
    }

    /// The messages that have arrived.
    package func receive() -> [[UInt8]] {
        let bytes = socket.read()
        guard !bytes.isEmpty else {
            isClosed = true
            return []
        }
        var messages: [[UInt8]] = []
        var offset = 0
        do throws(CloseCode) {
            while let event = try decoder.next(bytes.span, from: &offset) {
                switch event {
                case .message(_, let text): messages.append(text)
                case .ping(let payload): pong(payload)
                case .pong: break
                case .close(let code, let reason):
                    isClosed = true
                    closeText = "\(code?.rawValue ?? 1000)" + (reason.isEmpty ? "" : ": \(reason)")
                    return messages
                }
            }
        } catch { isClosed = true }
        return messages
    }

    private func pong(_ payload: [UInt8]) {
        var output: [UInt8] = []
        FrameEncoder.append(.pong, payload, mask: [0, 0, 0, 0], into: &output)
        socket.write(output)
    }
}
