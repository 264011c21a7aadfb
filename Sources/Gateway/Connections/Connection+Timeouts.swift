internal import HTTPCore

/// Ending connections whose peers are silent, and all connections when the process shuts down.
extension Connection {
    /// Checks the timeouts. Ends the connection or a stream if the peer has been silent for too long. If the peer does
    /// not read, unsent output is lost.
    func sweep(at now: UInt64) {
        noteProgress(at: now)
        let idle = now - min(now, lastActivity)
        // The client of a relay may pause for as long as it likes.
        let isStalled =
            !isRelay
            && (transport.pendingBytes > 0 && idle > gateway.configuration.stallTimeout || isTakenTooSlowly(at: now))
        if let action = lifecycle.timePassed(at: now, isStalled: isStalled) {
            _ = perform(action)
            return
        }
        if !isRelay, isTakenTooSlowly(at: now) { return reset() }
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
        let taken = written - pending
        if waiting != nil, taken > takenBefore { lastActivity = now }
        takenBefore = taken
        if pending == 0 { waiting = nil } else if waiting == nil { waiting = (now, taken) }
    }

    /// Whether output has been waiting for a long time, and the peer takes it at less than the minimum rate.
    private func isTakenTooSlowly(at now: UInt64) -> Bool {
        guard let waiting else { return false }
        return MinimumRate.isMissed(
            takenBefore - waiting.taken, since: waiting.since, at: now, grace: gateway.configuration.stallTimeout)
    }

    /// Whether the input is read as it arrives. Otherwise the peer can't be blamed for being slow.
    var isReading: Bool {
        !hasDeferredInput && !gateway.isPausedForDisk && transport.pendingBytes < Self.outputLimit / 2
    }
}
