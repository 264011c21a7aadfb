internal import APNs
internal import EventLoop
internal import PushCore
internal import PushEngine
internal import TLS

/// One accepted connection, from its first byte on. It detects what is spoken by looking: TLS or not, then HTTP/2 or
/// HTTP/1.1. The transport calls `received`, `peerEnded`, `peerClosed` and `drained`.
package final class Connection: TCPStreamOwner {
    package let id: ConnectionID
    /// Owns this connection, by its table.
    unowned let gateway: Gateway
    let transport: any Transport
    var facts: ConnectionFacts
    /// What the provider has shown of itself. Only pushes read it.
    var session: APNsSession
    var tls: TLSSession?
    var layer = Layer.opening
    var lifecycle = ConnectionLifecycle()
    var faultMemory = FaultMemory()

    /// Loop times of the connection's start, of the last byte either way, and of the last byte that was received.
    let opened: UInt64
    var lastActivity: UInt64
    private(set) var lastHeard: UInt64
    /// How many bytes waited for the peer at the last sweep.
    var pendingBefore = 0

    /// What is known of the protocol.
    enum Layer {
        case opening
        case handshaking
        /// The protocol is not decided yet; the bytes so far.
        case sniffing([UInt8])
        case http1(HTTP1Channel)
        case http2(HTTP2Channel)
        case webSocket(WebSocketChannel)

        /// Nil until the protocol is known.
        var channel: (any Channel)? {
            switch self {
            case .opening, .handshaking, .sniffing: nil
            case .http1(let channel): channel
            case .http2(let channel): channel
            case .webSocket(let channel): channel
            }
        }
    }

    /// Bytes of output that may wait in memory before input is no longer read.
    static let outputLimit = 1 << 20

    init(id: ConnectionID, gateway: Gateway, transport: any Transport, role: Role, environment: PushEnvironment) {
        self.id = id
        self.gateway = gateway
        self.transport = transport
        facts = ConnectionFacts(role: role, isTLS: false)
        session = APNsSession(environment: environment)
        opened = gateway.loopNow
        lastActivity = opened
        lastHeard = opened
    }

    package func received(_ bytes: Span<UInt8>) {
        guard lifecycle.writesOutput, bytes.count > 0 else { return }
        lastActivity = gateway.loopNow
        lastHeard = lastActivity
        gateway.clock.tick()
        if case .opening = layer { open(first: bytes[0]) }
        if tls != nil { receiveTLS(bytes) } else { handle(bytes) }
        flush()
        applyTermination()
        if gateway.hasWork || !gateway.written.isEmpty { gateway.workOff() }
    }

    /// The peer sends no more; it may still read.
    package func peerEnded() {
        if perform(lifecycle.peerEnded()) { return }
        switch layer.channel?.peerEnded() ?? .close {
        case .close: return close()
        case .goOn: return
        case .endGracefully: break
        }
        flush()
        endGracefully()
        closeIfDone()
    }

    package func peerClosed() { close() }

    package func drained() {
        lastActivity = gateway.loopNow
        flush()
        if case .webSocket = layer { gateway.goOn(id) }
        closeIfDone()
        resumeReading()
        // A reader of the event log may have room again.
        gateway.workLater()
    }

    /// Reads on, unless the peer has to take its answers first, or the disk is behind.
    package func resumeReading() {
        guard transport.pendingBytes < Self.outputLimit / 2, lifecycle.writesOutput || lifecycle.isDead,
            !gateway.isPausedForDisk
        else { return }
        transport.startReading()
    }

    /// Sends everything that can be sent, and closes what can be closed.
    func flush() {
        guard lifecycle.writesOutput, let channel = layer.channel else {
            if lifecycle.writesOutput { send([UInt8]().span) }
            return
        }
        var output = gateway.borrowScratch()
        channel.drain(into: &output, upTo: Self.outputLimit - transport.pendingBytes)
        send(output.span)
        gateway.giveBackScratch(output)
        if transport.pendingBytes > Self.outputLimit { transport.stopReading() }
        if channel.isFinished { endGracefully() }
    }

    /// Sends frames on a socket that has nothing before them.
    func send(frames: Span<UInt8>) {
        guard lifecycle.writesOutput else { return }
        send(frames)
        if transport.pendingBytes > Self.outputLimit { transport.stopReading() }
    }

    package func close() {
        guard lifecycle.closed() else { return }
        layer.channel?.detach()
        transport.close()
        gateway.connectionClosed(self)
    }

    func reset() {
        transport.reset()
        close()
    }

    func upgrade(to channel: WebSocketChannel) { layer = .webSocket(channel) }

    func endGracefully() {
        guard lifecycle.endBegan() else { return }
        if let tls {
            tls.shutDown()
            tls.drain { transport.write($0) }
        }
        transport.endWriting()
        transport.startReading()
        closeIfDone()
    }

    private func closeIfDone() {
        _ = perform(lifecycle.outputDrained(pending: transport.pendingBytes, at: gateway.loopNow))
    }

    /// A fault may end the connection now that earlier answers are out.
    func applyTermination() { _ = perform(lifecycle.outputFlushed()) }

    /// True if the connection is gone.
    func perform(_ action: ConnectionLifecycle.Action) -> Bool {
        switch action {
        case .nothing: return false
        case .close: close()
        case .reset: reset()
        }
        return true
    }

    func handle(_ bytes: Span<UInt8>) {
        guard lifecycle.readsInput else { return }
        if case .sniffing(let seen) = layer { return sniff(seen, bytes) }
        layer.channel?.receive(bytes)
    }

    func send(_ bytes: Span<UInt8>) {
        guard let tls else { return transport.write(bytes) }
        if bytes.count > 0 { try? tls.write(bytes) }
        tls.drain { transport.write($0) }
    }
}

@available(*, unavailable) extension Connection: Sendable {}
