import PushCore

@testable import FCM

/// Registrations and their topics, as the topic APIs see them through `perform`.
final class FakeRegistry {
    var topics: [String: Timestamp] = [:]
    var calls: [TopicCall] = []
    /// Outcomes for tokens that are not the known one.
    var outcomes: [String: TopicCall.Outcome] = [:]
    var now = FCMCase.now

    init(topics: [String] = []) {
        self.topics = Dictionary(uniqueKeysWithValues: topics.map { ($0, FCMCase.now) })
    }

    private func holder(_ token: String) -> TopicRegistration {
        TopicRegistration(
            app: "com.example.app", fid: FCMCase.installation, token: token, platform: "ANDROID", topics: topics)
    }

    func perform(_ call: TopicCall) -> TopicCall.Outcome {
        calls.append(call)
        if let outcome = outcomes[call.token] { return outcome }
        guard call.token == FCMCase.token || call.token == FCMCase.installation else { return .unregistered }
        let existed = topics[call.topic] != nil
        switch call.verb {
        case .read: return .done(holder(call.token))
        case .subscribe:
            if !existed { topics[call.topic] = now }
            return existed ? .already(holder(call.token)) : .done(holder(call.token))
        case .unsubscribe:
            topics[call.topic] = nil
            return existed ? .done(holder(call.token)) : .missing(holder(call.token))
        }
    }
}
