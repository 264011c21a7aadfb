/// Ending connections whose peers are silent, and all connections when the process shuts down.
extension Connection {
    /// Checks the timeouts. Ends the connection or a stream if the peer has been silent for too long. If the peer does
    /// not read, unsent output is lost.
    func sweep(at now: UInt64) {
        noteProgress(at: now)
        let idle = now - min(now, lastActivity)
        let isStalled = transport.pendingBytes > 0 && idle > gateway.configuration.stallTimeout
        if let action = lifecycle.timePassed(at: now, isStalled: isStalled) {
            _ = perform(action)
            return
        }
        guard let channel = layer.channel else {
            if case .held = layer { return }
            if now - opened > gateway.configuration.headTimeout { close() }
            return
        }
        switch channel.sweep(at: now, idle: idle) {
        case .nothing: if isStalled { reset() }
        case .flush: flush()
        case .close: close()
        case .flushAndReset:
            flush()
            reset()
        case .reset: reset()
        }
    }

    /// The process is shutting down: new requests are refused, running requests may finish.
    func shutDown() {
        guard !lifecycle.isDead, let channel = layer.channel else { return close() }
        channel.shutDown()
        flush()
    }

    /// A slow reader is not silent: output that it has taken counts as activity.
    private func noteProgress(at now: UInt64) {
        let pending = transport.pendingBytes
        if pending < pendingBefore { lastActivity = now }
        pendingBefore = pending
    }
}
