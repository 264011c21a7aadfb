internal import Devices
package import Faults
internal import HTTPCore
package import PushCore
package import Receivers

/// Web pushes: the push service decides. The subscription's browser, real or simulated, gets what is accepted.
extension PushEngine {
    /// The number for a web push that has arrived.
    package mutating func nextWebPush() -> PushID { nextRequestID() }

    /// Decides on a web push, and applies the decision.
    ///
    /// - Parameter base: the gateway's URL, as the sender knows it.
    package mutating func send(
        _ push: WebPush, base: String, _ memory: inout FaultMemory
    ) -> (answer: WebPushAnswer, fault: Fault?) {
        let verdict = check(push)
        guard hasFaults(memory),
            let fault = faults.firstFault(hitting: candidate(push, verdict), &memory, at: push.now)
        else { return (commit(push, verdict, nil, base: base), nil) }
        let app = app(of: push)
        var answer: WebPushAnswer
        if fault.plan.overrides {
            recordOverride(fault, .webpush, app, PushContext(push.request, id: push.id, at: push.now))
            answer = WebPushAnswer(response: Response(status: 500))
        } else {
            answer = commit(push, verdict, fault.plan, base: base)
        }
        if let given = fault.plan.answer { answer.response = given.response(of: push.service, at: push.now) }
        note(fault, app, push: push.id, at: push.now)
        return (answer, fault)
    }

    private func check(_ push: WebPush) -> Result<WebPushTerms, WebPushRefusal> {
        do throws(WebPushRefusal) {
            return .success(try push.service.check(push, endpoint(push.token, push.service), verifyWebPush))
        } catch { return .failure(error) }
    }

    private func app(of push: WebPush) -> String { slot(ofSubscription: push.token).map { devices.app(at: $0) } ?? "" }

    private func candidate(_ push: WebPush, _ verdict: Result<WebPushTerms, WebPushRefusal>) -> FaultMatch.Candidate {
        var (topic, reason): (String?, String?) = (nil, nil)
        switch verdict {
        case .success(let terms): topic = terms.topic
        case .failure(let refusal): reason = refusal.reason
        }
        return FaultMatch.Candidate(
            provider: .webpush, app: app(of: push),
            project: app(of: push).hostOfOrigin, token: push.token, topic: topic,
            request: push.request,
            reason: reason)
    }

    private mutating func commit(
        _ push: WebPush, _ verdict: Result<WebPushTerms, WebPushRefusal>, _ plan: FaultPlan?, base: String
    ) -> WebPushAnswer {
        switch verdict {
        case .failure(let refusal):
            record(push, WebPushRecord(refusal: refusal), plan)
            return WebPushAnswer(refusal)
        case .success(let terms):
            let id = accept(push, terms, plan)
            return WebPushAnswer(response: push.service.acceptance(of: push, id: id, terms, base: base))
        }
    }

    /// What is known of an endpoint's token, whether the subscription is a real browser's or a simulated one's.
    private func endpoint(_ token: String, _ service: PushService) -> PushService.Endpoint {
        if let slot = slot(ofSubscription: token), let subscription = devices[slot].subscription {
            return devices[slot].isAppRemoved ? .ended : .open(key: subscription.senderKey)
        }
        return realReceivers.endpoint(token, service)
    }

    /// Records a push that was accepted, and delivers it as often and as late as a fault says. Returns the service's id.
    private mutating func accept(_ push: WebPush, _ terms: WebPushTerms, _ plan: FaultPlan?) -> String {
        guard let slot = slot(ofSubscription: push.token) else {
            // There was no room for a device, but the browser has a subscription.
            record(push, WebPushRecord(), plan)
            return realReceivers.add(push, terms)
        }
        var request = push.request
        if let subscription = devices[slot].subscription {
            do throws(SealedPush.Damage) { request = try open(push, terms, subscription) } catch {
                let sentence = "A browser can't decrypt this push: \(error.sentence)."
                record(
                    push, WebPushRecord(finding: Finding("browser.unreadable", .warning, at: "", sentence)), plan)
                drop(
                    traits(of: push, terms), why: .browserUnreadable, slot,
                    PushContext(push.request, id: push.id, at: push.now))
                return realReceivers.newID(at: push.now)
            }
        }
        record(push, WebPushRecord(request: request), plan)
        let context = PushContext(request, id: push.id, at: push.now)
        if plan?.disconnects == true { realReceivers.cut(push.token) }
        let (times, delay) = (plan?.deliveries ?? 1, plan?.deliveryDelay ?? 0)
        if delay > 0 { scheduleFanOut(.webPush, to: [Int32(slot)], times: times, after: delay, context) }
        var id: String?
        for _ in 0..<(delay > 0 ? 0 : times) { id = deliver(push, terms, to: slot, context) }
        return id ?? realReceivers.newID(at: push.now)
    }

