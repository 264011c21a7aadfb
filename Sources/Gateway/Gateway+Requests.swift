internal import APNs
internal import Compression
internal import ControlAPI
internal import Devices
internal import FCM
internal import Faults
internal import HTTPCore
internal import Persistence
internal import Platform
internal import PushCore
internal import PushEngine
internal import PushFeed
internal import Routing
internal import RuleTables

/// Handling requests: access control, routing, and calls to the engine.
extension Gateway {
    /// Handles a request of any service. The time that this takes does not reduce the connection's `workBudget`.
    func handle(_ request: consuming Request, on connection: Connection) -> RequestOutcome {
        let length = request.body.count
        // Each request adds much more time to the budget than a push takes, so the time of a push is not measured.
        // Measuring it would cost 1 % of the push's instructions.
        if request.route.service.isAPNs {
            connection.workBudget.earn(bodyLength: length)
            return dispatch(request, on: connection)
        }
        let began = turn.lastLook
        let outcome = dispatch(request, on: connection)
        connection.workBudget.earn(bodyLength: length, handledIn: turn.look() &- began)
        return outcome
    }

    private func dispatch(_ request: consuming Request, on connection: Connection) -> RequestOutcome {
        let service = request.route.service
        if service.isAPNs, request.version == .http2 {
            // A refused certificate ends the connection, not only the request (docs/evidence/apns.md §1.3, observed).
            if let reason = connection.certificateRefusal(isSandbox: service == .apnsSandbox) {
                note(.info, "refused", request, RequestNote(rule: reason.rule, because: reason.meaning))
                return .goAway(reason.word)
            }
            return handlePush(request, isSandbox: service == .apnsSandbox, on: connection)
        }
        if service == .google {
            guard GzipMessage.hasEncoding(request) else { return handleGoogle(request, on: connection) }
            return handleEncoded(request, on: connection)
        }
        let outcome = route(request, to: service, on: connection)
        // 417 means that an expectation was not met. That is not a refusal.
        if case .answer(let response) = outcome, response.status >= 400, response.status != 417, service != .ready,
            service != .receiver
        {
            noteRefusal(RuleID(Answers.rule(response.status, service)), response, to: request)
        }
        return outcome
    }

    private func route(_ request: Request, to service: Service, on connection: Connection) -> RequestOutcome {
        if service == .forbiddenPage { return .answer(refuseForbiddenPage(request, on: connection)) }
        if service == .proxy { return openTunnel(request, on: connection) }
        if service.isGuarded,
            let refusal = accessPolicy.refusal(of: request.headers, needsToken: service.needsToken)
        {
            return .answer(refusal.response(for: service))
        }
        if let refusal = Answers.refusal(of: request, by: service) { return .answer(refusal) }
        switch service {
        case .apns, .apnsSandbox: return .answer(Answers.needsHTTP2)
        case .google: preconditionFailure("handle() passes Google's requests to handleGoogle()")
        case .live: return .answer(Answers.ok)
        case .ready: return .answer(readiness)
        case .authority: return .answer(Answers.authority(authority))
        case .receiver: return handleReceiver(request, on: connection)
        case .preflight: return .answer(Response.permission(for: request))
        case .metrics, .console, .collector, .control, .deviceSocket, .echoSocket, .unknown, .forbiddenPage, .proxy:
            return handleOwnPage(request, for: service, on: connection)
        }
    }

    /// The answer to a request whose header fields are too long; nil if its stream is reset
    /// (docs/evidence/apns.md §1.6, assumed).
    ///
    /// - Parameter headers: the fields that were read.
    func handleOversizedHeaders(_ headers: HeaderBlock, on role: Role) -> Response? {
        let service = Router.service(for: headers, on: role)
        let isPush = service.isAPNs
        let isReset = isPush && configuration.resetsOversizedHeaders
        let request = Request(version: .http2, headers: headers)
        let rule = RuleID("http2.header-too-large")
        box.engine.metrics.malformed += 1
        note(
            .info, "refused", request,
            RequestNote(
                status: isReset ? nil : 431, rule: rule, because: RuleBook.rule(rule.description)?.meaning))
        if isReset { return nil }
        let environment = service == .apnsSandbox ? .sandbox : configuration.apns.environment
        return Response(
            status: 431, headers: isPush ? box.engine.answerHeaders(to: request, in: environment) : HeaderBlock())
    }

