internal import APNs
package import Devices
package import FCM
package import HTTPCore
package import PushCore

/// Google's requests, where pushes are decided.
extension PushEngine {
    /// What is answered to Google's calls, and what goes wrong with it on purpose.
    package struct GoogleDecision: ~Copyable {
        package var answer: GoogleAnswer
        package var fault: Fault?
    }

    package mutating func answerGoogle(
        _ request: Request, _ memory: inout FaultMemory, at now: Timestamp, unmoved: Timestamp
    )
        -> GoogleDecision
    {
        let route = googleMemo.route(of: request)
        if case .send(let project) = route { return decideMessage(request, project, &memory, at: now) }
        guard hasFaults(memory), let candidate = candidate(for: route, request),
            let fault = faults.plan(for: candidate, &memory, at: now)
        else { return GoogleDecision(answer: answer(route, request, at: now, unmoved)) }
        let truth =
            fault.plan.overrides
            ? GoogleAnswer(response: Response(status: 500)) : answer(route, request, at: now, unmoved)
        return applyingFault(fault, request, truth, candidate.app, nil, at: now)
    }

    private mutating func answer(
        _ route: GoogleRoute, _ request: Request, at now: Timestamp, _ unmoved: Timestamp
    ) -> GoogleAnswer {
        switch route {
        case .send(let project): preconditionFailure("a message to \(project) is decided, not answered alone")
        case .token:
            return oauth.answer(
                request, &bearers, at: now, signedBy: [now, unmoved], verify: verifyAccount, using: &random)
        case .subscriptions(let project, let registration, let last):
            let subscriptions = TopicSubscriptions(
                fcm.policy, request, project: project, registration: registration, last: last)
            return subscriptions.answer(at: now, bearers: bearers) { call in perform(call, at: now) }
        case .batch, .batchImport, .relation, .info:
            return InstanceID(fcm.policy, request).answer(
                route, at: now, bearers: bearers,
                token: { DeviceToken(hex: $0.utf8Span.span).flatMap { devices.fcmToken(ofAPNs: $0) } },
                { call in perform(call, at: now) })
        case .legacySend: return refuseLegacy(request, at: now)
        case .none:
            return GoogleAnswer(
                response: GoogleNotFoundPage.notFound(request), rule: RuleID("gateway.no-such-path"),
                because: "Google serves nothing there; messages go by POST to /v1/projects/PROJECT/messages:send")
        }
    }

    private mutating func decideMessage(
        _ request: Request, _ project: String, _ memory: inout FaultMemory, at now: Timestamp
    ) -> GoogleDecision {
        var outcome = decide(request, project, at: now)
        if outcome.delivery != nil, let place = outcome.registration?.place, quotas?.take(for: place, at: now) == false
        {
            outcome.refuse(GoogleAnswer(overQuotaOf: project, to: request))
        }
        let push = takeNumber()
        guard hasFaults(memory),
            let fault = faults.plan(for: candidate(for: outcome, request, project), &memory, at: now)
        else {
            commit(request, push, &outcome, project, nil, at: now)
            return GoogleDecision(answer: outcome.takeAnswer())
        }
        if fault.plan.overrides {
            let status = fault.plan.answer?.status ?? 0
            count(isAccepted: 200..<300 ~= status)
            record(
                200..<300 ~= status ? .accepted : .refused, request, push, by: .fcm, app: project, status: status,
                reason: fault.plan.answer?.reason, why: fault.rule, .production, at: now)
        } else {
            commit(request, push, &outcome, project, fault.plan, at: now)
        }
        return applyingFault(fault, request, outcome.takeAnswer(), project, push, at: now)
    }

    package static func registration(of token: String, _ devices: inout DeviceRegistry, at now: Timestamp)
        -> FCMRegistration?
    {
        devices.registration(ofFCM: token, at: now).map {
            FCMRegistration(place: $0.place, platform: .init($0.platform), isGone: $0.isGone, project: $0.project)
        }
    }

    private mutating func decide(_ request: Request, _ project: String, at now: Timestamp) -> FCMDialect.Outcome {
        var generator = random
        defer { random = generator }
        var outcome = fcm.decide(
            request, project: project, at: now, bearers: bearers, &googleMemo,
            known: { Self.registration(of: $0, &devices, at: now) }, using: &generator)
        // Whoever is not let in counts for nothing.
        guard quotas != nil, outcome.answer.response.status != 401 else { return outcome }
        if quotas?.take(from: project, at: now) == false {
            outcome.refuse(GoogleAnswer(overQuotaOf: project, to: request))
        } else if outcome.delivery != nil, outcome.target?.single == nil, fanOuts.count >= Self.fanOutLimit {
            outcome.refuse(GoogleAnswer(tooManyFanOutsBy: request))
        }
        return outcome
    }

