internal import APNs
internal import Devices
internal import FCM
internal import Faults
internal import HTTPCore
internal import PushCore

/// Deciding on messages over FCM.
extension PushEngine {
    /// Decides on a message, and applies the decision.
    mutating func decideMessage(
        _ request: Request, _ project: String, _ memory: inout FaultMemory, at now: Timestamp
    ) -> GoogleDecision {
        var outcome = decide(request, project, at: now)
        checkWithApple(&outcome, request, project, at: now)
        refuseAboveQuota(&outcome, request, project, at: now)
        let context = PushContext(request, id: nextRequestID(), at: now)
        guard hasFaults(memory) else {
            commit(&outcome, project, nil, context)
            return GoogleDecision(answer: outcome.takeAnswer(), isPush: true)
        }
        let candidate = candidate(for: outcome, request, project)
        guard let fault = faults.firstFault(hitting: candidate, &memory, at: now) else {
            commit(&outcome, project, nil, context)
            return GoogleDecision(answer: outcome.takeAnswer(), isPush: true)
        }
        if fault.plan.overrides {
            recordOverride(fault, .fcm, project, isForTopic: candidate.isForTopic, context)
        } else {
            commit(&outcome, project, fault.plan, context)
        }
        return applyingFault(fault, outcome.takeAnswer(), candidate, context)
    }

    /// - Parameter package: the only package that may receive the message. It restricts Android devices only.
    static func registration(
        of token: String, for package: String?, _ devices: borrowing DeviceRegistry, at now: Timestamp
    ) -> FCMRegistration? {
        guard let known = devices.registration(ofFCM: token, at: now) else { return nil }
        let isOtherPackage =
            package.map { known.platform == .android && devices.app(at: known.slot) != $0 } ?? false
        return FCMRegistration(
            slot: known.slot, platform: .init(known.platform), isUnregistered: known.isUnregistered,
            isOtherPackage: isOtherPackage, project: known.project)
    }

    /// Applies the decision on a message.
    private mutating func commit(
        _ outcome: inout FCMDialect.Outcome, _ project: String, _ plan: FaultPlan?, _ context: borrowing PushContext
    ) {
        // A registration exists only for a single device.
        let isForTopic = outcome.registration == nil && outcome.target?.isSingle == false
        var slot: Int?
        var members: [Int32] = []
        if isForTopic {
            members = findMembers(&outcome, project, context.request)
        } else if let delivery = outcome.delivery {
            slot =
                outcome.registration?.slot
                ?? outcome.target?.single.flatMap { makeImplicitDevice($0, delivery, project, at: context.now) }
        }
        let isAccepted = outcome.reason == nil
        if let rule = outcome.answer.rule,
            let cause = Finding.cause(
                outcome.answer.because, of: rule, at: "/message", besides: outcome.answer.findings)
        {
            outcome.answer.findings.append(cause)
        }
        if isAccepted { metrics.accepted += 1 } else { metrics.refused += 1 }
        let real = (status: outcome.answer.response.status, reason: outcome.reason)
        let seen = plan?.visibleAnswer(real, .fcm, isForTopic: isForTopic, on: context.request.stream) ?? real
        let verdict = RecordedVerdict(
            kind: isAccepted ? .accepted : .refused, provider: .fcm, name: outcome.delivery?.name ?? outcome.dryRunID,
            app: slot.map { devices.app(at: $0) } ?? project, device: slot.map { devices.id(at: $0) },
            status: seen.status, reason: seen.reason, why: outcome.answer.rule, findings: outcome.answer.findings)
        record(verdict, context)
        guard let delivery = outcome.delivery else { return }
        if plan?.disconnects == true, let slot { disconnectReceiver(at: slot) }
        let (times, deliveryDelay) = (plan?.deliveries ?? 1, plan?.deliveryDelay ?? 0)
        if let slot, deliveryDelay == 0 {
            for _ in 0..<times { send(delivery, to: slot, context) }
        } else if let slot {
            let content = FanOut.Content.message(delivery, isForMany: false)
            scheduleFanOut(content, to: [Int32(slot)], times: times, after: deliveryDelay, context)
        } else if !members.isEmpty {
            let content = FanOut.Content.message(delivery, isForMany: true)
            scheduleFanOut(content, to: members, times: times, after: deliveryDelay, context)
        }
    }

