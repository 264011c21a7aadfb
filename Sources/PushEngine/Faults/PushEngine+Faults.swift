internal import APNs
internal import FCM
internal import HTTPCore
internal import JSON
package import PushCore

/// Faults, where pushes are decided.
extension PushEngine {
    func hasFaults(_ memory: borrowing FaultMemory) -> Bool { !faults.isEmpty || memory.stuck != nil }

    /// The fault that hits a device push, of which this was decided truly.
    mutating func fault(
        for request: Request, _ draft: APNsDraft, _ refusal: APNsRefusal?, _ memory: inout FaultMemory,
        at now: Timestamp
    ) -> Fault? {
        let candidate = FaultMatch.Candidate(
            app: draft.app(request.headers), environment: draft.environment, token: draft.device?.hex,
            topic: request.text(.apnsTopic), pushType: request.text(.apnsPushType), request: request,
            reason: refusal?.reason.word)
        return faults.plan(for: candidate, &memory, at: now)
    }

    /// The fault that hits a broadcast.
    mutating func fault(
        for request: Request, _ outcome: BroadcastDialect.Outcome, _ environment: PushEnvironment,
        _ memory: inout FaultMemory, at now: Timestamp
    ) -> Fault? {
        let candidate = FaultMatch.Candidate(
            app: outcome.app, environment: environment, topic: request.text(.apnsTopic),
            pushType: request.text(.apnsPushType),
            request: request, reason: outcome.refusal?.reason.word)
        return faults.plan(for: candidate, &memory, at: now)
    }

    /// A push that the fault decides: nothing of it reaches a device.
    mutating func override(
        _ request: Request, _ push: PushID, _ fault: Fault, _ app: String, _ headers: HeaderBlock,
        _ environment: PushEnvironment,
        at now: Timestamp
    ) -> Decision {
        // No answer is status 0.
        let status = fault.plan.answer?.status ?? 0
        let isAccepted = 200..<300 ~= status
        if isAccepted { metrics.accepted += 1 } else { metrics.refused += 1 }
        record(
            isAccepted ? .accepted : .refused, request, push, app: app, status: status,
            reason: fault.plan.answer?.reason, why: fault.rule, environment, at: now)
        return applyingFault(fault, Decision(response: Response(status: 500, headers: headers)), app, push, at: now)
    }

    /// Notes that a fault has hit, and puts its answer in the true one's place.
    mutating func applyingFault(
        _ fault: Fault, _ decision: Decision, _ app: String, _ push: PushID, at now: Timestamp
    ) -> Decision {
        var decision = decision
        decision.fault = fault
        if let answer = fault.plan.answer {
            // A token that is said to be dead has died once.
            decision.response = answer.response(decision.response.headers, at: answer.status == 410 ? fault.since : now)
        }
        note(fault, app, push: push, at: now)
        return decision
    }

    /// What chance has made of it this time.
    private func drawn(_ fault: Fault) -> [(String, JSONScalar)] {
        [("delay", fault.plan.delay), ("deliverAfter", fault.plan.lateness)].filter { $0.1 > 0 }.map {
            ($0.0, .string(DurationText.text($0.1)))
        }
    }

    package mutating func note(_ fault: Fault, _ app: String = "", push: PushID? = nil, at now: Timestamp) {
        events.append(
            .fault, at: now, app: app, push: push, why: fault.rule,
            detail: .fields([("fault", .string(fault.id))] + drawn(fault)))
    }
}

extension Request {
    /// A field's value as text.
    fileprivate func text(_ name: HeaderName) -> String? {
        headers.first(name).map { String(decoding: $0, as: UTF8.self) }
    }
}

extension Fault {
    package var rule: RuleID { RuleID("fault.\(wire?.rawValue ?? "custom")") }
}

extension FaultEffect.Answer {
    /// In Apple's form, where it has a reason and no body of its own.
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

    /// In Google's form, where it has a reason and no body of its own.
    func googleResponse(to request: Request, project: String) -> Response {
        var response: Response
        if let recorded, let known = RecordedAnswer.response(recorded, to: request, project: project) {
            response = known
        } else if let reason {
            response = RecordedAnswer.response(status, reason, to: request)
        } else {
            response = Response(status: status, body: body.map { $0.isEmpty ? .none : .bytes($0) } ?? .none)
            if let contentType { response.headers.append(.contentType, contentType) }
        }
        for (name, value) in headers { response.headers.append(HeaderName(name), value) }
        return response
    }
}
