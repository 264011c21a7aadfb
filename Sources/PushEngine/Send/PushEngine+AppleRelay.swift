internal import APNs
internal import Devices
internal import FCM
internal import HTTPCore
internal import PushCore

/// Messages to iPhones, which Google sends on to Apple.
extension PushEngine {
    /// Refuses an accepted message to one iPhone if Apple would refuse the push that Google sends for it
    /// (docs/evidence/fcm.md §3.3). A message to a topic or a condition is answered before it reaches Apple, so it only
    /// gets findings.
    ///
    /// - Returns: the JSON pointer of the value for which the message is refused; nil if it is not.
    @discardableResult mutating func checkWithApple(
        _ outcome: inout FCMDialect.Outcome, _ request: Request, _ project: String, at now: Timestamp
    ) -> String? {
        // The usual case first: no part of the message goes to Apple.
        if let registration = outcome.registration, registration.platform != .apple { return nil }
        guard let delivery = outcome.deliveryToOneIPhone, let target = outcome.target?.single else {
            checkForMany(&outcome, request, at: now)
            return nil
        }
        let slot = outcome.registration?.slot
        let rendered = rendered(request.body, .fcm)
        let fid = slot.map { devices.fid(at: $0).utf8.count } ?? target.utf8.prefix { $0 != UInt8(ascii: ":") }.count
        let activity = delivery.liveActivityToken
        let owner = owner(activity, slot, project, at: now)
        // If the device was created for a message, the gateway does not know its Live Activities, so any token is
        // accepted.
        let isUnknown = owner == nil && slot.map { !devices.isImplicit(at: $0) } ?? false
        let push = RelayedPush(
            delivery.appleHeaders, token: activity.map { .liveActivity($0, isUnknown: isUnknown) } ?? .device,
            app: slot.map { devices.app(at: $0) } ?? "", owner: owner,
            payload: (rendered.applePayload, addedLength: delivery.name.utf8.count + fid))
        let verdict = dialects.relay.verdict(on: push, &caches.apns, at: now)
        rendered.appleDocument = caches.apns.document(of: rendered.applePayload)
        let known = Set(outcome.answer.findings.map(\.path))
        outcome.answer.findings += verdict.findings.filter { !known.contains($0.path) }
        guard let refusal = verdict.refusal else { return nil }
        outcome.refuse(
            FCMDialect.AppleRefusal(
                status: refusal.reason.status, reason: refusal.reason.word, rule: refusal.rule,
                sentence: refusal.sentence, field: refusal.detail?.path),
            to: request)
        return verdict.place
    }

    /// Why Apple may drop the push that Google sends for a message.
    mutating func backgroundMistakes(in delivery: FCMDelivery, _ request: Request) -> BackgroundMistakes {
        let headers = delivery.appleHeaders
        guard headers["apns-push-type"] != nil || headers["apns-priority"] != nil else { return [] }
        let rendered = rendered(request.body, .fcm)
        return APNsDialect.backgroundMistakes(inMessageWith: rendered.applePayload, headers, &caches.apns)
    }

    /// The owner of the token that Google sends to. Nil if the token or the device is unknown, or if the device was
    /// created for a message that did not name an app.
    func owner(_ activity: String?, _ slot: Int?, _ project: String, at now: Timestamp) -> TokenBinding? {
        if let activity { return DeviceToken(hex: activity.utf8Span.span).flatMap { binding(of: $0, at: now) } }
        guard let slot, !devices.isImplicit(at: slot) || devices.app(at: slot) != project else { return nil }
        return TokenBinding(
            slot: slot, app: devices.app(at: slot), environment: devices.environment(at: slot), kind: .app,
            unregistered: nil)
    }
}
