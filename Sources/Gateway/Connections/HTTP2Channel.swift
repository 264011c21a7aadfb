internal import Faults
internal import HTTP2
internal import HTTPCore
internal import Persistence
internal import PushCore
internal import PushEngine
internal import Routing

/// HTTP/2 on a connection: passes requests to the gateway. Its settings and errors depend on the connection's role.
final class HTTP2Channel: Channel {
    unowned let connection: Connection
    let server: HTTP2Server
    /// Output to send before nghttp2's next output.
    var pendingOutput: [UInt8] = []
    /// The connection ends when its output is drained.
    private var hasFailed = false
    /// The peer has closed its side. The connection ends when the remaining answers are sent.
    private var peerHasEnded = false
    /// No more input is processed.
    private(set) var isStopped = false
    /// The stream limit in our latest SETTINGS.
    var advertised: UInt32
    /// The stream limit that a fault has set; nil without such a fault. `FaultLimit` says when it ends.
    var faultLimit: FaultLimit?
    /// The last stream in a fault's GOAWAY, if the connection stays open. Requests on newer streams are refused.
    var lastServed: StreamID?
    /// The newest stream that has an answer, for the last stream of a GOAWAY.
    var newestAnswered: StreamID = 0
    /// The origins of the allowed web pages that wait for answers.
    private(set) var pages: [StreamID: ArraySlice<UInt8>] = [:]
    /// Whether such a page has ever used this connection.
    private var servesPages = false
    /// The answers that are not given yet. A fault ends the connection only after them.
    var owed = OwedAnswers()
    /// Whether a fault will end the connection, so that later requests are not handled. A separate variable, not a
    /// member of `owed`, because it is checked for every request.
    var ignoresRequests = false

    init(_ connection: Connection) {
        self.connection = connection
        let configuration = connection.gateway.configuration
        var settings = HTTP2Settings()
        switch connection.facts.role {
        case .any, .mcs: settings.maxConcurrentStreams = configuration.streamLimit
        case .fcm: settings.maxConcurrentStreams = configuration.fcmStreamLimit
        case .apns:
            settings.answersRefusedBodiesWithStreamClosed = true
            let hasCertificate = connection.facts.clientCertificate != nil
            settings.maxConcurrentStreams =
                hasCertificate ? configuration.streamLimit : configuration.initialStreamLimit
        }
        if let fault = connection.openingFault, case .streamLimit(let limit) = fault.plan.opening {
            faultLimit = FaultLimit(fault: fault, before: settings.maxConcurrentStreams, lastsUntilFaultEnds: true)
            settings.maxConcurrentStreams = limit
        }
        advertised = settings.maxConcurrentStreams
        server = HTTP2Server(
            settings: settings, budget: connection.gateway.bodyBudget, pool: connection.gateway.nghttp2Allocator
        ) { [planner = connection.planner()] in planner.plan($0) }
        server.opened(at: connection.gateway.loopNow)
    }

    func receive(_ bytes: Span<UInt8>) -> Int {
        guard !isStopped else { return bytes.count }
        let connection = connection
        let gateway = connection.gateway
        let now = gateway.loopNow
        if pendingOutput.isEmpty { pendingOutput = gateway.borrowScratch() }
        var offset = 0
        do throws(HTTP2Failure) {
            handleEvents(connection, gateway)
            // If a fault ends the connection, the rest of the input is ignored.
            while offset < bytes.count, !isStopped {
                if hasEvents || offset > 0 && gateway.turn.isOver { return offset }
                try server.receive(bytes, from: &offset, at: now)
                handleEvents(connection, gateway)
                if !hasFailed { server.drain(into: &pendingOutput, upTo: Connection.pieceLimit.usual) }
            }
        } catch {
            while let event = server.nextEvent() { handle(event, connection, gateway) }
            let debug = error.isBadPreface ? Array(BadPreface.text(bytes).utf8) : []
            end(with: RawFrame.goAway(lastStream: server.lastStream, code: .protocolError, debug: debug))
        }
        return bytes.count
    }

    /// Whether events wait for the next turn.
    var hasEvents: Bool { !isStopped && server.hasEvents }

    /// The number of events between two looks at the time. Pushes are fast, but faults and viewers can make them slow.
    private static let eventsBetweenLooks = 4

