internal import HTTPCore
internal import PushCore

/// The parts of the checks that read the request. A method that returns a Boolean returns false if the push has to be
/// refused.
extension APNsDraft {
    /// True if the field is absent, or if its value is valid.
    func accepts(_ place: Range<Int>?, _ block: Span<UInt8>, _ isValid: (Span<UInt8>) -> Bool) -> Bool {
        guard let place else { return true }
        return isValid(block.extracting(place))
    }

    mutating func readPriority(_ block: Span<UInt8>) -> Bool {
        guard let place = fields[.priority] else { return true }
        guard let found = APNsSyntax.priority(block.extracting(place)) else { return false }
        priority = found
        return true
    }

    /// An expiration in the past is accepted (assumed), unless `APNsChoice.pastExpiration` is set.
    mutating func readExpiration(_ block: Span<UInt8>, at now: Timestamp, _ policy: APNsPolicy) -> Bool {
        guard let place = fields[.expiration] else { return true }
        expiration = APNsSyntax.seconds(block.extracting(place))
        guard let expiration else { return false }
        if let mistake = ExpirationMistake(expiration, at: now) { findings.append(mistake.finding(expiration)) }
        return expiration == 0 || !policy.choices.contains(.pastExpiration) || expiration > UInt64(max(0, now.seconds))
    }

    mutating func readPushType(_ block: Span<UInt8>) -> Bool {
        guard let place = fields[.pushType] else { return true }
        pushType = APNsPushType(block.extracting(place))
        return pushType != nil
    }

    /// Without `apns-topic`, or if it is empty, the certificate supplies the topic, unless it lists several.
    mutating func readTopic(
        _ block: Span<UInt8>, _ certificate: ProviderCertificate?, _ memo: inout PushCheckCache
    ) -> Bool {
        if let place = fields[.topic], !place.isEmpty {
            memo.readTopic(block.extracting(place))
            topic = memo.topic
            return true
        }
        guard let certificate, certificate.topics.count <= 1 else { return false }
        guard let only = certificate.topics.first ?? certificate.defaultTopic else { return false }
        topic = APNsTopic(Array(only.utf8).span)
        return true
    }

    /// True if `apns-topic` is absent or well formed.
    func hasWellFormedTopic(_ block: Span<UInt8>, _ memo: inout PushCheckCache) -> Bool {
        guard let place = fields[.topic] else { return true }
        memo.readTopic(block.extracting(place))
        return memo.isWellFormed
    }

    /// Whether the certificate, or a key that is limited to some topics, allows this topic.
    func isAllowed(_ session: APNsSession) -> Bool {
        guard let topic else { return true }
        // Location pushes are only allowed with provider tokens (docs/evidence/apns.md §2.1, documented).
        if let certificate = session.certificate {
            return topic.kind != .location && certificate.allows(topic.fullName)
        }
        return session.key?.topics?.contains(topic.app) ?? true
    }

    /// The reason to refuse a push type that does not match the topic's suffix; nil if they match.
    func pushTypeConflict(_ policy: APNsPolicy) -> APNsReason? {
        guard let pushType, let topic else { return nil }
        if let kind = topic.kind { return kind == pushType ? nil : .invalidPushType }
        if pushType.suffix.isEmpty { return nil }
        return policy.choices.contains(.plainTopic) ? .deviceTokenNotForTopic : pushType.reasonForPlainTopic
    }

    var topicMatchesToken: Bool {
        guard let binding, let topic else { return true }
        guard binding.app == topic.app else { return false }
        return switch binding.kind {
        case .app: topic.kind == nil
        case .liveActivity: topic.kind == .liveactivity
        case .other(let kind): topic.kind?.tokenKind == kind
        case .any: true
        }
    }

    /// Checks the payload. Returns the reason if `strict` validation or `APNsChoice.notJSON` refuses it, and nil
    /// otherwise.
    mutating func readPayload(_ body: [UInt8], _ memo: inout PushCheckCache, _ policy: APNsPolicy) -> APNsReason? {
        memo.readPayload(body, kind: kind, priority: priority)
        wakesApp = memo.check.wakesApp
        backgroundMistakes = memo.check.backgroundMistakes
        guard memo.check.hasFindings else { return nil }
        findings += memo.check.findings
        refusedFinding = policy.validation == .strict ? memo.check.refusal : nil
        if refusedFinding != nil { return .invalidPayload }
        let isJSON = memo.check.refusal?.rule != PayloadRule.notJSON.rule
        return isJSON || !policy.choices.contains(.notJSON) ? nil : .payloadEmpty
    }
}
