internal import HTTP2
internal import HTTPCore

/// What ends a connection from outside: a silent peer, and the process going down.
extension Connection {
    /// How long a peer may take to close after us.
    private static let lingerTime: UInt64 = 1000

    /// Ends it because of the peer's silence: what is left unsent is lost.
    func sweep(at now: UInt64) {
        noteProgress(at: now)
        if faultMode == .blackHole { return }
        let configuration = gateway.configuration
        let idle = now - min(now, lastActivity)
        let isStalled = transport.pendingBytes > 0 && idle > configuration.stallTimeout
        switch (closing, layer) {
        case (.lingering(let since), _): if now - since > Self.lingerTime { close() }
        case (.ending, _): if isStalled { breakOff() }
        case (.closed, _): break
        case (_, .opening), (_, .handshaking), (_, .sniffing): if now - opened > configuration.headTimeout { close() }
        case (_, .http1(let channel)):
            if channel.sweep(at: now, idle: idle, configuration) { flush() } else if isStalled { breakOff() }
        case (_, .http2(let channel)):
            if idle > configuration.stallTimeout, channel.isWaitingForPeer || transport.pendingBytes > 0 {
                channel.goAway(.enhanceYourCalm, "nothing was read or sent for \(idle / 1000) s")
                flush()
                breakOff()
            } else {
                channel.sweep(at: now, stallTimeout: configuration.stallTimeout)
                endWithFault(idle: idle, channel)
                flush()
            }
        case (_, .webSocket(let channel)):
            if isStalled { close() } else if channel.sweep(at: now, heard: lastHeard) { flush() }
        }
    }

    /// The process goes down: nothing new, and what runs may end.
    func shutDown() {
        if faultMode != .free { return close() }
        switch layer {
        case .opening, .handshaking, .sniffing: close()
        case .http1(let channel): channel.closeAfterAnswers()
        case .http2(let channel): channel.shutDown()
        case .webSocket(let channel): channel.shutDown()
        }
        flush()
    }

    /// A slow reader is no dead one.
    private func noteProgress(at now: UInt64) {
        let pending = transport.pendingBytes
        if pending < pendingBefore { lastActivity = now }
        pendingBefore = pending
    }

    func breakOff() {
        transport.reset()
        close()
    }
}