    /// Topics being worked off at once, with real quotas (facts/fcm.md §4, documented).
    private static let fanOutLimit = 1000

    /// Does what was decided about a message.
    private mutating func commit(
        _ request: Request, _ push: PushID, _ outcome: inout FCMDialect.Outcome, _ project: String, _ plan: FaultPlan?,
        at now: Timestamp
    ) {
        var place: Int?
        if let delivery = outcome.delivery, let token = outcome.target?.single {
            place = outcome.registration?.place ?? placeForGoogle(token, delivery, project, at: now)
        }
        let members = outcome.delivery == nil ? [] : outcome.target.flatMap { self.members(of: $0, project) } ?? []
        if members.isEmpty, outcome.delivery != nil, outcome.target?.single == nil {
            outcome.answer.findings.append(Self.reachesNobody(outcome.target?.topic, project))
        }
        count(isAccepted: outcome.reason == nil)
        record(
            outcome.reason == nil ? .accepted : .refused, request, push, by: .fcm, name: outcome.delivery?.name ?? "",
            app: place.map { devices.app(at: $0) } ?? project,
            device: place.map { devices.id(at: $0) }, status: plan?.answer?.status ?? outcome.answer.response.status,
            reason: plan?.answer?.reason ?? outcome.reason, why: outcome.answer.rule, findings: outcome.answer.findings,
            .production, at: now)
        guard let delivery = outcome.delivery else { return }
        let (times, lateness) = (plan?.deliveries ?? 1, plan?.lateness ?? 0)
        if let place {
            if lateness == 0 {
                for _ in 0..<times { send(push, request, delivery, to: place, at: now) }
            } else {
                scheduleFanOut(
                    push, request, .message(delivery, isForMany: false), for: lateness, times: times,
                    to: [Int32(place)], at: now)
            }
        } else if !members.isEmpty {
            scheduleFanOut(
                push, request, .message(delivery, isForMany: true), for: lateness, times: times, to: members, at: now)
        }
    }

    private static func reachesNobody(_ topic: String?, _ project: String) -> Finding {
        let whom = topic.map { "No device is subscribed to '\($0)'" } ?? "The condition holds for no device"
        return Finding(
            "fcm.no-subscribers", .warning, at: "/message",
            "\(whom) in the project \(project); Google answers 200, and so do we.")
    }

    private mutating func count(isAccepted: Bool) {
        if isAccepted { metrics.accepted += 1 } else { metrics.refused += 1 }
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

    /// The device that appears for an unknown token. Nil where there is no room for it.
    private mutating func placeForGoogle(
        _ token: String, _ delivery: FCMDelivery, _ project: String, at now: Timestamp
    ) -> Int? {
        guard makeRoomForImplicitDevice(at: now) else { return nil }
        let place = devices.makeImplicit(
            fcmToken: token, platform: delivery.isForApple ? .ios : .android,
            app: delivery.restrictedPackage.flatMap { $0.utf8.count <= Self.longestApp ? $0 : nil } ?? project,
            environment: apns.policy.environment, using: &random)
        appeared(place, at: now)
        return place
    }

    /// To an iPhone it goes Apple's way, to a browser by a push service, to all others Google's.
    mutating func send(
        _ push: PushID, _ request: Request, _ delivery: FCMDelivery, isForMany: Bool = false, to place: Int,
        at now: Timestamp
    ) {
        switch devices.platform(at: place) {
        case .ios: return send(push, request, delivery.apple, .app, to: place, at: now)
        case .web:
            let slot = delivery.webTopic.map { StoredPush.Slot.collapseKey(Array($0.utf8)) } ?? .pending(push)
            return send(push, request, delivery.web, slot, to: place, at: now)
        case .android: break
        }
        if let package = delivery.restrictedPackage, package != devices.app(at: place) {
            return append(.dropped, place, push: push, why: StorageRule.otherPackage.rule, at: now)
        }
        let slot: StoredPush.Slot =
            if delivery.isNotification || delivery.isEmpty && isForMany {
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

extension FCMRegistration.Platform {
    fileprivate init(_ platform: Device.Platform) {
        switch platform {
        case .ios: self = .apple
        case .android: self = .android
        case .web: self = .web
        }
    }
}
