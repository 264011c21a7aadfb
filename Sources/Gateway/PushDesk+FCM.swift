internal import FCM
internal import HTTPCore
internal import PushCore

/// Google's requests, where pushes are decided.
extension PushDesk {
    mutating func decideGoogle(_ request: Request, at now: Timestamp) -> FCMDialect.Outcome {
        let outcome = fcm.decide(request, at: now, using: &random)
        guard outcome.isSend else { return outcome }
        let push = takeNumber()
        if outcome.refusal == nil { metrics.accepted += 1 } else { metrics.refused += 1 }
        record(
            outcome.refusal == nil ? .accepted : .refused, request, push, by: .fcm, app: outcome.project,
            status: outcome.response.status, reason: outcome.refusal?.message, why: outcome.refusal?.rule,
            findings: outcome.findings, .production, at: now)
        return outcome
    }
}
