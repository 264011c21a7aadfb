internal import EventLoop
internal import HTTP2
internal import HTTPCore
internal import TLS

/// One accepted connection, from its first byte on. What is spoken is found out by looking: TLS or not, then
/// HTTP/2 or HTTP/1.1. Whatever carries the bytes calls `received` and `peerClosed`.
package final class Connection: TCPStreamOwner {
    package let id: ConnectionID
    /// Owns this connection, by its table.
    unowned let gateway: Gateway
    let transport: any Transport
    var facts: ConnectionFacts
    private var tls: TLSSession?
    private(set) var layer = Layer.opening

    /// Loop time of the last byte that came, or went into the kernel.
    private(set) var lastActivity: UInt64
    private var closing = Closing.no

    enum Layer {
        case opening
        case handshaking
        /// Nothing has been said yet of what is spoken; the bytes so far.
        case sniffing([UInt8])
        case http1(HTTP1Channel)
        case http2(HTTP2Channel)
        case webSocket(WebSocketChannel)
    }

    private enum Closing {
        case no
        /// Our side is done; what still comes is thrown away until the peer is done too.
        case lingering(since: UInt64)
        case closed
    }

    /// Output of one connection that may wait in memory before it is no longer read from.
    static let outputLimit = 1 << 20
    /// How long a peer may take to close after us.
    private static let lingerTime: UInt64 = 1000

    init(id: ConnectionID, gateway: Gateway, transport: any Transport, role: Role) {
        self.id = id
        self.gateway = gateway
        self.transport = transport
        facts = ConnectionFacts(role: role, isTLS: false)
        lastActivity = gateway.loopNow
    }

    package func received(_ bytes: Span<UInt8>) {
        guard case .no = closing, bytes.count > 0 else { return }
        lastActivity = gateway.loopNow
        gateway.clock.tick()
        if case .opening = layer { open(first: bytes[0]) }
        if tls != nil { receiveTLS(bytes) } else { handle(bytes) }
        flush()
    }

    package func peerClosed() { close() }

    package func drained() {
        lastActivity = gateway.loopNow
        flush()
        if transport.pendingBytes < Self.outputLimit / 2, case .no = closing { transport.startReading() }
    }

    /// Everything that can be sent is; everything that can be closed is.
    func flush() {
        guard case .no = closing else { return }
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

    /// Ends it because of the peer's silence: what is left unsent is lost.
    func sweep(at now: UInt64) {
        let configuration = gateway.configuration
        let idle = now - min(now, lastActivity)
        switch (closing, layer) {
        case (.lingering(let since), _): if now - since > Self.lingerTime { close() }
        case (.closed, _): break
        case (_, .opening), (_, .handshaking), (_, .sniffing): if idle > configuration.headTimeout { close() }
        case (_, .http1(let channel)):
            if channel.sweep(idle: idle, configuration) { flush() } else if isStalled(idle) { transport.reset() ; close() }
        case (_, .http2(let channel)):
            if idle > configuration.stallTimeout, channel.isWaitingForPeer || transport.pendingBytes > 0 {
                channel.goAway(.enhanceYourCalm, "nothing was read or sent for \(idle / 1000) s")
                flush()
                transport.reset()
                close()
            } else {
                channel.sweep(at: now, stallTimeout: configuration.stallTimeout)
                flush()
            }
        case (_, .webSocket(let channel)):
            if isStalled(idle) { close() } else if channel.sweep(at: now) { flush() }
        }
    }

    /// The process goes down: nothing new, and what runs may end.
    func shutDown() {
        switch layer {
        case .opening, .handshaking, .sniffing: close()
        case .http1(let channel): channel.closeAfterAnswers()
        case .http2(let channel): channel.shutDown()
        case .webSocket(let channel): channel.shutDown()
        }
        flush()
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

    private func isStalled(_ idle: UInt64) -> Bool {
        transport.pendingBytes > 0 && idle > gateway.configuration.stallTimeout
    }

    private var isFinished: Bool {
        switch layer {
        case .opening, .handshaking, .sniffing: false
        case .http1(let channel): channel.isFinished
        case .http2(let channel): channel.isFinished
        case .webSocket(let channel): channel.isFinished
        }
    }

    private func open(first byte: UInt8) {
        layer = .sniffing([])
        guard byte == 0x16, let context = gateway.tlsContext else { return }
        let role = facts.role
        tls = try? TLSSession(server: context) { role.settled(serverName: $0).protocols }
        facts.isTLS = true
        layer = .handshaking
    }

    private func receiveTLS(_ bytes: Span<UInt8>) {
        guard let tls else { return }
        do throws(TLSFailure) {
            try tls.receive(bytes) { () throws(TLSFailure) in try read(tls) }
        } catch {
            gateway.log(.debug, "tls failed", at: gateway.clock.now, ["error": error.description])
            tls.drain { transport.write($0) }
            endGracefully()
        }
    }

    private func read(_ tls: TLSSession) throws(TLSFailure) {
        if case .handshaking = layer {
            guard try tls.handshake() else { return send([UInt8]().span) }
            handshakeEnded(tls)
        }
        var read = TLSSession.Read.data
        while case .data = read { read = try tls.read { handle($0) } }
        if case .closed = read {
            flush()
            endGracefully()
        }
    }

    private func handshakeEnded(_ tls: TLSSession) {
        facts.serverName = tls.serverName
        facts.role = facts.role.settled(serverName: tls.serverName)
        facts.clientCertificate = tls.peerCertificate.map(PeerCertificate.init)
        switch tls.applicationProtocol {
        case .http2: layer = .http2(HTTP2Channel(self))
        case .http11: layer = .http1(HTTP1Channel(self))
        // The real service speaks first; an HTTP/1.1 client of role `fcm` would not bear it.
        case nil: layer = facts.role == .apns ? .http2(HTTP2Channel(self)) : .sniffing([])
        }
    }

    private func handle(_ bytes: Span<UInt8>) {
        switch layer {
        case .opening, .handshaking: break
        case .sniffing(let seen): sniff(seen, bytes)
        case .http1(let channel): channel.receive(bytes)
        case .http2(let channel): channel.receive(bytes)
        case .webSocket(let channel): channel.receive(bytes)
        }
    }

    /// `PRI ` begins HTTP/2's preface and no method that we know.
    private func sniff(_ seen: [UInt8], _ bytes: Span<UInt8>) {
        var seen = seen
        for index in bytes.indices { seen.append(bytes[index]) }
        let mark = Array("PRI ".utf8)
        let isPreface = seen.starts(with: mark)
        if !isPreface, mark.starts(with: seen) {
            layer = .sniffing(seen)
            return
        }
        layer = isPreface || facts.role == .apns ? .http2(HTTP2Channel(self)) : .http1(HTTP1Channel(self))
        handle(seen.span)
    }

    private func send(_ bytes: Span<UInt8>) {
        guard let tls else { return transport.write(bytes) }
        if bytes.count > 0 { try? tls.write(bytes) }
        tls.drain { transport.write($0) }
    }

    private func endGracefully() {
        guard case .no = closing else { return }
        if let tls {
            tls.shutDown()
            tls.drain { transport.write($0) }
        }
        closing = .lingering(since: gateway.loopNow)
        transport.endWriting()
        transport.startReading()
    }
}

@available(*, unavailable) extension Connection: Sendable {}

extension Role {
    /// A listener's own role holds; `any` follows the name the client asked for.
    func settled(serverName: String?) -> Role {
        guard self == .any, let serverName else { return self }
        switch Vendor(host: serverName) {
        case .apple: return .apns
        case .google: return .fcm
        case nil: return .any
        }
    }

    /// What ALPN may choose, best first. Apple's front speaks nothing but HTTP/2.
    var protocols: [ApplicationProtocol] { self == .apns ? [.http2] : [.http2, .http11] }
}
