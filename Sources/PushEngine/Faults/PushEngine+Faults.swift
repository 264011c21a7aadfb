internal import APNs
internal import FCM
package import Faults
internal import HTTPCore
internal import JSON
package import PushCore
internal import Receivers

/// Applying faults to APNs pushes.
extension PushEngine {
    func hasFaults(_ memory: borrowing FaultMemory) -> Bool { !faults.isEmpty || memory.stickyFault != nil }

    /// The fault that hits a device push. The draft and the refusal contain the real decision.
    mutating func fault(
        for request: Request, _ draft: APNsDraft, _ refusal: APNsRefusal?, _ memory: inout FaultMemory,
        at now: Timestamp
    ) -> Fault? {
        let candidate = FaultMatch.Candidate(
            app: draft.app(request.headers), environment: draft.environment, token: draft.device?.hex,
            topic: request.text(.apnsTopic), pushType: request.text(.apnsPushType), request: request,
            reason: refusal?.reason.word)
        return faults.firstFault(hitting: candidate, &memory, at: now)
    }

    /// The fault that hits a broadcast.
    mutating func fault(
        for outcome: BroadcastDialect.Outcome, _ memory: inout FaultMemory, _ context: borrowing PushContext
    ) -> Fault? {
        let request = context.request
        let candidate = FaultMatch.Candidate(
            app: outcome.app, environment: context.environment, topic: request.text(.apnsTopic),
            pushType: request.text(.apnsPushType), request: request, reason: outcome.refusal?.reason.word)
        return faults.firstFault(hitting: candidate, &memory, at: context.now)
    }

    /// Records and answers a push whose verdict the fault replaces. Nothing reaches a device.
    mutating func override(
        _ fault: Fault, _ app: String, _ headers: HeaderBlock, _ context: borrowing PushContext
    ) -> Decision {
        recordOverride(fault, .apns, app, context)
        return applyingFault(fault, Decision(response: Response(status: 500, headers: headers)), app, context)
    }

    /// Records the verdict that a fault puts in place of the real one. Without an answer, the status is 0.
    mutating func recordOverride(
        _ fault: Fault, _ provider: Provider, _ app: String, isForTopic: Bool = false, _ context: borrowing PushContext
    ) {
        let (status, reason) = fault.plan.visibleAnswer(
            (0, nil), provider, isForTopic: isForTopic, on: context.request.stream)
        let isAccepted = 200..<300 ~= status
        if isAccepted { metrics.accepted += 1 } else { metrics.refused += 1 }
        let verdict = RecordedVerdict(
            kind: isAccepted ? .accepted : .refused, provider: provider, app: app, status: status,
            reason: reason, why: fault.rule)
        record(verdict, context)
    }

    /// Records that a fault hit, and replaces the real answer with the fault's.
    mutating func applyingFault(
        _ fault: Fault, _ decision: Decision, _ app: String, _ context: borrowing PushContext
    ) -> Decision {
        var decision = decision
        decision.fault = fault
        if let answer = fault.plan.answer {
            // A real token becomes invalid only once, so every 410 of this fault has the same timestamp: the time at
            // which the fault was added.
            let moment = answer.status == 410 ? fault.since : context.now
            decision.response = answer.response(decision.response.headers, at: moment)
        }
        note(fault, app, push: context.id, at: context.now)
        return decision
    }

    /// The delays that were drawn for this request.
    private func drawnDelays(_ fault: Fault) -> [(String, JSONScalar)] {
        [("delay", fault.plan.delay), ("deliverAfter", fault.plan.deliveryDelay)].filter { $0.1 > 0 }.map {
            ($0.0, .string(DurationText.text($0.1)))
        }
    }

    /// Records that a fault hit.
    package mutating func note(_ fault: Fault, _ app: String = "", push: PushID? = nil, at now: Timestamp) {
        events.append(
            .fault, at: now, about: Event.Subject(app: app, push: push), why: fault.rule,
            detail: .fields([("fault", .string(fault.id))] + drawnDelays(fault)))
    }
}

extension Request {
    /// A header's value as text.
    fileprivate func text(_ name: HeaderName) -> String? {
        headers.first(name).map { String(decoding: $0, as: UTF8.self) }
    }
}

extension FaultEffect.Answer {
    /// The response for this answer. A reason without a body is written in Apple's format.
    fileprivate func response(_ headers: HeaderBlock, at now: Timestamp) -> Response {
        var response = Response(status: status, headers: headers)
        if let contentType { response.headers.append(.contentType, contentType) }
        for (name, value) in self.headers { response.headers.append(HeaderName(name), value) }
        if let body {
            response.body = body.isEmpty ? .none : .bytes(body)
        } else if let reason {
            var json = JSONWriter()
            json.object { json in
                json.member("reason", reason)
                if status == 410 { json.member("timestamp", now.milliseconds) }
            }
            response.body = .bytes(json.finish())
        }
        return response
    }

    /// The response for this answer to a web push. Without a body, it is the service's own.
    func response(of service: PushService, at now: Timestamp) -> Response {
        var response = service.response(status, reason)
        if let body { response.body = body.isEmpty ? .none : .bytes(body) }
        if let contentType { response.headers = HeaderBlock([.contentType: contentType]) }
        for (name, value) in headers { response.headers.append(HeaderName(name), value) }
        let later = HeaderName("retry-after")
        if [429, 503].contains(status), response.headers.first(later) == nil, let seconds = service.retryAfter {
            response.headers.append(later, "\(seconds)")
        }
        return response
    }

    /// The response for this answer. A reason without a body is written in Google's format.
    func googleResponse(to request: Request, project: String, isForTopic: Bool) -> Response {
        var response: Response
        if let recorded {
            response = recorded.response(to: request, project: project)
        } else if let reason {
            response = RecordedAnswer.response(status, reason, to: request, isForTopic: isForTopic)
        } else {
            response = Response(status: status, body: body.map { $0.isEmpty ? .none : .bytes($0) } ?? .none)
            if let contentType { response.headers.append(.contentType, contentType) }
        }
        for (name, value) in headers { response.headers.append(HeaderName(name), value) }
        return response
    }
}
