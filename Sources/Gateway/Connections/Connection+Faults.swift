internal import HTTP2
internal import HTTPCore
internal import Persistence
internal import Platform
internal import PushCore
internal import PushEngine
internal import TLS

/// Faults that affect a whole connection.
extension Connection {
    /// Applies a fault, if any, to the TLS handshake that the client is starting. Returns false if no fault applies.
    func applyHandshakeFault() -> Bool {
        guard !gateway.box.engine.faults.isEmpty,
            let fault = gateway.box.engine.faults.handshake(at: gateway.clock.now),
            let handshake = fault.plan.handshake
        else { return false }
        gateway.box.engine.note(fault, at: gateway.clock.now)
        gateway.log(.info, "fault", at: gateway.clock.now, ["rule": fault.rule.description, "fault": fault.id])
        switch handshake {
        case .alert:
            // A TLS 1.2 record with a fatal handshake_failure alert (RFC 5246 §7.2).
            transport.write([0x15, 3, 3, 0, 2, 2, 40].span)
            endGracefully()
        case .rotated:
            guard let context = gateway.tls.untrusted(now: gateway.clock.now.seconds) else { return false }
            startTLS(context)
        case .expired:
            let directory = gateway.configuration.certificates
            guard let context = gateway.tls.expired(in: directory, now: gateway.clock.now.seconds) else { return false }
            startTLS(context)
        }
        return true
    }

    /// Ends an idle connection if a fault requires it.
    func endWithFault(idle: UInt64, _ channel: HTTP2Channel) {
        guard !gateway.box.engine.faults.isEmpty, !channel.isWaitingForPeer,
            let fault = gateway.box.engine.faults.idle(for: idle, &faultMemory, at: gateway.clock.now),
            case .goAway(let goAway) = fault.plan.ending
        else { return }
        gateway.box.engine.note(fault, at: gateway.clock.now)
        channel.end(with: goAway)
    }

    /// Applies a fault to the answer to a push that has waited for the disk.
    func performDeferred(_ plan: FaultPlan, _ reply: HeldReply) {
        switch layer {
        case .http1(let channel): channel.performDeferred(plan, reply.response)
        case .http2(let channel):
            if let stream = reply.target.stream {
                channel.perform(plan, reply.response, on: stream, isHead: reply.isHead)
            }
        case .opening, .handshaking, .sniffing, .webSocket: break
        }
        flush()
        applyTermination()
    }
}