    /// The devices that get a message to a topic or a condition. Adds a finding if there are none, or if one has another
    /// app.
    private mutating func findMembers(
        _ outcome: inout FCMDialect.Outcome, _ project: String, _ request: Request
    ) -> [Int32] {
        guard let delivery = outcome.delivery, let target = outcome.target else { return [] }
        let members = members(of: target, project) ?? []
        if members.isEmpty {
            outcome.answer.findings.append(Self.noSubscribers(target.topic, project))
        } else if let finding = otherAppFinding(for: delivery, to: members, request) {
            outcome.answer.findings.append(finding)
        }
        return members
    }

    private static func noSubscribers(_ topic: String?, _ project: String) -> Finding {
        let problem = topic.map { "No device is subscribed to '\($0)'" } ?? "No device matches the condition"
        return Finding(
            "fcm.no-subscribers", .warning, at: "/message",
            "\(problem) in the project \(project). Google answers 200, and so does Pushpit.")
    }

    /// The current subscribers of a topic or condition; nil if the target is a single device.
    private func members(of target: FCMTarget, _ project: String) -> [Int32]? {
        let set: DeviceSet
        switch target {
        case .token, .fid: return nil
        case .topic(let topic): set = devices.subscribers(of: topic, in: project)
        case .condition(let condition, _): set = condition.members { devices.subscribers(of: $0, in: project) }
        }
        return set.slots { devices.reachableDevices(in: project) }
    }

    /// Creates the device for an unknown token. Nil if there is no room for it.
    private mutating func makeImplicitDevice(
        _ token: String, _ delivery: FCMDelivery, _ project: String, at now: Timestamp
    ) -> Int? {
        guard makeRoomForImplicitDevice(at: now) else { return nil }
        let slot = devices.makeImplicitDevice(
            fcmToken: token, platform: delivery.isForApple ? .ios : .android,
            app: app(namedBy: delivery) ?? project,
            environment: dialects.apns.policy.environment, using: &random)
        noteCreation(of: slot, at: now)
        return slot
    }

    /// The app that a message names; nil if it names none.
    private func app(namedBy delivery: FCMDelivery) -> String? {
        if delivery.isForApple { return delivery.appleHeaders["apns-topic"].flatMap(RelayedPush.app(inTopic:)) }
        return delivery.restrictedPackage.flatMap { $0.utf8.count <= Self.maxAppNameLength ? $0 : nil }
    }

    /// Sends a message to one device: over APNs to an iPhone, through a push service to a browser, over FCM to Android.
    mutating func send(
        _ delivery: FCMDelivery, isForMany: Bool = false, to slot: Int, _ context: borrowing PushContext
    ) {
        switch devices.platform(at: slot) {
        case .ios:
            let traits = delivery.apple
            if let why = refusal(of: delivery, at: slot, context.request) {
                return drop(traits, why: why, slot, context)
            }
            if let why = dropRule(for: backgroundMistakes(in: delivery, context.request)) {
                return drop(traits, why: why, slot, context)
            }
            return send(OutgoingPush(traits: traits, key: .app), to: slot, context)
        case .web:
            if devices[slot].receiver != nil { return queue(delivery, slot, context) }
            let key = delivery.webTopic.map { StoredPush.Key.collapseKey(Array($0.utf8)) } ?? .pending(context.id)
            return send(OutgoingPush(traits: delivery.web, key: key), to: slot, context)
        case .android: break
        }
        if let package = delivery.restrictedPackage, package != devices.app(at: slot) {
            return drop(delivery.google, why: .otherPackage, slot, context)
        }
        let key: StoredPush.Key =
            if delivery.isNotification || delivery.isEmpty && isForMany {
                .collapseKey(Array(devices.app(at: slot).utf8))
            } else if let key = delivery.collapseKey {
                .collapseKey(Array(key.utf8))
            } else {
                .pending(context.id)
            }
        send(OutgoingPush(traits: delivery.google, key: key), to: slot, context)
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
