internal import HTTP2
internal import HTTPCore
internal import Persistence
internal import Platform
internal import PushCore
internal import PushEngine
internal import TLS

/// What faults do to a connection as a whole.
extension Connection {
    /// A client begins a handshake: true where a fault makes it another one.
    func opensWithFault() -> Bool {
        guard !gateway.engine.faults.isEmpty, let fault = gateway.engine.faults.handshake(at: gateway.clock.now),
            let handshake = fault.plan.handshake
        else { return false }
        gateway.engine.note(fault, at: gateway.clock.now)
        gateway.log(.info, "fault", at: gateway.clock.now, ["rule": fault.rule.description, "fault": fault.id])
        switch handshake {
        case .alert:
            // TLS 1.2's record of a fatal handshake_failure (RFC 5246 §7.2).
            transport.write([0x15, 3, 3, 0, 2, 2, 40].span)
            endGracefully()
        case .rotated:
            guard let context = gateway.untrustedTLSContext else { return false }
            shakeHands(context)
        case .expired:
            guard let context = gateway.expiredTLSContext else { return false }
            shakeHands(context)
        }
        return true
    }
}

extension Connection {
    /// Nothing happens on it; a fault may say that this is its end.
    func endWithFault(idle: UInt64, _ channel: HTTP2Channel) {
        guard !gateway.engine.faults.isEmpty, !channel.isWaitingForPeer,
            let fault = gateway.engine.faults.idle(for: idle, &faultMemory, at: gateway.clock.now),
            case .goAway(let goAway) = fault.plan.ending
        else { return }
        gateway.engine.note(fault, at: gateway.clock.now)
        channel.end(with: goAway)
    }
}

extension Connection {
    /// Sends the answer to a held push, with what a fault does to it.
    func performLate(_ plan: FaultPlan, _ reply: HeldReply) {
        switch layer {
        case .http1(let channel): channel.performLate(plan, reply.response)
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

/// What faults do to a request, and to the connection behind it.
extension HTTP2Channel {
    func perform(_ plan: FaultPlan, _ response: Response, on stream: StreamID, isHead: Bool) {
        if let limit = plan.streamLimit { limitStreams(to: limit) }
        if let window = plan.window { narrow(window) }
        guard plan.delay > 0 else { return finish(plan, response, on: stream, isHead: isHead) }
        let (gateway, id) = (connection.gateway, connection.id)
        gateway.later(after: plan.delay, on: id) { [unowned gateway] in
            guard let connection = gateway.connections[id], case .http2(let channel) = connection.layer else { return }
            channel.finish(plan, response, on: stream, isHead: isHead)
            connection.flush()
            connection.applyTermination()
        }
    }

    private func finish(_ plan: FaultPlan, _ response: Response, on stream: StreamID, isHead: Bool) {
        switch plan.reply {
        case .asDecided where plan.leavesOut(stream), .answer where plan.leavesOut(stream): break
        case .asDecided, .answer:
            if let cut = plan.cut {
                self.cut(response, on: stream, after: cut.octets, cut.code)
            } else {
                answer(response, on: stream, isHead: isHead, adjustsStreamLimit: plan.streamLimit == nil)
            }
        case .none: break
        case .reset(let codes): reset(stream, codes)
        }
        switch plan.ending {
        case nil: break
        case .goAway(let goAway): end(with: goAway)
        case .close(.end): end(with: [])
        case .close(.reset): stop(.reset)
        case .blackHole: stop(.blackHole)
        }
    }

    /// What was answered before goes out first; the second GOAWAY has no words (facts/apns.md §1.3, observed).
    fileprivate func end(with goAway: FaultEffect.GoAway) {
        let last = goAway.lastStream ?? (goAway.last == .none ? 0 : newestAnswered)
        var frames: [UInt8] = []
        for time in 0..<goAway.times {
            frames += RawFrame.goAway(
                lastStream: last, code: goAway.code, debug: time == 0 ? Array(goAway.debug.utf8) : [])
        }
        end(with: frames)
    }
}
