internal import HTTP1
internal import HTTPCore
internal import Persistence
internal import PushCore
internal import PushEngine

/// HTTP/1.1 on a connection: one request at a time, the next waiting in the input until the last is answered.
final class HTTP1Channel: Channel {
    private unowned let connection: Connection
    private var parser = RequestParser()
    private var head: RequestParser.Head?
    private var plan = RequestPlan(service: Service.unknown.rawValue, bodyLimit: 0)
    private var body: [UInt8] = []
    private var isOverLimit = false
    private var output: [UInt8] = []
    /// Loop time when the head began that is being read.
    private var headBegan: UInt64 = 0
    /// Answered already, by an answer that came before the body's end.
    private var isAnswered = false
    private(set) var isFinished = false
    private var closesAfterAnswers = false
    /// A fault lets the answer wait, or there is none at all.
    private(set) var pause = Pause.none
    /// Of the request whose answer comes later: how it is to be written.
    private var late: (request: Request, encoder: ResponseEncoder, keepAlive: Bool)?
    /// The answer comes when something has happened, and maybe never: a client that ends has had enough.
    private(set) var isWaiting = false
    /// What has come meanwhile.
    private var held: [UInt8] = []
    /// Octets held before the socket is no longer read from.
    private static let mostHeld = 64 << 10

    enum Pause {
        case none, untilAnswered
        /// Whatever comes is thrown away.
        case forGood
    }

    init(_ connection: Connection) { self.connection = connection }

    func receive(_ bytes: Span<UInt8>) {
        if pause != .none { return hold(bytes) }
        if parser.isBetweenRequests { headBegan = connection.gateway.loopNow }
        var offset = 0
        do throws(Refusal) {
            while !isFinished, pause == .none, connection.lifecycle.readsInput,
                let event = try parser.next(bytes, from: &offset)
            {
                try handle(event, bytes)
                if case .webSocket(let channel) = connection.layer {
                    connection.flush()
                    return channel.receive(bytes.extracting(offset...))
                }
            }
            if pause != .none { hold(bytes.extracting(offset...)) }
        } catch {
            refuse(error)
        }
    }

    private func hold(_ bytes: Span<UInt8>) {
        guard pause == .untilAnswered else { return }
        held.append(addingCapacity: bytes.count) { $0.append(bytes) }
        if held.count > Self.mostHeld { connection.transport.stopReading() }
    }

    func drain(into output: inout [UInt8], upTo limit: Int) {
        output.append(contentsOf: self.output)
        self.output.removeAll(keepingCapacity: false)
    }

    func closeAfterAnswers() {
        closesAfterAnswers = true
        if parser.isBetweenRequests, pause != .untilAnswered { isFinished = true }
    }

    func peerEnded() -> PeerEndReaction {
        if isWaiting { return .close }
        guard pause == .untilAnswered else { return .endGracefully }
        closeAfterAnswers()
        return .goOn
    }

    func sweep(at now: UInt64, idle: UInt64) -> SweepReaction {
        let configuration = connection.gateway.configuration
        if pause != .none { return .nothing }
        if parser.isBetweenRequests {
            guard idle > configuration.keepAliveTimeout else { return .nothing }
            isFinished = true
        } else {
            let isLate =
                parser.isInBody ? idle > configuration.stallTimeout : now - headBegan > configuration.headTimeout
            guard isLate else { return .nothing }
            refuse(.timeout)
        }
        return .flush
    }

    func shutDown() { closeAfterAnswers() }

    private func handle(_ event: RequestParser.Event, _ bytes: Span<UInt8>) throws(Refusal) {
        switch event {
        case .head(let head):
            self.head = head
            plan = Router.plan(head.request.headers, connection.gateway.accessPolicy)
            forgetBody()
            isOverLimit = false
            isAnswered = false
            guard head.hasBody else { return }
            parser.limitBody(to: plan.bodyLimit)
            if head.expectsContinue, (head.contentLength ?? 0) <= plan.bodyLimit {
                ResponseEncoder.continue100(into: &output)
                connection.flush()
            }
        case .body(let range):
            guard connection.gateway.bodyBudget.take(range.count) else { throw .bodyTooLarge }
            body.append(addingCapacity: range.count) { $0.append(bytes.extracting(range)) }
        case .bodyOverLimit:
            isOverLimit = true
            answerRequest()
        case .mustClose: isFinished = true
        case .end:
            answerRequest()
            headBegan = connection.gateway.loopNow
        }
    }

    private func answerRequest() {
        guard let head, !isAnswered else { return }
        isAnswered = true
        var request = head.request
        request.body = body
        request.bodyIsOverLimit = isOverLimit
        request.service = plan.service
        let gateway = connection.gateway
        forgetBody()
        let goesOn = head.keepAlive && !closesAfterAnswers && !(isOverLimit && head.expectsContinue)
        switch gateway.handle(request, on: connection) {
        case .answer(let response): write(response, to: request, keepAlive: goesOn)
        case .fault(let fault, let response): perform(fault.plan, response, to: request, keepAlive: goesOn)
        case .upgrade where !head.offersUpgrade(to: "websocket"):
            write(DeviceSocket.upgradeRequired, to: request, keepAlive: goesOn)
        case .goAway: isFinished = true
        case .afterPersist(let response, let provider, let fault):
            answerLater(to: request, keepAlive: goesOn)
            let target = ReplyTarget(connection: connection.id, stream: nil, provider: provider)
            let reply = HeldReply(to: target, response, fault: fault, isHead: request.method == .head)
            gateway.persister?.hold(reply, newest: gateway.engine.events.newest)
        case .deferred(let reply):
            answerLater(to: request, keepAlive: goesOn)
            isWaiting = true
            gateway.wait(for: reply, ReplyTarget(connection: connection.id, stream: nil))
        case .upgrade(let response, let kind):
            write(response, to: request, keepAlive: true)
            connection.upgrade(to: WebSocketChannel(connection, kind, before: output))
            output = []
        }
    }

