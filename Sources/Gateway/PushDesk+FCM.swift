internal import APNs
internal import Devices
internal import FCM
internal import HTTPCore
internal import PushCore

/// Google's requests, where pushes are decided.
extension PushDesk {
    /// Access tokens for service accounts.
    mutating func answerToken(_ request: Request, at now: Timestamp) -> Response {
        oauth.answer(request, &bearers, at: now, verify: verifyAccount, using: &random)
    }

    mutating func decideGoogle(_ request: Request, at now: Timestamp) -> FCMDialect.Outcome {
        var generator = random
        let outcome = fcm.decide(
            request, at: now, bearers: bearers,
            known: { token in
                devices.place(ofFCM: token).map {
                    FCMRegistration(isGone: devices[$0].uninstalled != nil, project: devices[$0].project)
                }
            }, using: &generator)
        random = generator
        guard outcome.isSend else { return outcome }
        let push = takeNumber()
        let place = outcome.delivery.flatMap { placeForGoogle($0, outcome.project, at: now) }
        if outcome.refusal == nil { metrics.accepted += 1 } else { metrics.refused += 1 }
        record(
            outcome.refusal == nil ? .accepted : .refused, request, push, by: .fcm,
            app: place.map { devices.app(at: $0) } ?? outcome.project, device: place.map { devices.id(at: $0) },
            status: outcome.response.status, reason: outcome.refusal?.word,
            why: outcome.refusal?.rule, findings: outcome.findings, .production, at: now)
        if let place, let delivery = outcome.delivery { send(push, request, delivery, to: place, at: now) }
        return outcome
    }

    /// The device of a token; an unknown one appears. Nil where there is no room for it.
    private mutating func placeForGoogle(_ delivery: FCMDelivery, _ project: String, at now: Timestamp) -> Int? {
        if let place = devices.place(ofFCM: delivery.token) { return place }
        guard makeRoomForDevice(at: now) else { return nil }
        let place = devices.makeImplicit(
            fcmToken: delivery.token, platform: delivery.isForApple ? .ios : .android, app: project,
            environment: apns.policy.environment, using: &random)
        append(.registered, place, at: now)
        return place
    }

    /// To an iPhone it goes Apple's way, to all others Google's.
    private mutating func send(
        _ push: PushID, _ request: Request, _ delivery: FCMDelivery, to place: Int, at now: Timestamp
    ) {
        let isApple = devices[place].platform == .ios
        let traits = isApple ? delivery.apple : delivery.google
        let slot: StoredPush.Slot =
            if isApple {
                .app
            } else if delivery.isNotification {
                .collapseKey(Array(devices.app(at: place).utf8))
            } else if let key = delivery.collapseKey {
                .collapseKey(Array(key.utf8))
            } else {
                .pending(push)
            }
        let outcome = devices.outcome(of: traits, at: place, now)
        if outcome.isStorage, !hasRoomForWaiting(at: now) {
            return append(.dropped, place, push: push, why: StorageRule.full.rule, at: now)
        }
        settle(push, request, traits, slot, outcome, place, at: now)
    }
}
