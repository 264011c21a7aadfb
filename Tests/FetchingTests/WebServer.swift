import EventLoop
import Testing

@testable import Fetching

/// A web server on the loop of the client. It also runs the loop until the test's condition is true.
final class WebServer {
    /// What the server answers to a request.
    enum Reply {
        /// Bytes, and then the end of the connection.
        case bytes([UInt8])
        /// These bytes again and again.
        case endless([UInt8])
        case nothing
    }

    let loop: EventLoop
    let port: UInt16
    /// The requests, as text.
    private(set) var requests: [String] = []
    private(set) var open = 0
    var reply: (String) -> Reply = { _ in .nothing }
    private let listener: TCPListener
    private var streams: [TCPStream] = []
    private var watchdog: LoopTimer?

    init(host: String = "127.0.0.1", loop: EventLoop? = nil) throws {
        let loop = try loop ?? EventLoop()
        self.loop = loop
        listener = try TCPListener(on: loop, at: SocketAddress(host: host, port: 0))
        port = listener.address.port
        watchdog = try LoopTimer(on: loop) { loop.stop() }
        listener.accepted = { [unowned self] stream in
            open += 1
            streams.append(stream)
            stream.owner = Visitor(stream, of: self)
            stream.startReading()
        }
    }

    static func page(
        _ body: [UInt8], status: String = "200 OK", type: String? = "image/png", fields: [String] = [],
        announced: Bool = true
    ) -> Reply {
        var head = ["HTTP/1.1 \(status)"] + fields
        if let type { head.append("Content-Type: \(type)") }
        if announced { head.append("Content-Length: \(body.count)") }
        return .bytes(Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
    }

    /// Runs the loop until `isDone` returns true, or for 20 s.
    func run(until isDone: @escaping () -> Bool, at location: SourceLocation = #_sourceLocation) throws {
        watchdog?.start(after: 20_000)
        let idle = try LoopIdle(on: loop) { [loop] in
            if isDone() { loop.stop() }
            return true
        }
        idle.start()
        loop.run()
        idle.close()
        #expect(isDone(), "the test's condition did not become true within 20 s", sourceLocation: location)
    }

    /// False if a handle is still open.
    func close() -> Bool {
        for stream in streams { stream.close() }
        listener.close()
        watchdog?.close()
        return loop.close()
    }

    /// One connection.
    private final class Visitor: TCPStreamOwner {
        private unowned let stream: TCPStream
        private unowned let server: WebServer
        private var text = ""
        private var more: [UInt8] = []

        init(_ stream: TCPStream, of server: WebServer) {
            self.stream = stream
            self.server = server
        }

        var readQueue: ReadQueue { .usual }

        func received(_ bytes: Span<UInt8>) {
            for index in bytes.indices { text.unicodeScalars.append(Unicode.Scalar(bytes[index])) }
            guard let end = text.firstRange(of: "\r\n\r\n") else { return }
            let length = text.split(separator: "\r\n").first { $0.hasPrefix("Content-Length: ") }
            let wanted = length.flatMap { Int($0.dropFirst("Content-Length: ".count)) } ?? 0
            guard text[end.upperBound...].utf8.count >= wanted else { return }
            server.requests.append(text)
            switch server.reply(text) {
            case .bytes(let bytes):
                stream.write(bytes.span)
                stream.endWriting()
            case .endless(let bytes):
                more = bytes
                drained()
            case .nothing: break
            }
        }

        func peerEnded() { peerClosed() }
        func peerClosed() {
            server.open -= 1
            more = []
            stream.close()
        }

        func drained() {
            // The kernel may take all bytes at once. Then nothing calls this function again.
            while !more.isEmpty, stream.pendingBytes == 0 { stream.write(more.span) }
        }
    }
}
