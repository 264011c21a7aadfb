internal import HTTPCore
internal import PushCore

/// What exactly was wrong with a push, for reasons that have several possible causes. Runs only for refused pushes.
extension APNsCheck {
    /// What was wrong, for the log and the journal; nil if the meaning of the reason says it.
    func finding(
        for reason: APNsReason, _ push: borrowing PushContext, _ draft: APNsDraft, _ session: APNsSession
    ) -> Finding? {
        let topic = draft.topic?.fullName ?? ""
        let (text, path): (String?, String) =
            switch self {
            case .deviceToken:
                (Self.syntaxCause(push.request.headers.storage.span.extracting(draft.digits)), "headers/:path")
            case .registration: (Self.registrationCause(draft), "headers/:path")
            case .allowedTopic: (Self.topicsCause(topic, draft.topic?.kind, session), "headers/apns-topic")
            case .pushTypeForTopic: (draft.pushType.flatMap { Self.conflict($0, draft.topic) }, "headers/apns-topic")
            case .topicForToken:
                (
                    draft.binding.map {
                        "The device token is for the topic \($0.topic), but the push has the topic \(topic)."
                    }, "headers/apns-topic"
                )
            case .payloadSize: (Self.sizeCause(push.request.headers), "")
            default: Self.fieldCause(self, push, draft) ?? (nil, "")
            }
        return text.map { Finding(reason.rule.description, .error, at: path, $0) }
    }

    /// Nil if the request does not say how long its body is: the rest of a longer body is not read.
    private static func sizeCause(_ headers: HeaderBlock) -> String? {
        headers.range(of: .contentLength).map { range in
            let size = headers.storage.span.extracting(range).text
            return "The body has \(size) bytes, but at most 4,096 are allowed, or 5,120 for voip pushes."
        }
    }

    /// Nil for a magic token, which is refused whatever it looks like.
    private static func syntaxCause(_ digits: Span<UInt8>) -> String? {
        if MagicToken.reason(digits) != nil { return nil }
        let count = digits.count
        let isHex = digits.text.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 | 0x20 }
        if isHex, DeviceToken.digits ~= count {
            return "The device token has \(count) hex digits, but their number must be even."
        }
        return "The device token is not 64 to 200 hex digits: it has \(count) characters"
            + (isHex ? "." : ", and not all of them are hex digits.")
    }

    private static func conflict(_ type: APNsPushType, _ topic: APNsTopic?) -> String? {
        guard let topic else { return nil }
        if type.suffix.isEmpty, let kind = topic.kind {
            return "A push of the type \(type.rawValue) needs the topic \(topic.app), "
                + "but the topic \(topic.fullName) is for pushes of the type \(kind.rawValue)."
        }
        return "A push of the type \(type.rawValue) needs the topic \(topic.app)\(type.suffix), "
            + "but the topic is \(topic.fullName)."
    }

    private static func registrationCause(_ draft: APNsDraft) -> String {
        guard let owner = draft.binding else {
            return "The device token is unknown, and --unknown-devices reject refuses unknown tokens."
        }
        return "The device token is for the \(owner.environment.rawValue) environment, "
            + "but the push was sent to the \(draft.environment.rawValue) environment."
    }

    private static func topicsCause(_ topic: String, _ kind: APNsPushType?, _ session: APNsSession) -> String {
        guard let certificate = session.certificate else {
            let key = session.key
            return "The key \(key?.id ?? "") is for \(list(key?.topics ?? [])), but the push has the topic \(topic)."
        }
        if kind == .location { return "A location push needs a provider token, but the client sent a certificate." }
        let topics = certificate.topics.isEmpty ? certificate.defaultTopic.map { [$0] } ?? [] : certificate.topics
        return "The client certificate is for \(list(topics)), but the push has the topic \(topic)."
    }

    private static func list(_ topics: [String]) -> String {
        if topics.isEmpty { return "no topic" }
        let more = topics.count > longestList ? " and \(topics.count - longestList) more" : ""
        return (topics.count == 1 ? "the topic " : "the topics ")
            + topics.prefix(longestList).joined(separator: ", ") + more
    }

    private static let longestList = 5
}

extension TokenBinding {
    /// The topic that the token is for.
    fileprivate var topic: String {
        switch kind {
        case .app, .any: app
        case .liveActivity: app + APNsPushType.liveactivity.suffix
        case .other(let kind): app + APNsPushType(for: kind).suffix
        }
    }
}
