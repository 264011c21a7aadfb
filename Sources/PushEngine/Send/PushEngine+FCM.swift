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
        let context = PushContext(request, id: PushID(pushes), at: now)
        return applyingFault(fault, truth, candidate.app, isPush: false, context)
    }

    private mutating func answer(
        _ route: GoogleRoute, _ request: Request, at now: Timestamp, _ unmoved: Timestamp
    ) -> GoogleAnswer {
        switch route {
        case .send(let project): preconditionFailure("a message to \(project) is decided, not answered alone")
        case .token:
            return oauth.answer(
                request, &bearers, at: OAuth.Time(gateway: now, client: unmoved), verify: verifyAccount, using: &random)
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
        let context = PushContext(request, id: takeNumber(), at: now)
        guard hasFaults(memory),
            let fault = faults.plan(for: candidate(for: outcome, request, project), &memory, at: now)
        else {
            commit(&outcome, project, nil, context)
            return GoogleDecision(answer: outcome.takeAnswer())
        }
        if fault.plan.overrides {
            recordOverride(fault, .fcm, project, context)
        } else {
            commit(&outcome, project, fault.plan, context)
        }
        return applyingFault(fault, outcome.takeAnswer(), project, context)
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

    /// Topics being worked off at once, with real quotas (docs/evidence/fcm.md §4, documented).
    private static let fanOutLimit = 1000

    /// Does what was decided about a message.
    private mutating func commit(
        _ outcome: inout FCMDialect.Outcome, _ project: String, _ plan: FaultPlan?, _ context: borrowing PushContext
    ) {
        var place: Int?
        if let delivery = outcome.delivery, let token = outcome.target?.single {
            place = outcome.registration?.place ?? makeImplicit(token, delivery, project, at: context.now)
        }
        let members = outcome.delivery == nil ? [] : outcome.target.flatMap { self.members(of: $0, project) } ?? []
        if members.isEmpty, outcome.delivery != nil, outcome.target?.single == nil {
            outcome.answer.findings.append(Self.noSubscribers(outcome.target?.topic, project))
        }
        let isAccepted = outcome.reason == nil
        if isAccepted { metrics.accepted += 1 } else { metrics.refused += 1 }
        let verdict = RecordedVerdict(
            kind: isAccepted ? .accepted : .refused, provider: .fcm, name: outcome.delivery?.name ?? "",
            app: place.map { devices.app(at: $0) } ?? project, device: place.map { devices.id(at: $0) },
            status: plan?.answer?.status ?? outcome.answer.response.status,
            reason: plan?.answer?.reason ?? outcome.reason, why: outcome.answer.rule, findings: outcome.answer.findings)
        record(verdict, context)
        guard let delivery = outcome.delivery else { return }
        let (times, lateness) = (plan?.deliveries ?? 1, plan?.lateness ?? 0)
        if let place, lateness == 0 {
            for _ in 0..<times { send(delivery, to: place, context) }
        } else if let place {
            let content = FanOut.Content.message(delivery, isForMany: false)
            scheduleFanOut(content, to: [Int32(place)], times: times, after: lateness, context)
        } else if !members.isEmpty {
            let content = FanOut.Content.message(delivery, isForMany: true)
            scheduleFanOut(content, to: members, times: times, after: lateness, context)
        }
    }

    private static func noSubscribers(_ topic: String?, _ project: String) -> Finding {
        let problem = topic.map { "No device is subscribed to '\($0)'" } ?? "No device matches the condition"
        return Finding(
            "fcm.no-subscribers", .warning, at: "/message",
            "\(problem) in the project \(project). Google answers 200, and so does Pushpit.")
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

    /// Creates the device for an unknown token. Nil if there is no room for it.
    private mutating func makeImplicit(
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

    /// Sends a message to one device: over APNs to an iPhone, by a push service to a browser, over FCM to others.
    mutating func send(
        _ delivery: FCMDelivery, isForMany: Bool = false, to place: Int, _ context: borrowing PushContext
    ) {
        switch devices.platform(at: place) {
        case .ios: return send(Shipment(traits: delivery.apple, slot: .app), to: place, context)
        case .web:
            let slot = delivery.webTopic.map { StoredPush.Slot.collapseKey(Array($0.utf8)) } ?? .pending(context.id)
            return send(Shipment(traits: delivery.web, slot: slot), to: place, context)
        case .android: break
        }
        if let package = delivery.restrictedPackage, package != devices.app(at: place) {
            let event = DeviceEvent(.dropped, push: context.id, why: StorageRule.otherPackage.rule)
            return append(event, place, at: context.now)
        }
        let slot: StoredPush.Slot =
            if delivery.isNotification || delivery.isEmpty && isForMany {
                .collapseKey(Array(devices.app(at: place).utf8))
            } else if let key = delivery.collapseKey {
                .collapseKey(Array(key.utf8))
            } else {
                .pending(context.id)
            }
        send(Shipment(traits: delivery.google, slot: slot), to: place, context)
    }

    /// Refuses a message by the legacy API, and explains how to send it now.
    private mutating func refuseLegacy(_ request: Request, at now: Timestamp) -> GoogleAnswer {
        let answer = GoogleAnswer(legacy: request)
        metrics.refused += 1
        let verdict = RecordedVerdict(
            kind: .refused, provider: .fcm, app: "", status: answer.response.status, why: answer.rule,
            findings: answer.findings)
        record(verdict, PushContext(request, id: takeNumber(), at: now))
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
