package import APNs
internal import Devices
package import Faults
package import HTTPCore
package import PushCore

/// Deciding on pushes over APNs.
extension PushEngine {
    /// The decision on a push.
    package struct Decision {
        package var response: Response
        package var refusal: APNsRefusal?
        package var findings: [Finding] = []
        /// The fault that replaces the answer or adds to it.
        package var fault: Fault?
    }

    /// Decides on a push or broadcast, and applies the decision.
    ///
    /// - Parameters:
    ///   - context: the push. `decide` sets its id and environment.
    ///   - isSandbox: whether the request names a host of Apple's sandbox.
    ///   - connection: the memory of the request's connection.
    package mutating func decide(
        _ context: inout PushContext, isSandbox: Bool, _ connection: inout ConnectionMemory
    ) -> Decision {
        context.id = nextRequestID()
        context.environment = isSandbox ? .sandbox : connection.session.environment
        var draft = APNsDraft(context.request.headers, in: context.environment)
        if !draft.hasPath, BroadcastDialect.handles(context.request) { return broadcast(context, &connection) }
        if let token = draft.device { draft.binding = binding(of: token, at: context.now) }
        let refusal = dialects.apns.refusal(of: context, &draft, &connection.session, &caches.apns)
        if connection.session.hasNewToken { noteToken(of: &connection.session) }
        guard hasFaults(connection.faults),
            let fault = fault(for: context.request, draft, refusal, &connection.faults, at: context.now)
        else {
            if let refusal { allowNewTokenIfExpired(reason: refusal.reason.word, connection.session) }
            return commit(refusal, draft, nil, context)
        }
        allowNewTokenIfExpired(reason: fault.plan.answer?.reasonForAPNs ?? refusal?.reason.word, connection.session)
        let app = draft.app(context.request.headers)
        if fault.plan.overrides { return override(fault, app, answerHeaders(draft, context), context) }
        return applyingFault(fault, commit(refusal, draft, fault.plan, context), app, context)
    }

    package func binding(of token: DeviceToken, at now: Timestamp) -> TokenBinding? {
        devices.binding(of: token, at: now, unregisterRule)
    }

    /// Applies the decision on a push to a device.
    private mutating func commit(
        _ refusal: APNsRefusal?, _ draft: APNsDraft, _ plan: FaultPlan?, _ context: borrowing PushContext
    ) -> Decision {
        if let refusal { return refuse(refusal, draft, plan, context) }
        guard let slot = draft.slot ?? makeImplicitDevice(draft, at: context.now) else {
            return refuse(Self.noRoomForDevices, draft, plan, context)
        }
        let traits = draft.traits(context.request.headers, at: context.now)
        let outcome = devices.outcome(of: traits, at: slot, context.now)
        let (kind, drop) = (outcome.kind, dropRule(for: draft.backgroundMistakes))
        guard kind != .stored || drop != nil || hasRoomForWaiting(at: context.now) else {
            return refuse(Self.noRoomForPushes, draft, plan, context)
        }
        metrics.accepted += 1
        let headers = answerHeaders(draft, context)
        let seen = plan?.visibleAnswer((200, nil), .apns, on: context.request.stream)
        let verdict = RecordedVerdict(
            kind: .accepted, app: draft.app, device: devices.id(at: slot), status: seen?.status ?? 200,
            reason: seen?.reason, why: TransitOutcome.received.rule, findings: draft.findings)
        record(verdict, context)
        if let drop {
            self.drop(traits, why: drop, slot, context)
            return Decision(response: Response(status: 200, headers: headers), findings: draft.findings)
        }
        if outcome == .discardedUnregistered { devices.countLostPush(slot) }
        // A fault may deliver a push several times, but only one copy of it can wait.
        let times = kind == .delivered ? plan?.deliveries ?? 1 : min(plan?.deliveries ?? 1, 1)
        if let plan, plan.deliveryDelay > 0 {
            scheduleFanOut(.push(traits), to: [Int32(slot)], times: times, after: plan.deliveryDelay, context)
        } else {
            let outgoing = OutgoingPush(traits: traits, key: StoredPush.Key(for: traits))
            for _ in 0..<times { applyOutcome(outcome, of: outgoing, at: slot, context) }
        }
        return Decision(response: Response(status: 200, headers: headers), findings: draft.findings)
    }

    /// Why Apple drops a push that it accepts; nil if it delivers or stores it.
    func dropRule(for mistakes: BackgroundMistakes) -> DropRule? {
        if mistakes.isEmpty { return nil }
        let policy = dialects.apns.policy
        if mistakes.contains(.priority), policy.backgroundPriority != .accept { return .backgroundPriority }
        return mistakes.contains(.pushType) && !policy.choices.contains(.wrongPushType) ? .wrongPushType : nil
    }

