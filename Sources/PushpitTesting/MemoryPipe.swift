internal import Gateway

/// The client's end of a connection without a socket.
///
/// The host delivers the bytes to the gateway. As with a socket, they never arrive while the gateway is working.
final class MemoryPipe: ClientPipe {
    private unowned let host: EmbeddedHost
    let transport = MemoryTransport()
    private var connection: Connection?
    /// Bytes that the gateway has not read yet.
    private var sent: [UInt8] = []
    private var writing = Writing.open

    private enum Writing { case open, ended, endReported }

    /// The maximum number of bytes that a socket delivers at once.
    private static let readSize = 65_536

    init(host: EmbeddedHost) { self.host = host }

    func open(_ connection: Connection) { self.connection = connection }

    func write(_ bytes: [UInt8]) throws {
        sent += bytes
        host.settle()
    }

    func read(waits: Bool) throws -> [UInt8] {
        host.settle()
        return transport.isBlocked ? [] : transport.take(atMost: .max)
    }

    /// Takes at most `count` of the bytes that have accumulated for a client that does not read.
    func take(atMost count: Int) -> [UInt8] { transport.take(atMost: count) }

    var isEnded: Bool { transport.hasEnded && transport.written.isEmpty }
    var wasReset: Bool { transport.wasReset }

    /// When a client reads again, it gets the accumulated bytes, and the gateway learns that they were read.
    var isReading: Bool {
        get { !transport.isBlocked }
        set {
            guard newValue == transport.isBlocked else { return }
            transport.isBlocked = !newValue
            guard newValue else { return }
            connection?.drained()
            host.settle()
        }
    }

    func endWriting() throws {
        if writing == .open { writing = .ended }
        host.settle()
    }

    func close() {
        connection?.peerClosed()
        connection = nil
        host.forget(self)
        host.settle()
    }

    /// Delivers the next bytes, or the end, to the gateway; false if there is nothing to deliver.
    func deliver() -> Bool {
        guard let connection, transport.isReadByGateway else { return false }
        if !sent.isEmpty {
            let bytes = Array(sent.prefix(Self.readSize))
            sent.removeFirst(bytes.count)
            connection.received(bytes.span)
            return true
        }
        guard writing == .ended else { return false }
        writing = .endReported
        connection.peerEnded()
        return true
    }
}

/// The gateway's end of a connection without a socket.
final class MemoryTransport: Transport {
    /// Bytes that the client has not read yet.
    private(set) var written: [UInt8] = []
    /// Whether the gateway reads from the connection.
    private(set) var isReadByGateway = false
    /// Whether the gateway has ended or closed the connection.
    private(set) var hasEnded = false
    private(set) var wasReset = false
    /// Whether the client has stopped reading, so that everything that is written stays here.
    var isBlocked = false

    func take(atMost count: Int) -> [UInt8] {
        let taken = Array(written.prefix(count))
        written.removeFirst(taken.count)
        return taken
    }

    func write(_ bytes: Span<UInt8>) {
        guard !hasEnded else { return }
        written.append(addingCapacity: bytes.count) { output in
            for index in bytes.indices { output.append(bytes[index]) }
        }
    }

    /// Socket buffers are modeled as unlimited, so bytes are pending only if the client does not read.
    var pendingBytes: Int { isBlocked ? written.count : 0 }

    func startReading() { isReadByGateway = true }
    func stopReading() { isReadByGateway = false }
    func endWriting() { hasEnded = true }
    func close() { hasEnded = true }

    func reset() {
        wasReset = true
        // A client that reads has already received everything before the reset.
        if isBlocked { written = [] }
        hasEnded = true
    }
}
