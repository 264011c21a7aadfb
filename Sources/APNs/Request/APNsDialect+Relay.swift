internal import HTTPCore
internal import JSON
package import PushCore

/// Pushes that reach Apple through Google. Apple checks them like those of any other provider.
extension APNsDialect {
    /// The checks that depend on the push alone, and not on how Google connects to Apple. The payload's rules are
    /// applied by `verdict(on:)`.
    static func relayedChecks(_ checks: [APNsCheck]) -> [APNsCheck] {
        let others: Set<APNsCheck> = [
            .method, .path, .providerToken, .missingToken, .repeatedFields, .allowedTopic, .payload,
        ]
        return checks.filter { !others.contains($0) }
    }

    /// Decides about a push that Google sends. Only valid for a dialect with `relayedChecks`.
    ///
    /// - Parameter memo: the results for the previous payload and topic.
    package func verdict(on push: RelayedPush, _ memo: inout PushCheckCache, at now: Timestamp) -> RelayVerdict {
        let headers = Self.headers(of: push)
        var request = Request(version: .http2, headers: headers)
        request.body = push.payload
        let path = headers.range(of: .path) ?? 0..<0
        request.bodyIsOverLimit = push.payload.count + push.addedLength > Self.bodyLimit(headers, path)
        let environment = push.owner?.environment ?? .production
        let context = PushContext(request, in: environment, at: now)
        var draft = APNsDraft(headers, in: environment)
        draft.binding = Self.owner(of: push)
        var session = APNsSession(environment: environment)
        let refusal =
            refusal(of: context, &draft, &session, &memo) ?? (push.isUnknownActivity ? Self.unknownActivity : nil)
        if let refusal {
            let findings = draft.findings.filter { $0.rule != refusal.rule }.compactMap(Self.inMessage)
            return RelayVerdict(refusal: refusal, at: push.place(of: refusal.reason), findings: findings)
        }
        memo.readPayload(push.payload, kind: draft.kind, priority: draft.priority)
        let findings = (draft.findings + Self.findings(of: memo, push.headers)).compactMap(Self.inMessage)
        let refused = policy.validation == .strict ? findings.first { $0.severity == .error } : nil
        return RelayVerdict(
            refusal: refused.map { APNsRefusal(reason: .invalidPayload, detail: $0) }, at: refused?.path,
            findings: findings)
    }

    /// The device that the token belongs to, adjusted for the topic checks. If the message has no `apns-topic`, Google
    /// chooses the topic: the app that the token was registered for. The topic checks must not fail then. Therefore the
    /// binding gets the app of that topic and, except for a Live Activity, accepts all topics of the app.
    private static func owner(of push: RelayedPush) -> TokenBinding? {
        guard let owner = push.owner, push.headers["apns-topic"] == nil else { return push.owner }
        let app = push.isForLiveActivity ? push.app : APNsTopic(push.app.utf8Span.span).app
        return TokenBinding(
            slot: owner.slot, app: app, environment: owner.environment,
            kind: push.isForLiveActivity ? owner.kind : .any, unregistered: owner.unregistered)
    }

    private static let unknownActivity = APNsRefusal(
        reason: .badDeviceToken, cause: "the device has no Live Activity with this token")

    /// The findings for the push that Google would send to Apple for a message. Used if the answer does not depend on
    /// Apple: the message is only checked, or Google answers it before Apple sees it.
    ///
    /// - Parameter headers: the fields of `apns.headers`, by name in lower case.
    package static func findings(
        inMessageWith payload: [UInt8], _ headers: [String: String], isForLiveActivity: Bool,
        _ memo: inout PushCheckCache, at now: Timestamp
    ) -> [Finding] {
        var findings: [Finding] = []
        if let seconds = headers["apns-expiration"].flatMap(UInt64.init),
            let mistake = ExpirationMistake(seconds, at: now)
        {
            findings.append(mistake.finding(seconds))
        }
        readPayload(payload, headers, isForLiveActivity: isForLiveActivity, &memo)
        return (findings + self.findings(of: memo, headers)).compactMap(inMessage)
    }

    /// If the message sets no priority, there is no finding about the priority 10 that Google sends (see
    /// `backgroundMistakes`).
    private static func findings(of memo: PushCheckCache, _ headers: [String: String]) -> [Finding] {
        headers["apns-priority"] != nil
            ? memo.check.findings
            : memo.check.findings.filter { $0.rule != PayloadRule.backgroundPriority.rule }
    }

    /// Why Apple may drop the push that Google sends for a message. Only the fields that the sender has set count
    /// (assumed): the priority 10 that Google adds is not a mistake.
    package static func backgroundMistakes(
        inMessageWith payload: [UInt8], _ headers: [String: String], _ memo: inout PushCheckCache
    ) -> BackgroundMistakes {
        readPayload(payload, headers, isForLiveActivity: false, &memo)
        var mistakes = memo.check.backgroundMistakes
        if headers["apns-priority"] == nil { mistakes.remove(.priority) }
        return mistakes
    }

    private static func readPayload(
        _ payload: [UInt8], _ headers: [String: String], isForLiveActivity: Bool, _ memo: inout PushCheckCache
    ) {
        let kind = isForLiveActivity ? .liveactivity : headers["apns-push-type"].flatMap(APNsPushType.init)
        memo.readPayload(payload, kind: kind, priority: headers["apns-priority"].flatMap(Int.init) ?? 10)
    }

    private static func headers(of push: RelayedPush) -> HeaderBlock {
        var headers = HeaderBlock([.path: "/3/device/\(push.token)"])
        for field in relayedFields {
            if let value = push.headers[field.text] {
                headers.append(field.name, value)
            } else if field.field == .topic {
                headers.append(field.name, push.app + (push.isForLiveActivity ? APNsPushType.liveactivity.suffix : ""))
            } else if field.field == .pushType, push.isForLiveActivity {
                headers.append(field.name, APNsPushType.liveactivity.rawValue)
            }
        }
        return headers
    }

    private static let relayedFields = [APNsField.topic, .id, .pushType, .expiration, .priority, .collapseID]
        .map { (field: $0, name: $0.name, text: String(decoding: $0.name.bytes, as: UTF8.self)) }

    /// The finding with its path in the FCM message. Nil for the rules about media and 'mutable-content',
    /// which were already applied to the message itself, and for findings about keys outside `aps`.
    private static func inMessage(_ finding: Finding) -> Finding? {
        let rule = finding.rule.description
        guard !rule.hasPrefix("media."), rule != PayloadRule.mutableContent.rule.description else { return nil }
        if finding.path.hasPrefix("headers/") { return finding.moved(to: "/message/apns/\(finding.path)") }
        guard finding.path.hasPrefix("/aps") else { return nil }
        return finding.moved(to: "/message/apns/payload\(finding.path)")
    }
}