    func handleControl(_ request: Request, on connection: Connection) -> RequestOutcome {
        hasHandledControl = true
        if let page = OpenAPI.answer(request) { return .answer(page) }
        let state = stateVersion
        // A running query keeps a part of its answer in memory, so each connection runs only one query at a time.
        let startsSlicedCall = !queries.contains(connection.id)
        return outcome(of: ControlAPI.reply(to: request, self, startsSlicedCall: startsSlicedCall), since: state)
    }

    /// Changes with everything that has to be saved. If two values differ, something has changed in between.
    var stateVersion: (newest: UInt64, changes: UInt64) { (box.engine.events.newest, box.engine.changeCount) }

    /// What to do with a reply of the control API. If the call has changed something, its answer waits until the change
    /// is saved.
    ///
    /// - Parameter state: the `stateVersion` before the call.
    func outcome(of reply: ControlAPI.Reply, since state: (newest: UInt64, changes: UInt64)) -> RequestOutcome {
        switch reply {
        case .answer(let response):
            state != stateVersion && response.status < 400 && hasUnsaved
                ? .afterPersist(response, nil, nil) : .answer(response)
        case .deferred(let reply): .deferred(reply)
        }
    }

    private func handlePush(_ request: consuming Request, isSandbox: Bool, on connection: Connection) -> RequestOutcome
    {
        if persister != nil, refusesPushesWhileUnsaved { return refuseUnsaved(request, isSandbox: isSandbox) }
        let before = box.engine.events.newest
        let call = VendorCall(.apns, after: before)
        var push = PushContext(request, at: clock.now)
        let decision = box.engine.decide(&push, isSandbox: isSandbox, &connection.memory)
        if box.engine.events.newest == before {
            note(decision, on: push.request)
        } else {
            feed.received(after: before, refusedBy: decision.refusal?.rule)
        }
        return outcome(decision.response, call, decision.fault, isAccepted: decision.refusal == nil)
    }

    /// Handles a request to Google's APIs with a body that may be compressed.
    private func handleEncoded(_ request: Request, on connection: Connection) -> RequestOutcome {
        do throws(Gzip.Problem) {
            return handleGoogle(try GzipMessage.decoded(request, limit: FCMDialect.bodyLimit), on: connection)
        } catch {
            box.engine.metrics.malformed += 1
            let note = RequestNote(
                status: 400, rule: RuleID("fcm.broken-gzip"),
                because: "content-encoding is gzip, but the body is not valid gzip")
            self.note(.info, "refused", request, note)
            var response = GoogleNotFoundPage.malformed
            if request.version == .http2 { response.headers.append(.date, httpDate[...]) }
            return .answer(response)
        }
    }

    private func handleGoogle(_ request: Request, on connection: Connection) -> RequestOutcome {
        if persister != nil, refusesPushesWhileUnsaved { return refuseUnsaved(request, isSandbox: false) }
        let before = box.engine.events.newest
        let call = VendorCall(.fcm, after: before)
        let waiting = box.engine.pendingWork.receiverPushes.count
        var decision = box.engine.answerGoogle(
            request, &connection.memory.faults, at: clock.now, systemTime: clock.systemTime)
        let fault = decision.fault
        if persister != nil { encryptBeforeSaving(after: waiting) }
        // The HTTP/1.1 encoder adds the date itself.
        if request.version == .http2 { decision.answer.response.headers.append(.date, httpDate[...]) }
        if decision.isPush {
            feed.received(after: before, refusedBy: decision.answer.rule)
        } else {
            note(decision.answer, fault, to: request)
            if let fault { noteFault(fault, .fcm, request, decision.answer.response) }
        }
        if GzipMessage.isWanted(by: request.headers) { GzipMessage.compress(&decision.answer.response) }
        return outcome(decision.answer.response, call, fault, isAccepted: decision.answer.rule == nil)
    }

    /// An accepted push is answered when it is saved, even if a fault delays or breaks the answer. A fault that overrides
    /// the verdict accepts no push, so its answer does not wait.
    func outcome(
        _ response: Response, _ call: VendorCall?, _ fault: Fault?, isAccepted: Bool
    ) -> RequestOutcome {
        if isAccepted, fault?.plan.overrides != true, hasUnsaved { return .afterPersist(response, call, fault) }
        return fault.map { .fault($0, response) } ?? .answer(response)
    }
}
