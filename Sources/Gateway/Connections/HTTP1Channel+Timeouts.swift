internal import HTTP1
internal import HTTPCore

/// What ends because of a slow or silent peer.
extension HTTP1Channel {
    func sweep(at now: UInt64, idle: UInt64) -> SweepReaction {
        let configuration = connection.gateway.configuration
        if pause != .none {
            // No input is parsed during the pause, not even the rest of a body that is over its limit. That body's
            // minimum rate therefore counts from the end of the pause.
            bodyBegan = now
            return .nothing
        }
        if parser.isBetweenRequests {
            guard idle > configuration.keepAliveTimeout else { return .nothing }
            isEnding = true
        } else {
            guard connection.isReading else {
                (headBegan, bodyBegan) = (now, now)
                return .nothing
            }
            let isLate =
                parser.isInBody
                ? idle > configuration.stallTimeout
                    || MinimumRate.isMissed(parser.bodyCount, since: bodyBegan, at: now)
                : now - headBegan > configuration.headTimeout
            guard isLate else { return .nothing }
            // If the body is over its limit, the request is answered already.
            if parser.isInBody, isAnswered { isEnding = true } else { refuse(.timeout) }
        }
        return .flush
    }
}
