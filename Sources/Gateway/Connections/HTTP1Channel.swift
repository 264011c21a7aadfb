internal import ControlAPI
internal import Faults
internal import HTTP1
internal import HTTPCore
internal import Persistence
internal import PushCore
internal import PushEngine
internal import Routing

/// HTTP/1.1 on a connection: one request at a time. Later requests wait until the earlier ones are answered.
final class HTTP1Channel: Channel {
    unowned let connection: Connection
    var parser = RequestParser()
    /// The head of the current request.
    private(set) var head: RequestParser.Head?
    private let planner: RequestPlanner
    private var plan = RequestPlan(.unknown, bodyLimit: 0)
    var body: [UInt8] = []
    var isOverLimit = false
    var output = HTTP1Output()
    /// Loop time of the first byte of the current head.
    var headBegan: UInt64 = 0
    /// Loop time from which the minimum rate of the body is measured.
    var bodyBegan: UInt64 = 0
    /// Whether the request is answered already, before the end of its body.
    private(set) var isAnswered = false
    /// Whether the connection ends when the output is sent.
    var isEnding = false
    var closesAfterAnswers = false
    /// Whether to stop processing input: while an answer is deferred or delayed by a fault, or forever.
    var pause = Pause.none
    /// The request with a deferred answer, and how to write that answer.
    var deferred: (request: Request, encoder: ResponseEncoder, keepAlive: Bool)?
    /// Whether the answer waits for an event that may never come. If so, the connection closes when the client closes
    /// its side.
    var isWaiting = false
    /// Input that arrived during the pause.
    var heldInput: [UInt8] = []
    var mustPauseReading: Bool { heldInput.count > 64 << 10 }

    enum Pause {
        case none, untilAnswered
        /// Input is discarded.
        case forever
    }

    init(_ connection: Connection) {
        self.connection = connection
        planner = connection.planner(readsURLs: true)
    }

    var isFinished: Bool { isEnding && output.isEmpty }
    var isFull: Bool { output.count >= Connection.outputLimit }

    func receive(_ bytes: Span<UInt8>) -> Int {
        if pause != .none {
            hold(bytes)
            return bytes.count
        }
        if isFull { return 0 }
        if parser.isBetweenRequests { headBegan = connection.gateway.loopNow }
        var offset = 0
        do throws(Refusal) {
            while !isEnding, pause == .none, connection.lifecycle.readsInput,
                let event = try parser.next(bytes, from: &offset)
            {
                try handle(event, bytes)
                if connection.hasJustOpenedTunnel {
                    connection.keepForTunnel(bytes.extracting(offset...))
                    return bytes.count
                }
                if case .webSocket(let channel) = connection.layer {
                    connection.flush()
                    return offset + channel.receive(bytes.extracting(offset...))
                }
                if case .end = event, offset < bytes.count, pause == .none, isFull || connection.gateway.turn.isOver {
                    return offset
                }
            }
            if pause != .none { hold(bytes.extracting(offset...)) }
        } catch {
            refuse(error)
        }
        return bytes.count
    }

    private func hold(_ bytes: Span<UInt8>) {
        guard pause == .untilAnswered else { return }
        heldInput.append(addingCapacity: bytes.count) { $0.append(bytes) }
        if mustPauseReading { connection.transport.stopReading() }
    }

    func drain(into output: inout [UInt8], upTo limit: Int) {
        self.output.drain(into: &output, upTo: limit)
    }

    /// Ends the connection after the current request.
    func closeAfterAnswers() {
        closesAfterAnswers = true
        if parser.isBetweenRequests, pause != .untilAnswered { isEnding = true }
    }

    func peerEnded() -> PeerEndReaction {
        if isWaiting { return .close }
        closesAfterAnswers = true
        if pause != .untilAnswered {
            if output.isEmpty { return .endGracefully }
            isEnding = true
        }
        return .stayOpen
    }

    func endForAbuse(_ reason: String) { isEnding = true }
    func shutDown() { closeAfterAnswers() }

    private func handle(_ event: RequestParser.Event, _ bytes: Span<UInt8>) throws(Refusal) {
        switch event {
        case .head(let head):
            self.head = head
            plan = planner.plan(head.request.headers)
            forgetBody()
            bodyBegan = connection.gateway.loopNow
            isOverLimit = false
            isAnswered = false
            guard head.hasBody else { return }
            parser.limitBody(to: plan.bodyLimit)
            if head.expectsContinue, (head.contentLength ?? 0) <= plan.bodyLimit {
                ResponseEncoder.continue100(into: &output.tail)
                connection.flush()
            }
        case .body(let range):
            guard connection.gateway.bodyBudget.take(range.count) else { throw .bodyTooLarge }
            body.append(addingCapacity: range.count) { $0.append(bytes.extracting(range)) }
        case .bodyOverLimit:
            isOverLimit = true
            answerRequest()
        case .mustClose: isEnding = true
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
        request.route = plan.route
        let gateway = connection.gateway
        forgetBody()
        // What follows a refused CONNECT was meant for the tunnel, and must not be read as a request.
        let mayContinue = head.keepAlive && !closesAfterAnswers && request.method != .connect
        let keepAlive = mayContinue && !(isOverLimit && head.expectsContinue)
        switch gateway.handle(request, on: connection) {
        case .answer(let response): write(response, to: request, keepAlive: keepAlive)
        case .fault(let fault, let response): perform(fault.plan, response, to: request, keepAlive: keepAlive)
        case .upgrade where !head.offersUpgrade(to: "websocket"):
            write(DeviceSocket.upgradeRequired, to: request, keepAlive: keepAlive)
        case .goAway: isEnding = true
        case .tunnel(let target): openTunnel(to: target)
        case .afterPersist(let response, let call, let fault):
            deferAnswer(to: request, keepAlive: keepAlive)
            let target = ReplyTarget(connection: connection.id, stream: nil)
            gateway.hold(HeldReply(to: target, response, for: call, fault: fault, isHead: request.method == .head))
        case .deferred(let reply):
            deferAnswer(to: request, keepAlive: keepAlive)
            // A client that has closed its side still gets the answer of a query.
            isWaiting = !reply.endsByItself
            gateway.wait(for: reply, ReplyTarget(connection: connection.id, stream: nil))
        case .upgrade(let response, let kind):
            write(response, to: request, keepAlive: true)
            var handshake: [UInt8] = []
            output.drain(into: &handshake, upTo: .max)
            connection.upgrade(to: WebSocketChannel(connection, kind, handshake: handshake))
        }
    }

    /// Continues with the input that arrived during the pause.
    func resume() {
        let bytes = heldInput
        heldInput = []
        connection.resumeReading()
        connection.handle(bytes.span)
        if closesAfterAnswers { closeAfterAnswers() }
    }

    private func forgetBody() {
        connection.gateway.bodyBudget.giveBack(body.count)
        body = []
    }
    func detach() { forgetBody() }

    func write(_ response: Response, to request: Request, keepAlive: Bool) {
        var encoder = ResponseEncoder(answering: request.method, version: request.version, keepAlive: keepAlive)
        begin(addingCORS(to: response, for: request), &encoder)
        if encoder.mustClose { isEnding = true }
    }
}
