internal import APNs
internal import Devices
internal import FCM
internal import HTTPCore
internal import PushCore

/// Messages to topics and conditions, which Google accepts before Apple sees them (docs/evidence/fcm.md §3.3). Apple's
/// verdict is found once for each message, however many iPhones it goes to.
extension PushEngine {
    /// Checks the Apple part of a message to a topic or a condition, and adds findings about it.
    mutating func checkForMany(_ outcome: inout FCMDialect.Outcome, _ request: Request, at now: Timestamp) {
        guard var delivery = outcome.delivery, outcome.target?.single == nil,
            delivery.hasApplePart || request.body.count > Self.smallMessage
        else { return }
        let refusal = limitReach(of: &delivery, request)
        outcome.delivery = delivery
        let findings = APNsDialect.findings(
            inMessageWith: rendered(request.body, .fcm).applePayload, delivery.appleHeaders,
            isForLiveActivity: delivery.liveActivityToken != nil, &caches.apns, at: now)
        let known = Set(outcome.answer.findings.map(\.path))
        outcome.answer.findings += findings.filter { !known.contains($0.path) }
        if let refusal { outcome.answer.findings.append(refusal) }
    }

    /// Sets which iPhones get a message to a topic or a condition. Returns a finding if none do.
    @discardableResult mutating func limitReach(of delivery: inout FCMDelivery, _ request: Request) -> Finding? {
        guard delivery.hasApplePart || request.body.count > Self.smallMessage else { return nil }
        let headers = delivery.appleHeaders
        let activity = delivery.liveActivityToken
        let app = activity == nil ? headers["apns-topic"].flatMap(RelayedPush.app(inTopic:)) : nil
        let owner = owner(activity, app, at: delivery.sent)
        let push = RelayedPush(
            headers, token: activity.map { .liveActivity($0, isUnknown: false) } ?? .device, app: app ?? "",
            owner: owner,
            payload: (rendered(request.body, .fcm).applePayload, delivery.name.utf8.count + Self.fidLength))
        let verdict = dialects.relay.verdict(on: push, &caches.apns, at: delivery.sent)
        // Only the `strict` profile refuses with a `detail`. Apple accepts such a message, so it is delivered.
        if let refusal = verdict.refusal, refusal.detail == nil {
            delivery.reach = .none(why: refusal.rule)
            return Self.refusedByApple(
                "for every iPhone with \(refusal.reason.status) \(refusal.reason.word): \(refusal.sentence)",
                at: verdict.place)
        }
        if let app { delivery.reach = .app(app) }
        return nil
    }

    /// If a request's body is at most this long, and the message has no part for Apple, Apple does not refuse it: even
    /// with the keys that Google adds, the payload is within the limit of 4,096 bytes.
    private static let smallMessage = 3000

    /// The length of an installation's id.
    private static let fidLength = 22

    /// The owner of the token that Google sends to. For the token of a Live Activity, this is the activity's device.
    /// For other messages, the result is not one device: it stands for all iPhones with the app that the message names.
    /// Nil if the token is unknown or the message names no app. Each iPhone's own app is compared later, in
    /// `refusal(of:at:_:)`.
    private func owner(_ activity: String?, _ app: String?, at now: Timestamp) -> TokenBinding? {
        if activity != nil { return owner(activity, nil, "", at: now) }
        guard let app else { return nil }
        let environment = dialects.apns.policy.environment
        return TokenBinding(slot: 0, app: app, environment: environment, kind: .app, unregistered: nil)
    }

    /// A finding if Apple refuses a message for some of the iPhones that it goes to, because it names another app.
    func otherAppFinding(for delivery: FCMDelivery, to slots: [Int32], _ request: Request) -> Finding? {
        guard case .app(let app) = delivery.reach else { return nil }
        let other = slots.first { slot in
            devices.platform(at: Int(slot)) == .ios && isForOtherApp(app, Int(slot), request)
        }
        guard let other else { return nil }
        let reason = APNsReason.deviceTokenNotForTopic
        return Self.refusedByApple(
            "with \(reason.status) \(reason.word) for each iPhone whose app is not '\(app)', "
                + "such as '\(devices.id(at: Int(other)))'.", at: "/message/apns/headers/apns-topic")
    }

    /// Why Apple refuses a message to a topic or a condition for this iPhone; nil if it does not.
    func refusal(of delivery: FCMDelivery, at slot: Int, _ request: Request) -> RuleID? {
        switch delivery.reach {
        case .all: nil
        case .none(let why): why
        case .app(let app):
            isForOtherApp(app, slot, request) ? APNsReason.deviceTokenNotForTopic.rule : nil
        }
    }

    /// Whether an iPhone has a different app than this one. The app of a device that was made by a message without
    /// `apns-topic` is unknown, so such a device accepts every topic.
    private func isForOtherApp(_ app: String, _ slot: Int, _ request: Request) -> Bool {
        let own = devices.app(at: slot)
        return own != app && !(devices.isImplicit(at: slot) && own == SendPath.project(of: request))
    }

    private static func refusedByApple(_ how: String, at place: String) -> Finding {
        Finding("fcm.refused-by-apple", .warning, at: place, "Apple refuses this message \(how)")
    }
}
