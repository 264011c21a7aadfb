internal import Devices
internal import HTTPCore
package import PushCore
package import Receivers

/// Web pushes: each push service decides, and the subscription's browser gets what is accepted, real or simulated.
extension PushEngine {
    /// The number for a web push that has come.
    package mutating func nextWebPush() -> PushID { nextRequestID() }

    /// - Parameter base: the gateway's URL, as the sender knows it.
    package mutating func send(_ push: WebPush, base: String) -> WebPushAnswer {
        do throws(WebPushRefusal) {
            let endpoint = endpoint(push.token, push.service)
            let terms = try push.service.check(push, endpoint, verifyWebPush)
            let id: String
            if let slot = slot(ofSubscription: push.token), let subscription = devices[slot].subscription {
                id = deliver(push, terms, subscription, slot)
            } else {
                record(push, status: 201)
                id = real.add(push, terms)
                applyReceiverNews(at: push.now)
            }
            return WebPushAnswer(response: push.service.acceptance(of: push, id: id, terms, base: base))
        } catch {
            record(push, status: error.response.status, error)
            return WebPushAnswer(error)
        }
    }

    /// What is known of an endpoint's token, whether the subscription is a real browser's or a simulated one's.
    private func endpoint(_ token: String, _ service: PushService) -> PushService.Endpoint {
        if let slot = slot(ofSubscription: token), let subscription = devices[slot].subscription {
            return devices[slot].isAppRemoved ? .ended : .open(key: subscription.senderKey)
        }
        return endedSubscriptions.contains(token) ? .ended : real.endpoint(token, service)
    }

    /// Delivers a push to a simulated browser, decrypted if its private key is known. Returns the service's id.
    private mutating func deliver(
        _ push: WebPush, _ terms: WebPushTerms, _ subscription: WebSubscription, _ slot: Int
    ) -> String {
        let id = real.newID(at: push.now)
        let traits = PushTraits(
            provider: .fcm, name: "/\(id)", sent: push.now, priority: push.isUrgent ? 10 : 5,
            expires: terms.lifetime == 0 ? nil : push.now + Int64(terms.lifetime) * 1000, onlyShowsNotification: false)
        do throws(SealedPush.Damage) {
            let request = try open(push, terms, subscription)
            record(push, status: 201, request: request)
            let key = terms.topic.map { StoredPush.Key.collapseKey(Array($0.utf8)) } ?? .pending(push.id)
            send(
                OutgoingPush(traits: traits, key: key), to: slot, PushContext(request, id: push.id, at: push.now))
        } catch {
            let sentence = "A browser can't decrypt this push: \(error.sentence)."
            let finding = Finding("browser.unreadable", .warning, at: "", sentence)
            record(push, status: 201, finding: finding)
            drop(traits, why: .browserUnreadable, slot, PushContext(push.request, id: push.id, at: push.now))
        }
        return id
    }

    private func open(
        _ push: WebPush, _ terms: WebPushTerms, _ subscription: WebSubscription
    ) throws(SealedPush.Damage) -> Request {
        if push.request.body.isEmpty || subscription.privateKey.isEmpty { return push.request }
        return push.request.opened(try openWebPush(try SealedPush(push, terms.encoding), subscription))
    }

    mutating func record(
        _ push: WebPush, status: Int, _ refusal: WebPushRefusal? = nil, request: Request? = nil, finding: Finding? = nil
    ) {
        let device = slot(ofSubscription: push.token)
        if refusal == nil { metrics.accepted += 1 } else { metrics.refused += 1 }
        let refused = refusal.map { Finding($0.rule.id.description, .error, at: "", $0.rule.meaning) }
        let verdict = RecordedVerdict(
            kind: refusal == nil ? .accepted : .refused, provider: .webpush,
            app: device.map { devices.app(at: $0) } ?? "", device: device.map { devices.id(at: $0) }, status: status,
            reason: refusal?.reason, why: refusal?.rule.id, findings: [refused, finding].compactMap(\.self))
        record(verdict, PushContext(request ?? push.request, id: push.id, at: push.now))
    }

    /// Gives a new simulated browser its subscription.
    mutating func subscribe(_ slot: Int, _ spec: WebSubscriptionSpec?) {
        guard devices[slot].platform == .web, let made = makeWebPushKeys() else { return }
        let subscription = WebSubscription(spec ?? WebSubscriptionSpec(), token: real.newToken(), made: made)
        devices.setSubscription(subscription, slot)
        subscribers[subscription.token] = devices.id(at: slot)
    }

    /// The senders of a simulated browser's subscription are told from now on that it is gone.
    mutating func unsubscribe(_ subscription: WebSubscription?) {
        guard let token = subscription?.token else { return }
        subscribers[token] = nil
        if endedSubscriptions.count < Self.mostEndedSubscriptions { endedSubscriptions.insert(token) }
    }

    private static let mostEndedSubscriptions = 10_000
}