    /// Delivers a push that a fault has held back.
    mutating func deliverWebPush(to slot: Int, _ context: borrowing PushContext) {
        guard let push = WebPush(context.request, context.id, at: context.now) else { return }
        _ = deliver(push, push.service.terms(of: push), to: slot, context)
    }

    /// Hands a push to its real receiver, or sends it to a simulated browser. Returns the service's id.
    private mutating func deliver(
        _ push: WebPush, _ terms: WebPushTerms, to slot: Int, _ context: borrowing PushContext
    ) -> String {
        guard devices[slot].receiver == nil else {
            defer { applyReceiverNews(at: push.now) }
            return realReceivers.add(push, terms)
        }
        let key = terms.topic.map { StoredPush.Key.collapseKey(Array($0.utf8)) } ?? .pending(push.id)
        send(OutgoingPush(traits: traits(of: push, terms), key: key), to: slot, context)
        return realReceivers.newID(at: push.now)
    }

    private func traits(of push: WebPush, _ terms: WebPushTerms) -> PushTraits {
        PushTraits(
            provider: .fcm, name: "/\(push.id)", sent: push.now, priority: push.isUrgent ? 10 : 5,
            expires: terms.lifetime == 0 ? nil : push.now + Int64(terms.lifetime) * 1000, onlyShowsNotification: false)
    }

    private func open(
        _ push: WebPush, _ terms: WebPushTerms, _ subscription: WebSubscription
    ) throws(SealedPush.Damage) -> Request {
        if push.request.body.isEmpty || subscription.privateKey.isEmpty { return push.request }
        return push.request.opened(try openWebPush(try SealedPush(push, terms.encoding), subscription))
    }

    /// What the log keeps of a decision, besides the push.
    struct WebPushRecord {
        var refusal: WebPushRefusal?
        /// The request with the decrypted body; nil if it is kept as it came.
        var request: Request?
        var finding: Finding?
    }

    mutating func record(_ push: WebPush, _ outcome: WebPushRecord, _ plan: FaultPlan? = nil) {
        let (device, refusal) = (slot(ofSubscription: push.token), outcome.refusal)
        let real = (status: refusal?.response.status ?? 201, reason: refusal?.reason)
        let seen = plan?.visibleAnswer(real, .webpush, on: push.request.stream) ?? real
        if refusal == nil { metrics.accepted += 1 } else { metrics.refused += 1 }
        let refused = refusal.map { Finding($0.rule.id.description, .error, at: "", $0.rule.meaning) }
        let verdict = RecordedVerdict(
            kind: refusal == nil ? .accepted : .refused, provider: .webpush, app: app(of: push),
            device: device.map { devices.id(at: $0) }, status: seen.status, reason: seen.reason,
            why: refusal?.rule.id, findings: [refused, outcome.finding].compactMap(\.self))
        record(verdict, PushContext(outcome.request ?? push.request, id: push.id, at: push.now))
    }

    /// Gives a new simulated browser its subscription.
    mutating func subscribe(_ slot: Int, _ spec: WebSubscriptionSpec?) {
        guard devices[slot].platform == .web, let made = makeWebPushKeys() else { return }
        let subscription = WebSubscription(spec ?? WebSubscriptionSpec(), token: realReceivers.newToken(), made: made)
        devices.setSubscription(subscription, slot)
        subscribers[subscription.token] = devices.id(at: slot)
    }

    /// The senders of a simulated browser's subscription are told from now on that it is gone.
    mutating func unsubscribe(_ subscription: WebSubscription?) {
        guard let token = subscription?.token else { return }
        subscribers[token] = nil
        realReceivers.noteEnd(of: token)
    }
}
