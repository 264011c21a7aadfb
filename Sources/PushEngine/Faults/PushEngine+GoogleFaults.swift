internal import Devices
internal import FCM
package import Faults
package import HTTPCore
package import PushCore
internal import Receivers

/// Applying faults to FCM calls.
extension PushEngine {
    /// Records that a fault hit, and replaces the real answer with the fault's.
    mutating func applyingFault(
        _ fault: Fault, _ real: consuming GoogleAnswer, _ candidate: FaultMatch.Candidate, isPush: Bool = true,
        _ context: borrowing PushContext
    ) -> GoogleDecision {
        let app = isPush ? candidate.project ?? "" : candidate.app
        if let answer = fault.plan.answer {
            real.response = answer.form(for: .fcm).googleResponse(
                to: context.request, project: app, isForTopic: candidate.isForTopic)
        }
        note(fault, app, push: isPush ? context.id : nil, at: context.now)
        return GoogleDecision(answer: real, fault: fault, isPush: isPush)
    }

    /// Answers a call with which a receiver registers, such as a checkin. Only a fault that names its path hits it.
    package mutating func answerReceiver(
        _ request: Request, _ memory: inout FaultMemory, at now: Timestamp
    ) -> (response: Response, fault: Fault?) {
        let candidate = FaultMatch.Candidate(
            provider: .fcm, service: .receivers, app: "", request: request, reason: "")
        guard hasFaults(memory), let fault = faults.firstFault(hitting: candidate, &memory, at: now) else {
            return (realReceivers.answer(request, at: now), nil)
        }
        note(fault, at: now)
        var response = fault.plan.overrides ? Response(status: 500) : realReceivers.answer(request, at: now)
        if let answer = fault.plan.answer {
            response = answer.form(for: .fcm).googleResponse(to: request, project: "", isForTopic: false)
        }
        return (response, fault)
    }

    func candidate(for outcome: borrowing FCMDialect.Outcome, _ request: Request, _ project: String)
        -> FaultMatch.Candidate
    {
        let (token, target) = (outcome.target?.single, outcome.target)
        let slot = token.flatMap { devices.slot(ofFCM: $0) }
        return FaultMatch.Candidate(
            provider: .fcm, service: .send, app: slot.map { devices.app(at: $0) } ?? project, project: project,
            token: token,
            otherToken: slot.map { devices[$0].fcmToken == token ? devices[$0].fid : devices[$0].fcmToken },
            topic: target?.topic, isForTopic: target?.isSingle == false, request: request, reason: outcome.reason)
    }

    /// The candidate for a call other than a message. Its result is not known yet.
    func candidate(for route: GoogleRoute, _ request: Request) -> FaultMatch.Candidate {
        let service = GoogleService(route)
        guard let subject = TopicSubject(route, request) else {
            return FaultMatch.Candidate(provider: .fcm, service: service, app: "", request: request, reason: "")
        }
        let slot = subject.token.flatMap { devices.slot(ofFCM: $0) }
        return FaultMatch.Candidate(
            provider: .fcm, service: service, app: slot.map { devices.app(at: $0) } ?? subject.project ?? "",
            project: subject.project,
            token: subject.token,
            otherToken: slot.map { devices[$0].fcmToken == subject.token ? devices[$0].fid : devices[$0].fcmToken },
            topic: subject.topic, isForTopic: true, request: request, reason: "")
    }
}
