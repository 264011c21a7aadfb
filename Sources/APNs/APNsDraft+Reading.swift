internal import HTTPCore
internal import PushCore

/// What a check asks. Each returns false where the push is to be refused.
extension APNsDraft {
    /// An absent field is always good.
    func accepts(_ place: Range<Int>?, _ block: Span<UInt8>, _ isGood: (Span<UInt8>) -> Bool) -> Bool {
        guard let place else { return true }
        return isGood(block.extracting(place))
    }

    mutating func readPriority(_ block: Span<UInt8>) -> Bool {
        guard let place = fields.priority else { return true }
        guard let found = APNsSyntax.priority(block.extracting(place)) else { return false }
        priority = found
        return true
    }

    /// One that is past is accepted (assumed).
    mutating func readExpiration(_ block: Span<UInt8>, at now: Timestamp, _ policy: APNsPolicy) -> Bool {
        guard let place = fields.expiration else { return true }
        expiration = APNsSyntax.seconds(block.extracting(place))
        guard let expiration else { return false }
        return expiration == 0 || !policy.choices.contains(.pastExpiration) || expiration > UInt64(max(0, now.seconds))
    }

    mutating func readPushType(_ block: Span<UInt8>) -> Bool {
        guard let place = fields.pushType else { return true }
        pushType = APNsPushType(block.extracting(place))
        return pushType != nil
    }

    /// A certificate for one topic stands for it where none is sent.
    mutating func readTopic(
        _ block: Span<UInt8>, _ certificate: ProviderCertificate?, _ memo: inout PushMemo
    ) -> Bool {
        if let place = fields.topic, !place.isEmpty {
            memo.readTopic(block.extracting(place))
            topic = memo.topic
            return true
        }
        guard let certificate, certificate.topics.count <= 1 else { return false }
        guard let only = certificate.topics.first ?? certificate.defaultTopic else { return false }
        topic = APNsTopic(Array(only.utf8).span)
        return true
    }

    /// An absent one is.
    func hasWellFormedTopic(_ block: Span<UInt8>, _ memo: inout PushMemo) -> Bool {
        guard let place = fields.topic else { return true }
        memo.readTopic(block.extracting(place))
        return memo.isWellFormed
    }

    /// By the certificate, or by a key that is for some topics alone.
    func isAllowed(_ session: APNsSession) -> Bool {
        guard let topic else { return true }
        // Location pushes are for token connections alone (§2.1, documented).
        if let certificate = session.certificate { return topic.kind != .location && certificate.allows(topic.whole) }
        return session.key?.topics?.contains(topic.app) ?? true
    }

    /// A push type and a topic's suffix that don't belong together.
    func conflictOfTypes(_ policy: APNsPolicy) -> APNsReason? {
        guard let pushType, let topic else { return nil }
        if let kind = topic.kind { return kind == pushType ? nil : .invalidPushType }
        if pushType.suffix.isEmpty { return nil }
        return policy.choices.contains(.plainTopic) ? .deviceTokenNotForTopic : pushType.reasonForPlainTopic
    }

    var isForToken: Bool {
        guard let binding, let topic else { return true }
        guard binding.app == topic.app else { return false }
        return switch binding.kind {
        case .app: topic.kind == nil
        case .liveActivity: topic.kind == .liveactivity
        case .any: true
        }
    }

    /// Why it is refused, by `strict` or by a choice; nil where it isn't.
    mutating func readPayload(_ body: [UInt8], _ memo: inout PushMemo, _ policy: APNsPolicy) -> APNsReason? {
        memo.readPayload(body, kind: kind, priority: priority)
        wakesApp = memo.check.wakesApp
        guard memo.check.hasFindings else { return nil }
        findings += memo.check.findings
        refused = policy.validation == .strict ? memo.check.refusal : nil
        if refused != nil { return .invalidPayload }
        let isJSON = memo.check.refusal?.rule != PayloadRule.notJSON.rule
        return isJSON || !policy.choices.contains(.notJSON) ? nil : .payloadEmpty
    }
}
