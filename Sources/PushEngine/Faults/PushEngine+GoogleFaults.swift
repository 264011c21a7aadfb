internal import Devices
internal import FCM
internal import Faults
internal import HTTPCore
internal import PushCore

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
