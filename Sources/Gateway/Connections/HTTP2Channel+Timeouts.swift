internal import HTTP2
internal import HTTPCore

/// What ends because of a slow or silent peer.
extension HTTP2Channel {
    /// Ends stalled and slow streams, even if other streams on the connection make progress.
    func sweep(at now: UInt64, idle: UInt64) -> SweepReaction {
        let configuration = connection.gateway.configuration
        let stallTimeout = configuration.stallTimeout
        if idle > stallTimeout, isWaitingForPeer || connection.transport.pendingBytes > 0 {
            goAway(.enhanceYourCalm, "nothing was read or sent for \(idle / 1000) s")
            return .flushAndReset
        }
        if server.isFrameLate(at: now, after: configuration.headTimeout), connection.isReading {
            goAway(.enhanceYourCalm, "a frame took more than \(configuration.headTimeout / 1000) s to arrive")
            return .flushAndReset
        }
        restoreStreamLimitIfFaultEnded()
        if now > stallTimeout, server.isWaitingForPeer { server.resetStalled(since: now - stallTimeout) }
        if connection.isReading, server.openStreams > 0 { server.resetSlow(at: now, answerGrace: stallTimeout) }
        connection.endWithFault(idle: idle, self)
        return .flush
    }
}