    /// Handles the events, at least one. Now and then, and after each call to the control API, it checks whether the
    /// time is up. If so, the other events wait for the next turn.
    private func handleEvents(_ connection: Connection, _ gateway: Gateway) {
        var left = Self.eventsBetweenLooks
        while !isStopped, let event = server.nextEvent() {
            gateway.hasHandledControl = false
            handle(event, connection, gateway)
            left -= 1
            guard left == 0 || gateway.hasHandledControl else { continue }
            if gateway.turn.isOver { return }
            left = Self.eventsBetweenLooks
        }
    }

    /// Ends the connection with these bytes, after all earlier answers.
    func end(with frames: [UInt8]) {
        server.drain(into: &pendingOutput, upTo: .max)
        pendingOutput += frames
        hasFailed = true
        isStopped = true
    }

    /// A fault ends the connection when earlier answers are sent.
    func stop(_ termination: ConnectionLifecycle.Termination) {
        connection.lifecycle.faultDecided(termination)
        isStopped = true
    }

    func drain(into output: inout [UInt8], upTo limit: Int) {
        if output.isEmpty { swap(&output, &pendingOutput) } else { output.append(contentsOf: pendingOutput) }
        pendingOutput = []
        guard !hasFailed else { return }
        server.setTime(connection.gateway.loopNow)
        server.drain(into: &output, upTo: limit)
    }

    var isFinished: Bool { hasFailed || server.isFinished || peerHasEnded && !isAnswering && !server.wantsToWrite }

    /// Whether requests are incomplete or answers are unsent, so that the peer has to continue.
    var isWaitingForPeer: Bool { server.isWaitingForPeer }

    /// Whether answers will come in any case, even if no push arrives.
    private var isAnswering: Bool { !owed.isEmpty || connection.gateway.queries.contains(connection.id) }

    func peerEnded() -> PeerEndReaction {
        peerHasEnded = true
        return isAnswering ? .stayOpen : .endGracefully
    }

    func detach() {}
    func goAway(_ code: HTTP2ErrorCode, _ debug: String) { server.goAway(code, debug: Array(debug.utf8)) }

    func endForAbuse(_ reason: String) { server.endForAbuse(reason) }
    func shutDown() { goAway(.noError, #"{"reason":"Shutdown"}"#) }

    private func handle(_ event: consuming HTTP2Event, _ connection: Connection, _ gateway: Gateway) {
        switch consume event {
        case .request(let stream, let request): handle(request, on: stream, connection, gateway)
        case .headersTooLarge(let stream, let headers):
            if ignoresRequests { return }
            if let response = gateway.handleOversizedHeaders(headers, on: connection.facts.role) {
                server.respond(response, on: stream)
            } else {
                server.reset(stream, .protocolError)
            }
        case .settingsAcknowledged: server.settingsWereAcknowledged()
        case .closed(let stream, _):
            if gateway.hasWaiting { gateway.forget(connection.id, stream) }
            if servesPages { pages[stream] = nil }
            settle(stream)
        case .goAwayReceived: break
        }
    }

    private func handle(_ request: consuming Request, on stream: StreamID, _ connection: Connection, _ gateway: Gateway)
    {
        if ignoresRequests { return }
        if let lastServed, stream > lastServed { return refuse(request, on: stream, gateway) }
        let isHead = request.method == .head
        let isForPage = request.route.isForAllowedPage
        if isForPage {
            pages[stream] = request.headers.first(.origin)
            servesPages = true
        }
        switch gateway.handle(request, on: connection) {
        case .answer(let response):
            newestAnswered = max(newestAnswered, stream)
            if connection.facts.role == .apns || faultLimit != nil { adjustStreamLimit(after: response.status) }
            if isForPage {
                respond(response, on: stream, isHead: isHead)
            } else {
                server.respond(response, on: stream, isHead: isHead)
            }
        case .fault(let fault, let response):
            faultApplies(fault.plan, on: stream)
            perform(fault, response, on: stream, isHead: isHead)
        case .afterPersist(let response, let call, let fault):
            let target = ReplyTarget(connection: connection.id, stream: stream)
            let reply = HeldReply(to: target, response, for: call, fault: fault, isHead: isHead)
            if let fault { faultApplies(fault.plan, on: stream) } else { owed.add(stream) }
            gateway.hold(reply)
        case .deferred(let reply): gateway.wait(for: reply, ReplyTarget(connection: connection.id, stream: stream))
        case .upgrade, .tunnel: respond(Response(status: 501), on: stream)
        case .goAway(let reason):
            server.refuse(debug: Array("{\"reason\":\"\(reason)\"}".utf8))
        }
    }
}
