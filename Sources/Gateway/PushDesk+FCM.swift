internal import APNs
internal import Devices
internal import FCM
internal import HTTPCore
internal import PushCore

/// Google's requests, where pushes are decided.
extension PushDesk {
    mutating func answerGoogle(_ request: Request, at now: Timestamp) -> GoogleAnswer {
        let route = GoogleRoute(request)
        switch route {
        case .send(let project): return decideMessage(request, project, at: now)
        case .token: return oauth.answer(request, &bearers, at: now, verify: verifyAccount, using: &random)
        case .subscriptions(let project, let registration, let last):
            let subscriptions = TopicSubscriptions(fcm.policy, request, project: project, registration: registration, last: last)
            return subscriptions.answer(at: now, bearers: bearers) { call in perform(call, at: now) }
        case .batch, .batchImport, .relation, .info:
            return InstanceID(fcm.policy, request).answer(
                route, at: now, bearers: bearers, token: { DeviceToken(hex: $0.utf8Span.span).flatMap { devices.fcmToken(ofAPNs: $0) } },
                { call in perform(call, at: now) })
        case .legacySend: return refuseLegacy(request, at: now)
        case .none:
            return GoogleAnswer(response: GonePages.notFound(request), rule: RuleID("gateway.no-such-path"))
        }
    }

    private mutating func decideMessage(_ request: Request, _ project: String, at now: Timestamp) -> GoogleAnswer {
        var generator = random
        let outcome = fcm.decide(
            request, project: project, at: now, bearers: bearers,
            known: { token in
                devices.place(ofFCM: token).map {
                    FCMRegistration(isGone: devices[$0].uninstalled != nil, project: devices[$0].project)
                }
            }, using: &generator)
        random = generator
        let push = takeNumber()
        let (isAccepted, answer) = (outcome.reason == nil, outcome.answer)
        var place: Int?
        if let delivery = outcome.delivery, let token = outcome.target?.single {
            place = placeForGoogle(token, delivery, project, at: now)
        }
        if isAccepted { metrics.accepted += 1 } else { metrics.refused += 1 }
        record(
            isAccepted ? .accepted : .refused, request, push, by: .fcm, app: place.map { devices.app(at: $0) } ?? project,
            device: place.map { devices.id(at: $0) }, status: answer.response.status, reason: outcome.reason, why: answer.rule,
            findings: answer.findings, .production, at: now)
        if let delivery = outcome.delivery {
            if let place { send(push, request, delivery, to: place, at: now) }
            if let members = outcome.target.flatMap({ members(of: $0, project) }), !members.isEmpty {
                fanOuts.append(
                    FanOut(id: push, request: request, cargo: .message(delivery), births: devices.births, places: members[...]))
            }
        }
        return answer
    }

    /// The devices that a topic or a condition stands for now; nil for a single one.
    private func members(of target: FCMTarget, _ project: String) -> [Int32]? {
        let set: PlaceSet
        switch target {
        case .token, .fid: return nil
        case .topic(let topic): set = devices.subscribers(of: topic, in: project)
        case .condition(let condition, _): set = condition.members { devices.subscribers(of: $0, in: project) }
        }
        return set.places { devices.everybody(in: project) }
    }

    /// The device of a token; an unknown one appears. Nil where there is no room for it.
    private mutating func placeForGoogle(
        _ token: String, _ delivery: FCMDelivery, _ project: String, at now: Timestamp
    ) -> Int? {
        if let place = devices.place(ofFCM: token) { return place }
        guard makeRoomForDevice(at: now) else { return nil }
        let place = devices.makeImplicit(
            fcmToken: token, platform: delivery.isForApple ? .ios : .android, app: project,
            environment: apns.policy.environment, using: &random)
        append(.registered, place, at: now)
        return place
    }

    /// To an iPhone it goes Apple's way, to all others Google's.
    mutating func send(
        _ push: PushID, _ request: Request, _ delivery: FCMDelivery, to place: Int, at now: Timestamp
    ) {
        if devices.platform(at: place) == .ios { return send(push, request, delivery.apple, .app, to: place, at: now) }
        let slot: StoredPush.Slot =
            if delivery.isNotification {
                .collapseKey(Array(devices.app(at: place).utf8))
            } else if let key = delivery.collapseKey {
                .collapseKey(Array(key.utf8))
            } else {
                .pending(push)
            }
        send(push, request, delivery.google, slot, to: place, at: now)
    }

    /// A message by the API that is gone: nobody gets it, and its sender is told what it has to be now.
    private mutating func refuseLegacy(_ request: Request, at now: Timestamp) -> GoogleAnswer {
        let answer = GoogleAnswer(legacy: request)
        metrics.refused += 1
        record(
            .refused, request, takeNumber(), by: .fcm, app: "", status: answer.response.status, why: answer.rule,
            findings: answer.findings, .production, at: now)
        return answer
    }
}