    private mutating func refuse(
        _ refusal: APNsRefusal, _ draft: APNsDraft, _ plan: FaultPlan?, _ context: borrowing PushContext
    ) -> Decision {
        metrics.refused += 1
        var findings = draft.findings
        if let cause = Finding.cause(refusal.cause, of: refusal.rule, at: refusal.place, besides: findings) {
            findings.append(cause)
        }
        let headers = answerHeaders(draft, context)
        let real = (status: refusal.reason.status, reason: Optional(refusal.reason.word))
        let seen = plan?.visibleAnswer(real, .apns, on: context.request.stream) ?? real
        let verdict = RecordedVerdict(
            kind: .refused, app: draft.app(context.request.headers), status: seen.status, reason: seen.reason,
            why: refusal.rule, findings: findings)
        record(verdict, context)
        return Decision(response: dialects.apns.answer(refusal, headers: headers), refusal: refusal, findings: findings)
    }

    private mutating func makeImplicitDevice(_ draft: APNsDraft, at now: Timestamp) -> Int? {
        guard let token = draft.device, makeRoomForImplicitDevice(at: now) else { return nil }
        let slot = devices.makeImplicitDevice(apnsToken: token, app: draft.app, environment: draft.environment)
        noteCreation(of: slot, at: now)
        return slot
    }

    /// Decides on a broadcast or a call about channels.
    private mutating func broadcast(
        _ context: borrowing PushContext, _ connection: inout ConnectionMemory
    ) -> Decision {
        // If a fault overrides the verdict, no channel changes.
        let before = hasFaults(connection.faults) ? channels : nil
        let outcome = dialects.broadcasts.decide(
            context, &connection.session, &channels, idGenerator, using: &random)
        if connection.session.hasNewToken { noteToken(of: &connection.session) }
        let fault = hasFaults(connection.faults) ? fault(for: outcome, &connection.faults, context) : nil
        allowNewTokenIfExpired(
            reason: fault?.plan.answer?.reasonForAPNs ?? outcome.refusal?.reason.word, connection.session)
        if let fault, fault.plan.overrides {
            if let before { channels = before }
            return override(fault, outcome.app, outcome.ids, context)
        }
        if let channel = outcome.changedChannel { changes.note(.channel, channel.text) }
        let real = (status: outcome.refusal?.reason.status ?? 200, reason: outcome.refusal?.reason.word)
        let seen = fault?.plan.visibleAnswer(real, .apns, on: context.request.stream) ?? real
        var decision = Decision(response: outcome.response, refusal: outcome.refusal, findings: outcome.findings)
        if let refusal = outcome.refusal {
            metrics.refused += 1
            if let cause = Finding.cause(
                refusal.cause, of: refusal.rule, at: refusal.place, besides: decision.findings)
            {
                decision.findings.append(cause)
            }
            let verdict = RecordedVerdict(
                kind: .refused, app: outcome.app, status: seen.status, reason: seen.reason, why: refusal.rule,
                findings: decision.findings)
            record(verdict, context)
        } else if let broadcast = outcome.broadcast {
            metrics.accepted += 1
            let verdict = RecordedVerdict(
                kind: .accepted, app: outcome.app, status: seen.status, reason: seen.reason,
                why: TransitOutcome.received.rule, findings: outcome.findings)
            record(verdict, context)
            let slots = broadcast.subscribers.compactMap { devices.slot(of: $0).map(Int32.init) }
            scheduleFanOut(
                .broadcast(broadcast), to: slots, times: min(fault?.plan.deliveries ?? 1, 2),
                after: fault?.plan.deliveryDelay ?? 0, context)
        }
        if let fault { decision = applyingFault(fault, decision, outcome.app, context) }
        return decision
    }

    /// The headers of an answer that is sent before the request is complete.
    ///
    /// - Parameter id: the id of the push; nil if it is not recorded.
    package mutating func answerHeaders(
        to request: Request, _ id: PushID? = nil, in environment: PushEnvironment
    ) -> HeaderBlock {
        dialects.apns.answerHeaders(
            suppliedID: request.headers.first(.apnsID), id ?? nextRequestID(), in: environment, idGenerator)
    }

    private func answerHeaders(_ draft: APNsDraft, _ context: borrowing PushContext) -> HeaderBlock {
        let suppliedID = draft.suppliedID.map { context.request.headers.storage[$0] }
        return dialects.apns.answerHeaders(suppliedID: suppliedID, context.id, in: draft.environment, idGenerator)
    }

    private static let noRoomForDevices = APNsRefusal(
        reason: .serviceUnavailable, cause: "the gateway has reached its limit of devices, and cannot remove one")
    private static let noRoomForPushes = APNsRefusal(
        reason: .serviceUnavailable,
        cause: "too many pushes wait for devices that are offline; bring some of them online")
}
