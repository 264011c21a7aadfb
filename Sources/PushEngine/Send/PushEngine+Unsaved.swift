internal import FCM
package import Faults
package import HTTPCore
package import PushCore

/// Pushes that are answered with 503 because the disk refuses writes.
extension PushEngine {
    /// The answer to a push that could not be saved.
    private static func answer(of provider: Provider) -> (status: Int, reason: String?) {
        (503, provider == .apns ? "ServiceUnavailable" : "UNAVAILABLE")
    }

    /// Counts and records a push that is refused before it is looked at, and returns its id. Other calls are not recorded.
    ///
    /// - Parameter isRecorded: whether the log has room for it.
    package mutating func refuseUnsaved(
        _ request: Request, _ provider: Provider, in environment: PushEnvironment, isRecorded: Bool, at now: Timestamp
    ) -> PushID {
        metrics.refused += 1
        var context = PushContext(request, id: nextRequestID(), at: now)
        context.environment = environment
        var isPush = provider == .apns
        if case .send = GoogleRoute(request) { isPush = true }
        guard isRecorded, isPush else { return context.id }
        let (status, reason) = Self.answer(of: provider)
        let verdict = RecordedVerdict(
            kind: .refused, provider: provider, app: "", status: status, reason: reason, why: RuleID("gateway.disk"),
            findings: [])
        record(verdict, context)
        return context.id
    }

    /// Records that a push was accepted, but answered with 503 because it could not be saved. Returns its request; nil if
    /// the call was no push.
    ///
    /// - Parameters:
    ///   - range: the events of the call.
    ///   - fault: the fault that applies to the answer.
    package mutating func replaceRecordedAnswer(
        in range: ClosedRange<UInt64>, _ provider: Provider, _ fault: Fault?, on stream: StreamID
    ) -> Request? {
        let real = Self.answer(of: provider)
        let seen = fault?.plan.visibleAnswer(real, provider, on: stream) ?? real
        let record = events.changeRecord(in: range) { $0.answered(seen.status, seen.reason) }
        return record.flatMap { events.request(at: $0.request) }
    }
}
