internal import APNs
internal import Devices
package import FCM
package import Faults
package import HTTPCore
package import PushCore

/// Answering calls to Google's APIs.
extension PushEngine {
    /// The answer to a call to Google's APIs, and the fault that applies to it.
    package struct GoogleDecision: ~Copyable {
        package var answer: GoogleAnswer
        package var fault: Fault?
        /// Whether the call was recorded as a push, so that the log's line about it is made from its events.
        package var isPush = false
    }

    /// Answers a call to Google's APIs, and makes the changes that it asks for.
    ///
    /// - Parameter systemTime: the system's time, with which client libraries sign tokens. Tests can't move it, unlike
    ///   `now`.
    package mutating func answerGoogle(
        _ request: Request, _ memory: inout FaultMemory, at now: Timestamp, systemTime: Timestamp
    ) -> GoogleDecision {
        let route = GoogleRoute(request)
        if case .send(let project) = route { return decideMessage(request, project, &memory, at: now) }
        guard hasFaults(memory) else {
            return GoogleDecision(
                answer: answer(route, request, at: now, systemTime), isPush: route == .legacySend)
        }
        let candidate = candidate(for: route, request)
        guard let fault = faults.firstFault(hitting: candidate, &memory, at: now) else {
            return GoogleDecision(
                answer: answer(route, request, at: now, systemTime), isPush: route == .legacySend)
        }
        let overridesMessage = fault.plan.overrides && route == .legacySend
        let context = PushContext(
            request, id: overridesMessage ? nextRequestID() : PushID(lastRequestNumber), at: now)
        if overridesMessage { recordOverride(fault, .fcm, candidate.app, context) }
        let real =
            fault.plan.overrides
            ? GoogleAnswer(response: Response(status: 500)) : answer(route, request, at: now, systemTime)
        return applyingFault(fault, real, candidate, isPush: false, context)
    }

    private mutating func answer(
        _ route: GoogleRoute, _ request: Request, at now: Timestamp, _ systemTime: Timestamp
    ) -> GoogleAnswer {
        switch route {
        case .send(let project): preconditionFailure("a message to \(project) goes through decideMessage")
        case .token:
            return dialects.oauth.answer(
                request, &bearers, at: OAuth.Time(gateway: now, client: systemTime),
                verify: dialects.verifyServiceAccount,
                using: &random)
        case .subscriptions(let project, let registration, let last):
            let subscriptions = TopicSubscriptions(
                dialects.fcm.policy, request, project: project, registration: registration, last: last)
            return subscriptions.answer(at: now, bearers: bearers) { call in perform(call, at: now) }
        case .batch, .batchImport, .relation, .info:
            return InstanceID(dialects.fcm.policy, request).answer(
                route, at: now, bearers: bearers,
                token: { DeviceToken(hex: $0.utf8Span.span).flatMap { devices.fcmToken(ofAPNs: $0) } },
                { call in perform(call, at: now) })
        case .legacySend: return refuseLegacy(request, at: now)
        case .connect: return GoogleAnswer.connectRefused(request)
        case .removedBatch, .none:
            return GoogleAnswer(
                response: GoogleNotFoundPage.notFound(request), rule: RuleID("gateway.no-such-path"),
                because: "Google has no such path; send messages with POST /v1/projects/PROJECT/messages:send")
        }
    }

    /// Refuses a message to the legacy API, and explains how to send it now.
    private mutating func refuseLegacy(_ request: Request, at now: Timestamp) -> GoogleAnswer {
        let answer = GoogleAnswer(legacy: request)
        metrics.refused += 1
        let verdict = RecordedVerdict(
            kind: .refused, provider: .fcm, app: "", status: answer.response.status, why: answer.rule,
            findings: answer.findings)
        record(verdict, PushContext(request, id: nextRequestID(), at: now))
        return answer
    }
}
