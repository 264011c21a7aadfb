internal import APNs
internal import ControlAPI
package import Credentials
internal import Devices
internal import EventLoop
internal import FCM
internal import HTTP1
internal import HTTP2
internal import HTTPCore
internal import Persistence
package import Platform
package import PushCore
package import PushEngine
internal import TLS

/// All state behind all connections. One thread owns it; nothing in it waits for anything.
package final class Gateway {
    package let configuration: Configuration
    package let log: Log
    package internal(set) var clock: Clock
    package var engine: PushEngine
    /// What the engine reports to the viewers of devices.
    let frames = DeviceFrames()
    var tlsContext: TLSContext?
    /// With a certificate that no client trusts; made when a fault first asks for it.
    lazy var untrustedTLSContext = Credentials.untrustedTLSContext(now: clock.now.seconds)
    /// With one of ours that is over, where there is one.
    lazy var expiredTLSContext = Credentials.expiredTLSContext(in: configuration.certificates, now: clock.now.seconds)
    var connections = ConnectionTable()
    let bodyBudget: BodyBudget
    let nghttp2Allocator = NGHTTP2Allocator()
    /// Milliseconds on the loop's own clock, which time-outs follow and nobody moves.
    package var loopTime: () -> UInt64 = { 0 }
    var loopNow: UInt64 { loopTime() }
    /// Frames that are on their way to devices; what comes up meanwhile is in the engine's.
    var sending = Outbox()
    /// Sockets that frames were written to, and that are to be flushed when this turn's work is done.
    var written: [ConnectionID] = []
    /// Sockets that are told what they have missed.
    var replays = Queue<Replay>()
    /// Those that wait for their clients to read.
    var pausedReplays: [ConnectionID: Replay] = [:]
    /// Those who wait for pushes, and those who read the log as it grows.
    var streams: [EventStream] = []
    /// Nil: nothing is kept on a disk.
    var persister: LogPersister?
    /// Too much is unsaved: nothing is read from sockets.
    var isPausedForDisk = false
    /// Of the first listener.
    package var port: UInt16 = 2197
    /// The way to ask for another turn; without one all is done at once.
    package var scheduleMore: (() -> Void)?
    var isWorkingOff = false
    var schedule = Schedule()
    /// The way to ask for `runDue()` at a moment of the loop's time.
    package var wakeAt: ((UInt64) -> Void)?
    /// Going down: nothing new is taken.
    var isDraining = false

    let accessPolicy: AccessPolicy
    let keyring: Keyring
    private var scratch: [UInt8] = []
    private var dateText: (second: Int64, bytes: [UInt8]) = (-1, [])
    private var datedHeaders: (second: Int64, block: HeaderBlock) = (-1, HeaderBlock())

    package init(_ configuration: Configuration, log: Log, clock: Clock, seed: UInt64, keyring: Keyring = Keyring()) {
        self.configuration = configuration
        self.log = log
        self.clock = clock
        engine = PushEngine(configuration.engineSettings(keyring: keyring, seed: seed), notifier: frames)
        bodyBudget = BodyBudget(configuration.bodyMemory)
        self.keyring = keyring
        accessPolicy = AccessPolicy(allowedHosts: configuration.allowedHosts, apiToken: configuration.apiToken)
    }

    package var openConnections: Int { connections.count }
    package var events: EventLog { engine.events }

    /// The `apns-id` that a push was answered with, or a broadcast's `apns-request-id`.
    package func answeredID(of record: PushRecord) -> String {
        let headers = engine.events.request(at: record.request)?.headers
        let own = headers?.first(.apnsID) ?? headers?.first(.apnsRequestID) ?? []
        return own.isEmpty ? engine.idGenerator.id(of: record.id).text : String(decoding: own, as: UTF8.self)
    }

    /// Takes a connection in. `transport` is to report to what is returned.
    package func accept(
        _ transport: any Transport, role: Role, environment: PushEnvironment? = nil
    ) -> Connection {
        let connection = Connection(
            id: connections.reserve(), gateway: self, transport: transport, role: role,
            environment: environment ?? configuration.apns.environment)
        connections.insert(connection)
        engine.metrics.connections += 1
        return connection
    }

    /// Looks after connections whose peers have gone silent.
    package func sweep() {
        clock.tick()
        let now = loopNow
        for connection in connections.all { connection.sweep(at: now) }
        keepStreamsAlive()
        engine.followLogWhileIdle()
        if let age = configuration.keepFor { _ = engine.events.forget(before: clock.now + -age) }
        workLater()
    }

    package func advanceClock(by milliseconds: Int64) {
        clock.advance(by: milliseconds)
        runDue()
    }

    func connectionClosed(_ connection: Connection) {
        connections.remove(connection.id)
        pausedReplays[connection.id] = nil
        forget(connection.id)
    }

    func handle(_ request: Request, on connection: Connection) -> Outcome {
        guard let service = Service(rawValue: request.service) else {
            preconditionFailure("service \(request.service)")
        }
        if service.isAPNs, request.version == .http2 {
            // facts/apns.md §1.3, observed: a refused certificate ends the connection, not the request.
            if let reason = connection.refusalOfCertificate(isSandbox: service == .apnsSandbox) {
                note(.info, "refused", request, nil, reason.rule)
                return .goAway(reason.word)
            }
            return handlePush(request, isSandbox: service == .apnsSandbox, on: connection)
        }
        if service == .google { return handleGoogle(request, on: connection) }
        let outcome = route(request, to: service)
        // What was expected and did not come is no refusal.
        if case .answer(let response) = outcome, response.status >= 400, response.status != 417, service != .ready {
            note(.info, "refused", request, response.status, RuleID(Answers.rule(response.status, service)))
        }
        return outcome
    }

    private func route(_ request: Request, to service: Service) -> Outcome {
        if service.isGuarded, let refusal = accessPolicy.refusal(of: request.headers) {
            return .answer(refusal.response(for: service))
        }
        if let refusal = Answers.refusal(of: request, by: service) { return .answer(refusal) }
        switch service {
        case .apns, .apnsSandbox: return .answer(Answers.needsHTTP2)
        case .google: preconditionFailure("Google's requests have their own way")
        case .live: return .answer(Answers.ok)
        case .ready: return .answer(isDraining ? Answers.goingDown : Answers.ok)
        case .metrics, .console, .collector, .control, .deviceSocket, .echoSocket, .unknown:
            return handleOurs(request, for: service)
        }
    }

    /// The answer to a head that is longer than it may be, of which this much was read; nil: its stream is reset
    /// (facts/apns.md §1.6, assumed).
    func handleOverlong(_ headers: HeaderBlock) -> Response? {
        let service = Router.service(for: headers)
        let isPush = service.isAPNs
        let isReset = isPush && configuration.resetsOverlongFields
        refusedMessage("http2.header-too-large", isReset ? nil : 431)
        if isReset { return nil }
        let request = Request(version: .http2, headers: headers)
        let environment = service == .apnsSandbox ? .sandbox : configuration.apns.environment
        return Response(
            status: 431, headers: isPush ? engine.answerHeaders(to: request, in: environment) : HeaderBlock())
    }

    private func handleOurs(_ request: Request, for service: Service) -> Outcome {
        switch service {
        case .metrics:
            return .answer(
                Answers.metrics(
                    engine.metrics.page(
                        openConnections: connections.count, devices: engine.devices.count,
                        newestEvent: engine.events.newest)))
        case .console: return .answer(Answers.console)
        case .control: return handleControl(request)
        case .collector:
            let response = engine.collect(request, at: clock.now)
            workLater()
            return .answer(response ?? Answers.notFound)
        case .deviceSocket: return DeviceSocket.open(request, .device)
        case .echoSocket:
            return configuration.hasTestEndpoints ? DeviceSocket.open(request, .echo) : .answer(Answers.notFound)
        case .apns, .apnsSandbox, .google, .live, .ready, .unknown: return .answer(Answers.notFound)
        }
    }

    private func handleControl(_ request: Request) -> Outcome {
        if let page = OpenAPI.answer(request) { return .answer(page) }
        switch ControlAPI.reply(to: request, self) {
        case .answer(let response): return .answer(response)
        case .deferred(let reply): return .deferred(reply)
        }
    }

    private func handlePush(_ request: Request, isSandbox: Bool, on connection: Connection) -> Outcome {
        if persister != nil, refusesForDisk { return refuseForDisk(request, isSandbox: isSandbox) }
        let decision = engine.decide(
            request, isSandbox: isSandbox, &connection.session, &connection.faultMemory, at: clock.now)
        if let fault = decision.fault { noteFault(fault, request) }
        if let refusal = decision.refusal {
            note(.info, "refused", request, refusal.reason.status, refusal.rule, because: refusal.sentence)
        } else if log.isOn(.debug) {
            note(.debug, "accepted", request, decision.response.status)
        }
        noteFindings(decision.findings, of: request)
        return outcome(decision.response, .apns, decision.fault, isAccepted: decision.refusal == nil)
    }

    private func handleGoogle(_ request: Request, on connection: Connection) -> Outcome {
        if persister != nil, refusesForDisk { return refuseForDisk(request, isSandbox: false) }
        var decision = engine.answerGoogle(request, &connection.faultMemory, at: clock.now, unmoved: clock.unmoved)
        let fault = decision.fault
        // HTTP/1.1's encoder says it by itself.
        if request.version == .http2 { date(&decision.answer.response.headers) }
        // Of what a fault decides, nothing was done and nothing is found.
        if fault?.plan.overrides != true { note(decision.answer, to: request) }
        if let fault { noteFault(fault, request) }
        return outcome(decision.answer.response, .fcm, fault, isAccepted: decision.answer.rule == nil)
    }

    /// An accepted push is answered when it is on the disk, whatever a fault does with the answer.
    private func outcome(_ response: Response, _ provider: Provider, _ fault: Fault?, isAccepted: Bool) -> Outcome {
        if isAccepted, fault?.plan.overrides != true, hasUnsaved { return .afterPersist(response, provider, fault) }
        return fault.map { .fault($0, response) } ?? .answer(response)
    }

    /// Adds the date to the fields of an answer of Google's; nearly all have the same.
    private func date(_ headers: inout HeaderBlock) {
        guard headers.count == GoogleAnswer.headers.count else { return headers.append(.date, httpDate[...]) }
        if datedHeaders.second != clock.now.seconds {
            datedHeaders = (clock.now.seconds, GoogleAnswer.headers)
            datedHeaders.block.append(.date, httpDate[...])
        }
        headers = datedHeaders.block
    }

    /// One output buffer for all: connections that are silent hold none.
    func borrowScratch() -> [UInt8] {
        defer { scratch = [] }
        return scratch
    }

    func giveBackScratch(_ buffer: consuming [UInt8]) {
        guard buffer.capacity <= 4 << 20 else { return }
        buffer.removeAll(keepingCapacity: true)
        scratch = buffer
    }

    /// The value of `date`, made once a second.
    var httpDate: [UInt8] {
        let now = clock.now
        if dateText.second != now.seconds { dateText = (now.seconds, Array(now.httpDate.utf8)) }
        return dateText.bytes
    }
}

@available(*, unavailable) extension Gateway: Sendable {}
