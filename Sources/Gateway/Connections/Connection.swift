internal import APNs
internal import EventLoop
internal import HTTP2
internal import HTTPCore
internal import PushCore
internal import PushEngine
internal import TLS

/// One accepted connection, from its first byte on. What is spoken is found out by looking: TLS or not, then
/// HTTP/2 or HTTP/1.1. Whatever carries the bytes calls `received`, `peerEnded` and `peerClosed`.
package final class Connection: TCPStreamOwner {
    package let id: ConnectionID
    /// Owns this connection, by its table.
    unowned let gateway: Gateway
    let transport: any Transport
    var facts: ConnectionFacts
    /// What has been shown of the provider; only pushes look at it.
    var session: APNsSession
    var tls: TLSSession?
    var layer = Layer.opening
    var closing = Closing.no
    var faultMemory = FaultMemory()
    var faultMode = FaultMode.free
    /// What a fault wants of the connection, once what was answered before is out.
    var pendingTermination: FaultMode?

    /// Loop time of the connection's beginning, of the last byte either way, and of the last that came.
    let opened: UInt64
    var lastActivity: UInt64
    private(set) var lastHeard: UInt64
    /// How much waited for the peer when it was last looked at.
    var pendingBefore = 0
    private var peerHasEnded = false

    enum Layer {
        case opening
        case handshaking
        /// Nothing has been said yet of what is spoken; the bytes so far.
        case sniffing([UInt8])
        case http1(HTTP1Channel)
        case http2(HTTP2Channel)
        case webSocket(WebSocketChannel)
    }

    enum Closing {
        case no
        /// Nothing more is made; what was made is still going out.
        case ending
        /// Our side is done; what still comes is thrown away until the peer is done too.
        case lingering(since: UInt64)
        case closed
    }

    /// Output of one connection that may wait in memory before it is no longer read from.
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
        guard case .no = closing, faultMode == .free, bytes.count > 0 else { return }
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
        peerHasEnded = true
        if faultMode != .free { return close() }
        switch layer {
        case .opening, .handshaking, .sniffing, .webSocket: return close()
        case .http1(let channel) where channel.isWaiting: return close()
        case .http1(let channel) where channel.pause == .untilAnswered: return channel.closeAfterAnswers()
        case .http1, .http2: break
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
    }

    /// Reads on, unless the peer has to take its answers first, or the disk is behind.
    func resumeReading() {
        guard transport.pendingBytes < Self.outputLimit / 2, case .no = closing, !gateway.isPausedForDisk else {
            return
        }
        transport.startReading()
    }

    /// Everything that can be sent is; everything that can be closed is.
    func flush() {
        guard case .no = closing, faultMode == .free else { return }
        var output = gateway.borrowScratch()
        let room = Self.outputLimit - transport.pendingBytes
        switch layer {
        case .opening, .handshaking, .sniffing: break
        case .http1(let channel): channel.drain(into: &output)
        case .http2(let channel): channel.drain(into: &output, upTo: room)
        case .webSocket(let channel): channel.drain(into: &output)
        }
        send(output.span)
        gateway.giveBackScratch(output)
        if transport.pendingBytes > Self.outputLimit { transport.stopReading() }
        if isFinished { endGracefully() }
    }

    /// Frames on a socket that has nothing before them.
    func send(frames: Span<UInt8>) {
        guard case .no = closing, faultMode == .free else { return }
        send(frames)
        if transport.pendingBytes > Self.outputLimit { transport.stopReading() }
    }

    package func close() {
        if case .closed = closing { return }
        closing = .closed
        switch layer {
        case .opening, .handshaking, .sniffing, .http2: break
        case .http1(let channel): channel.detach()
        case .webSocket(let channel): channel.detach()
        }
        transport.close()
        gateway.connectionClosed(self)
    }

    func upgrade(to channel: WebSocketChannel) { layer = .webSocket(channel) }

    func endGracefully() {
        guard case .no = closing else { return }
        if let tls {
            tls.shutDown()
            tls.drain { transport.write($0) }
        }
        closing = .ending
        transport.endWriting()
        transport.startReading()
        closeIfDone()
    }

    /// Once all is out, the peer gets a while to read it: closing at once could take it back.
    private func closeIfDone() {
        switch closing {
        case .no, .closed: return
        case .ending:
            guard transport.pendingBytes == 0 else { return }
            closing = .lingering(since: gateway.loopNow)
        case .lingering: break
        }
        if peerHasEnded { close() }
    }

    private var isFinished: Bool {
        switch layer {
        case .opening, .handshaking, .sniffing: false
        case .http1(let channel): channel.isFinished
        case .http2(let channel): channel.isFinished
        case .webSocket(let channel): channel.isFinished
        }
    }

    func handle(_ bytes: Span<UInt8>) {
        guard faultMode == .free, pendingTermination == nil, case .no = closing else { return }
        switch layer {
        case .opening, .handshaking: break
        case .sniffing(let seen): sniff(seen, bytes)
        case .http1(let channel): channel.receive(bytes)
        case .http2(let channel): channel.receive(bytes)
        case .webSocket(let channel): channel.receive(bytes)
        }
    }

    func send(_ bytes: Span<UInt8>) {
        guard let tls else { return transport.write(bytes) }
        if bytes.count > 0 { try? tls.write(bytes) }
        tls.drain { transport.write($0) }
    }
}

@available(*, unavailable) extension Connection: Sendable {}
