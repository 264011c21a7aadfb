internal import Faults
internal import HTTP2
internal import HTTPCore
internal import Platform
internal import PushCore
internal import PushEngine

/// Faults that affect a request over HTTP/2 or its connection.
extension HTTP2Channel {
    /// Answers a request as the plan says.
    func perform(_ fault: Fault, _ response: Response, on stream: StreamID, isHead: Bool) {
        let plan = fault.plan
        if let limit = plan.streamLimit { limitStreams(to: limit, by: fault) }
        if let window = plan.window { limitWindow(to: window) }
        guard plan.delay > 0 else { return finish(plan, response, on: stream, isHead: isHead) }
        let (gateway, id) = (connection.gateway, connection.id)
        gateway.later(after: plan.delay, on: id, stream) { [unowned gateway] in
            guard let connection = gateway.connections[id], case .http2(let channel) = connection.layer else { return }
            channel.finish(plan, response, on: stream, isHead: isHead)
            connection.flush()
            connection.applyTermination()
        }
    }

    private func finish(_ plan: FaultPlan, _ response: Response, on stream: StreamID, isHead: Bool) {
        switch plan.reply {
        case .asDecided where plan.excludes(stream), .answer where plan.excludes(stream): break
        case .asDecided, .answer:
            if let cut = plan.cut {
                self.cut(response, on: stream, after: cut.count, cut.code)
            } else {
                answer(response, on: stream, isHead: isHead, adjustsStreamLimit: plan.streamLimit == nil)
            }
        case .none: break
        case .reset(let codes): reset(stream, codes)
        }
        if let ending = plan.ending {
            endingDecided(ending)
            owed.endingDue(ending)
        }
        settle(stream)
    }

    /// Call this when a fault applies to the request on `stream`. If the plan ends the connection without a delay,
    /// later requests are not handled, even if the end of the connection has to wait for the disk.
    func faultApplies(_ plan: FaultPlan, on stream: StreamID) {
        owed.add(stream)
        guard plan.delay == 0, let ending = plan.ending else { return }
        endingDecided(ending)
        guard case .goAway(let goAway) = ending, goAway.keepsOpen else { return }
        let last = goAway.lastStream ?? stream
        lastServed = min(lastServed ?? last, last)
    }

    private func endingDecided(_ ending: FaultPlan.Ending) { if !ending.keepsOpen { ignoresRequests = true } }

    /// The stream has its answer or gets none. If no other answer is owed, faults that have to end the connection do it
    /// now.
    func settle(_ stream: StreamID) {
        owed.settled(stream)
        while !isStopped, let ending = owed.nextEnding() { perform(ending) }
    }

    private func perform(_ ending: FaultPlan.Ending) {
        switch ending {
        case .goAway(let goAway): send(goAway)
        case .close(.end): end(with: [])
        case .close(.reset): stop(.reset)
        case .blackHole: stop(.blackHole)
        }
    }

    /// Sends GOAWAY frames after all earlier answers and, usually, ends the connection. Only the first frame has debug
    /// data (docs/evidence/apns.md §1.3, observed).
    func send(_ goAway: FaultEffect.GoAway) {
        let last = goAway.lastStream ?? (goAway.last == .none ? 0 : newestAnswered)
        var frames: [UInt8] = []
        for time in 0..<goAway.times {
            frames += RawFrame.goAway(
                lastStream: last, code: goAway.code, debug: time == 0 ? Array(goAway.debug.utf8) : [])
        }
        guard goAway.keepsOpen else { return end(with: frames) }
        server.drain(into: &pendingOutput, upTo: .max)
        pendingOutput += frames
        lastServed = min(lastServed ?? last, last)
    }

    /// Refuses a request that came after a GOAWAY on a connection that stays open (docs/evidence/apns.md §1.5).
    func refuse(_ request: Request, on stream: StreamID, _ gateway: Gateway) {
        gateway.note(.info, "refused", request, RequestNote(rule: RuleID("http2.after-goaway")))
        server.reset(stream, .refusedStream)
    }

    /// Resets a stream once per code. nghttp2 sends only the first RST_STREAM, so the others are written here.
    private func reset(_ stream: StreamID, _ codes: [HTTP2ErrorCode]) {
        for (index, code) in codes.enumerated() {
            if index == 0 {
                server.reset(stream, code)
                server.drain(into: &pendingOutput, upTo: .max)
            } else {
                pendingOutput += RawFrame.reset(stream, code: code)
            }
        }
    }

    /// Sends the head and the first `count` bytes of the body, then RST_STREAM.
    private func cut(_ response: Response, on stream: StreamID, after count: Int, _ code: HTTP2ErrorCode) {
        newestAnswered = max(newestAnswered, stream)
        server.setTime(connection.gateway.loopNow)
        var head = response
        head.body = .stream
        respond(head, on: stream)
        if case .bytes(let body) = response.body, count > 0 { server.send(Array(body.prefix(count)), on: stream) }
        server.drain(into: &pendingOutput, upTo: .max)
        reset(stream, [code])
    }

    /// Changes the flow-control window for the bodies of later requests.
    private func limitWindow(to window: UInt32) { server.advertise(maxConcurrentStreams: advertised, window: window) }
}