    private func answerLater(to request: Request, keepAlive: Bool) {
        pause = .untilAnswered
        late = (
            request, ResponseEncoder(answering: request.method, version: request.version, keepAlive: keepAlive),
            keepAlive
        )
    }

    /// The answer that was waited for, or the head of one that comes in pieces.
    func answerLate(_ response: Response) {
        late?.encoder.respond(with: response, date: connection.gateway.httpDate, into: &output)
        if case .stream = response.body { return }
        endLate()
    }

    /// One more piece.
    func stream(_ bytes: [UInt8], ends: Bool) {
        late?.encoder.chunk(bytes[...], into: &output)
        guard ends else { return }
        late?.encoder.end(into: &output)
        endLate()
    }

    /// The answer to a held push, with what a fault does to it.
    func performLate(_ plan: FaultPlan, _ response: Response) {
        guard let (request, _, keepAlive) = late else { return }
        late = nil
        pause = .none
        perform(plan, response, to: request, keepAlive: keepAlive)
        if pause == .none { goOn() }
    }

    private func endLate() {
        if late?.encoder.mustClose == true { isFinished = true }
        late = nil
        isWaiting = false
        pause = .none
        goOn()
    }

    /// What faults come to here: there is no stream to be reset, so the connection is.
    private func perform(_ plan: FaultPlan, _ response: Response, to request: Request, keepAlive: Bool) {
        guard plan.delay > 0 else { return finish(plan, response, to: request, keepAlive: keepAlive) }
        pause = .untilAnswered
        let (gateway, id) = (connection.gateway, connection.id)
        gateway.later(after: plan.delay, on: id) { [unowned gateway] in
            guard let connection = gateway.connections[id], case .http1(let channel) = connection.layer else { return }
            channel.pause = .none
            channel.finish(plan, response, to: request, keepAlive: keepAlive)
            channel.goOn()
            connection.flush()
            connection.applyTermination()
        }
    }

    private func finish(_ plan: FaultPlan, _ response: Response, to request: Request, keepAlive: Bool) {
        switch plan.reply {
        case .asDecided, .answer:
            if let cut = plan.cut {
                self.cut(response, to: request, after: cut.octets)
                connection.lifecycle.faultDecided(.reset)
                return
            }
            write(
                response, to: request,
                keepAlive: keepAlive && plan.ending == nil && (!closesAfterAnswers || !held.isEmpty))
        case .reset: connection.lifecycle.faultDecided(.reset)
        case .none: if plan.ending == nil { pause = .forGood }
        }
        switch plan.ending {
        case nil: break
        case .goAway, .close(.end): isFinished = true
        case .close(.reset): connection.lifecycle.faultDecided(.reset)
        case .blackHole: connection.lifecycle.faultDecided(.blackHole)
        }
    }

    /// The head says how long the whole would be.
    private func cut(_ response: Response, to request: Request, after octets: Int) {
        guard case .bytes(let body) = response.body else { return write(response, to: request, keepAlive: true) }
        var encoder = ResponseEncoder(answering: request.method, version: request.version, keepAlive: true)
        var whole: [UInt8] = []
        encoder.respond(with: response, date: connection.gateway.httpDate, into: &whole)
        let isChunked = response.hidesLength && request.version == .http11
        // Behind the head is nothing but the body, or one chunk and the last.
        let frame = isChunked ? Array("\(String(body.count, radix: 16))\r\n".utf8) : []
        let tail = body.count + (isChunked ? frame.count + 7 : 0)
        output += whole.dropLast(tail)
        if octets > 0 { output += frame + body.prefix(octets) }
    }

    private func goOn() {
        let bytes = held
        held = []
        connection.transport.startReading()
        receive(bytes.span)
        if closesAfterAnswers { closeAfterAnswers() }
    }

    private func forgetBody() {
        connection.gateway.bodyBudget.giveBack(body.count)
        body = []
    }

    /// To be called when the connection ends.
    func detach() { forgetBody() }

    private func write(_ response: Response, to request: Request, keepAlive: Bool) {
        var encoder = ResponseEncoder(answering: request.method, version: request.version, keepAlive: keepAlive)
        encoder.respond(with: response, date: connection.gateway.httpDate, into: &output)
        if encoder.mustClose { isFinished = true }
    }

    private func refuse(_ refusal: Refusal) {
        isFinished = true
        // h2 with a broken preface, or another protocol: there is nobody to read an answer.
        let isAnswered = refusal != .notHTTP || head != nil
        connection.gateway.refusedMessage(refusal.id, isAnswered ? refusal.status : nil)
        guard isAnswered else { return }
        var encoder = ResponseEncoder(answering: .other, version: .http11, keepAlive: false)
        let response = Response(
            status: refusal.status, contentType: "text/plain; charset=utf-8", text: refusal.reason + "\n")
        encoder.respond(with: response, date: connection.gateway.httpDate, into: &output)
    }
}
