internal import FCM
internal import HTTPCore
internal import PushCore

/// Deciding on messages over FCM with Google's quotas, if they are enforced.
extension PushEngine {
    /// The decision before Apple's checks and the quota of the device.
    mutating func decide(_ request: Request, _ project: String, at now: Timestamp) -> FCMDialect.Outcome {
        var generator = random
        defer { random = generator }
        let call = FCMDialect.Call(request, project: project, at: now)
        var outcome = dialects.fcm.decide(
            call, bearers, &caches.fcm,
            known: { Self.registration(of: $0, for: $1, devices, at: now) }, using: &generator)
        // Unauthenticated requests do not count.
        guard quotas != nil, outcome.answer.response.status != 401 else { return outcome }
        if quotas?.take(from: project, at: now) == false {
            outcome.refuse(
                .project(project),
                because:
                    "the project \(project) sent more than 600,000 requests in a minute; wait 60 s (--quotas real)",
                to: call, dialects.fcm.policy)
        } else if outcome.delivery != nil, outcome.target?.single == nil, hasTooManyFanOuts(project) {
            outcome.refuse(
                .topic,
                because: "the project \(project) has \(Self.fanOutLimit) messages to topics and conditions in transit; "
                    + "wait until one has arrived (--quotas real)",
                to: call, dialects.fcm.policy)
        }
        return outcome
    }

    /// The maximum number of topic messages of a project in transit at the same time, with real quotas
    /// (docs/evidence/fcm.md §4, documented).
    private static let fanOutLimit = 1000

    private func hasTooManyFanOuts(_ project: String) -> Bool {
        guard pendingWork.fanOuts.count >= Self.fanOutLimit else { return false }
        let own = pendingWork.fanOuts.lazy.filter { $0.isForTopic && SendPath.project(of: $0.request) == project }
        return own.count >= Self.fanOutLimit
    }

    /// Refuses an accepted message if its device gets too many.
    mutating func refuseAboveQuota(
        _ outcome: inout FCMDialect.Outcome, _ request: Request, _ project: String, at now: Timestamp
    ) {
        if outcome.delivery != nil, let slot = outcome.registration?.slot, quotas?.take(for: slot, at: now) == false {
            let call = FCMDialect.Call(request, project: project, at: now)
            outcome.refuse(.device, because: quotas?.excess(of: slot), to: call, dialects.fcm.policy)
        }
    }
}
