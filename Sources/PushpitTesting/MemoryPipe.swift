internal import Gateway

/// The client's end of a connection without a socket.
///
/// Bytes reach the gateway when the host lets them, and never while the gateway is at work: as with a socket.
final class MemoryPipe: ClientPipe {
    private unowned let host: EmbeddedHost
    let transport = MemoryTransport()
    private var connection: Connection?
    /// What the gateway has not read.
    private var sent: [UInt8] = []
    private var writing = Writing.open

    private enum Writing { case open, ended, endReported }

    /// The most bytes that a socket delivers at once.
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

    /// Takes a part of what has piled up for a client that does not read.
    func take(atMost count: Int) -> [UInt8] { transport.take(atMost: count) }

    var isEnded: Bool { transport.hasEnded && transport.written.isEmpty }
    var wasReset: Bool { transport.wasReset }

    /// A client that reads again takes what has piled up, and the gateway hears of that.
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

    /// Gives the gateway what has come for it; true if that was anything.
    func deliver() -> Bool {
        guard let connection, transport.isRead else { return false }
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
    /// What the client has not read.
    private(set) var written: [UInt8] = []
    /// The gateway reads from it.
    private(set) var isRead = false
    /// The gateway has ended or closed it.
    private(set) var hasEnded = false
    private(set) var wasReset = false
    /// The client does not read: all that is written stays here.
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

    /// The system's buffers are thought to be endless: only a client that does not read leaves anything.
    var pendingBytes: Int { isBlocked ? written.count : 0 }

    func startReading() { isRead = true }
    func stopReading() { isRead = false }
    func endWriting() { hasEnded = true }
    func close() { hasEnded = true }

    func reset() {
        wasReset = true
        // A client that reads has taken what came before.
        if isBlocked { written = [] }
        hasEnded = true
    }
}
