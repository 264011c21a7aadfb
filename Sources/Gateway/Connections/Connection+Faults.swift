internal import Faults
internal import HTTP2
internal import HTTPCore
internal import Persistence
internal import Platform
internal import PushCore
internal import PushEngine
internal import TLS

/// Faults that affect a whole connection.
extension Connection {
    /// Applies a fault, if any, to a connection whose first bytes show TLS or HTTP/2. Returns false if the connection
    /// continues as usual.
    ///
    /// HTTP/1.1 connections in clear text get no such faults, so that the control API and devices can always connect.
    func applyOpeningFault(isTLS: Bool) -> Bool {
        guard !gateway.box.engine.faults.isEmpty, !wasHeld,
            let fault = gateway.box.engine.faults.firstOpeningFault(
                isTLS: isTLS, others: { gateway.connections.all.count { $0 !== self && $0.countsForLimit } },
                at: gateway.clock.now),
            let opening = fault.plan.opening
        else { return false }
        gateway.box.engine.note(fault, at: gateway.clock.now)
        gateway.log(
            .info, "fault", at: gateway.clock.now,
            [
                "rule": fault.rule.description, "fault": fault.id,
                "because": "the fault \(fault.id) with '\(opening.name)' was set through the control API",
            ])
        switch opening {
        case .handshake(.alert):
            // A TLS 1.2 record with a fatal handshake_failure alert (RFC 5246 §7.2).
            transport.write([0x15, 3, 3, 0, 2, 2, 40].span)
            endGracefully()
        case .handshake(.untrusted):
            guard let context = gateway.tls.untrusted(now: gateway.clock.now.seconds) else { return false }
            startTLS(context)
        case .handshake(.expired):
            let directory = gateway.configuration.certificates
            guard let context = gateway.tls.expired(in: directory, now: gateway.clock.now.seconds) else { return false }
            startTLS(context)
        case .delay: hold(for: fault.plan.delay)
        case .connectionLimit: lifecycle.faultDecided(.reset)
        case .streamLimit:
            openingFault = fault
            return false
        }
        return true
    }

    /// Whether this connection counts towards the limit on connections that a fault sets. HTTP/1.1 in clear text,
    /// WebSockets, and connections whose protocol is not known yet do not count.
    private var countsForLimit: Bool {
        guard lifecycle.writesOutput || lifecycle.isDead else { return false }
        return switch layer {
        case .opening, .sniffing, .held, .webSocket, .relay, .mcs: false
        case .handshaking, .http2: true
        case .http1: facts.isTLS
        }
    }

    /// Collects input without reading it until the delay is over.
    private func hold(for delay: UInt64) {
        layer = .held([])
        gateway.later(after: delay, on: id) { [unowned gateway, id] in gateway.connections[id]?.admit() }
    }

    /// Collects more input. At the limit, the socket is no longer read.
    func hold(_ bytes: Span<UInt8>, after held: [UInt8]) {
        var held = held
        held.append(addingCapacity: bytes.count) { $0.append(bytes) }
        if held.count > Self.heldLimit { transport.stopReading() }
        layer = .held(held)
    }

    private static let heldLimit = 64 << 10

    private func admit() {
        guard case .held(let bytes) = layer else { return }
        wasHeld = true
        layer = .opening
        opened = gateway.loopNow
        resumeReading()
        // `received` counts from the last look at the time, so look now: the delay must not count as work.
        gateway.turn.look()
        received(bytes.span)
    }

    /// Ends an idle connection if a fault requires it.
    func endWithFault(idle: UInt64, _ channel: HTTP2Channel) {
        guard !gateway.box.engine.faults.isEmpty, !channel.isWaitingForPeer, channel.lastServed == nil,
            channel.owed.isEmpty,
            let fault = gateway.box.engine.faults.firstIdleFault(after: idle, &memory.faults, at: gateway.clock.now),
            case .goAway(let goAway) = fault.plan.ending
        else { return }
        gateway.box.engine.note(fault, at: gateway.clock.now)
        channel.send(goAway)
    }

    /// Applies a fault to the answer to a push that has waited for the disk.
    func performDeferred(_ fault: Fault, _ reply: HeldReply) {
        switch layer {
        case .http1(let channel): channel.performDeferred(fault.plan, reply.response)
        case .http2(let channel):
            if let stream = reply.target.stream {
                channel.perform(fault, reply.response, on: stream, isHead: reply.isHead)
            }
        case .opening, .held, .handshaking, .sniffing, .webSocket, .relay, .mcs: break
        }
        flush()
        applyTermination()
    }
}
