internal import Faults
internal import HTTP1
internal import HTTPCore
internal import PushEngine

/// Faults that affect a request over HTTP/1.1 or its connection.
extension HTTP1Channel {
    /// Applies a fault to the answer to a push that has waited for the disk.
    func performDeferred(_ plan: FaultPlan, _ response: Response) {
        guard let (request, _, keepAlive) = deferred else { return }
        deferred = nil
        pause = .none
        perform(plan, response, to: request, keepAlive: keepAlive)
        if pause == .none { resume() }
    }

    /// Answers a request as the plan says. HTTP/1.1 has no streams, so a stream reset becomes a connection reset.
    func perform(_ plan: FaultPlan, _ response: Response, to request: Request, keepAlive: Bool) {
        guard plan.delay > 0 else { return finish(plan, response, to: request, keepAlive: keepAlive) }
        pause = .untilAnswered
        let (gateway, id) = (connection.gateway, connection.id)
        gateway.later(after: plan.delay, on: id) { [unowned gateway] in
            guard let connection = gateway.connections[id], case .http1(let channel) = connection.layer else { return }
            channel.pause = .none
            channel.finish(plan, response, to: request, keepAlive: keepAlive)
            channel.resume()
            connection.flush()
            connection.applyTermination()
        }
    }

    private func finish(_ plan: FaultPlan, _ response: Response, to request: Request, keepAlive: Bool) {
        switch plan.reply {
        case .asDecided, .answer:
            if let cut = plan.cut {
                self.cut(response, to: request, after: cut.count)
                connection.lifecycle.faultDecided(.reset)
                return
            }
            write(
                response, to: request,
                keepAlive: keepAlive && plan.endingOverHTTP1 == nil && (!closesAfterAnswers || !heldInput.isEmpty))
        case .reset: connection.lifecycle.faultDecided(.reset)
        case .none: if plan.endingOverHTTP1 == nil { pause = .forever }
        }
        switch plan.endingOverHTTP1 {
        case nil: break
        case .goAway, .close(.end): isEnding = true
        case .close(.reset): connection.lifecycle.faultDecided(.reset)
        case .blackHole: connection.lifecycle.faultDecided(.blackHole)
        }
    }

    /// Sends the head, with the length of the complete body, and the first `count` bytes of the body.
    private func cut(_ response: Response, to request: Request, after count: Int) {
        guard case .bytes(let body) = response.body else { return write(response, to: request, keepAlive: true) }
        var encoder = ResponseEncoder(answering: request.method, version: request.version, keepAlive: true)
        var whole: [UInt8] = []
        encoder.respond(with: addingCORS(to: response, for: request), date: connection.gateway.httpDate, into: &whole)
        let isChunked = response.hidesLength && request.version == .http11
        // After the head there is only the body, or one chunk and the final chunk.
        let frame = isChunked ? Array("\(String(body.count, radix: 16))\r\n".utf8) : []
        let tail = body.count + (isChunked ? frame.count + 7 : 0)
        output.tail += whole.dropLast(tail)
        if count > 0 { output.tail += frame + body.prefix(count) }
    }
}
