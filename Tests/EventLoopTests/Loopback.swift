import EventLoop
import Glibc
import Testing

/// A blocking client that can end its sending direction or reset the connection. Its calls may block, so the tests make
/// the long ones on another thread, with `offload`.
final class LoopbackPeer: Sendable {
    enum Received: Equatable {
        case bytes([UInt8])
        case end
        case failed(Int32)
    }

    private let descriptor: Int32

    init(port: UInt16) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        // So that a failing test ends, and that the kernel takes little of what is not read.
        var timeout = timeval(tv_sec: 10, tv_usec: 0)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        var size: Int32 = 65_536
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = unsafe inet_addr("127.0.0.1")
        let descriptor = descriptor
        let code = unsafe withUnsafePointer(to: &address) { pointer in
            let raw = unsafe UnsafeRawPointer(pointer).assumingMemoryBound(to: sockaddr.self)
            return unsafe connect(descriptor, raw, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
        try #require(code == 0)
    }

    deinit { close(descriptor) }

    func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = unsafe Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    func endWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Resets the connection when the peer is released.
    func resetWhenClosed() {
        var option = linger(l_onoff: 1, l_linger: 0)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    func receive() -> Received {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe recv(descriptor, &bytes, bytes.count, 0)
        if count < 0 { return .failed(errno) }
        return count == 0 ? .end : .bytes(Array(bytes.prefix(count)))
    }

    /// Everything up to `count` bytes, the end of the connection or an error.
    func receive(upTo count: Int) -> [UInt8] {
        var all: [UInt8] = []
        while all.count < count, case .bytes(let bytes) = receive() { all += bytes }
        return all
    }
}

/// Records the events of a stream.
final class Recorder: TCPStreamOwner {
    private(set) var text = ""
    var readQueue = ReadQueue.usual
    private(set) var events: [String] = []
    var changed: () -> Void = {}

    func received(_ bytes: Span<UInt8>) {
        for index in bytes.indices { text.unicodeScalars.append(Unicode.Scalar(bytes[index])) }
        changed()
    }

    func peerEnded() { add("ended") }
    func peerClosed() { add("closed") }
    func drained() { add("drained") }

    private func add(_ event: String) {
        events.append(event)
        changed()
    }
}

/// A listener on the loopback interface, a client, and the stream accepted from it.
final class Loopback {
    let loop: EventLoop
    let recorder = Recorder()
    let stream: TCPStream
    var peer: LoopbackPeer?
    private let listener: TCPListener
    /// Ends `run(until:)` if the expected event does not come.
    private let watchdog: LoopTimer

    init() throws {
        let loop = try EventLoop()
        let listener = try TCPListener(on: loop, at: SocketAddress(host: "127.0.0.1", port: 0))
        var accepted: TCPStream?
        listener.accepted = { stream in
            accepted = stream
            loop.stop()
        }
        watchdog = try LoopTimer(on: loop) { loop.stop() }
        peer = try LoopbackPeer(port: listener.address.port)
        watchdog.start(after: 10_000)
        loop.run()
        stream = try #require(accepted)
        stream.owner = recorder
        self.loop = loop
        self.listener = listener
    }

    /// Runs the loop until `condition` holds after an event of the stream.
    func run(until condition: @escaping () -> Bool, at location: SourceLocation = #_sourceLocation) {
        recorder.changed = { [loop] in if condition() { loop.stop() } }
        // The condition usually holds this object, which holds the recorder.
        defer { recorder.changed = {} }
        watchdog.start(after: 10_000)
        if !condition() { loop.run() }
        #expect(condition(), "the event did not come", sourceLocation: location)
    }

    /// Lets the peer read on another thread while the loop runs.
    func receive(upTo count: Int, at location: SourceLocation = #_sourceLocation) throws -> [UInt8] {
        let peer = try #require(peer)
        var received: [UInt8]?
        try loop.offload {
            peer.receive(upTo: count)
        } then: { [recorder] bytes in
            received = bytes
            recorder.changed()
        }
        run(until: { received != nil }, at: location)
        return received ?? []
    }

    /// Closes all handles; false if one was left open.
    func close() -> Bool {
        stream.close()
        listener.close()
        watchdog.close()
        return loop.close()
    }
}
