package import HTTPCore
internal import JSON

/// The project, token and topic of a topic request, so that faults can match them.
package struct TopicSubject {
    package private(set) var project: String?
    /// Nil if the request has several tokens.
    package private(set) var token: String?
    package private(set) var topic: String?

    /// Nil if the request is not about topics.
    package init?(_ route: GoogleRoute, _ request: Request) {
        switch route {
        case .subscriptions(let project, let registration, let last):
            self.project = project
            token = registration
            topic = last.map { String($0.prefix { $0 != ":" }) } ?? GoogleQuery(request)["topicName", "topic_name"]
        case .relation(let token, let topic):
            self.token = token
            self.topic = topic
        case .info(let token): self.token = token
        case .batch:
            guard let root = try? GoogleBody.parse(request).root else { return }
            topic = root["to"]?.string.map { $0.hasPrefix("/topics/") ? String($0.dropFirst(8)) : $0 }
            if let tokens = root["registration_tokens"], tokens.count == 1 { token = tokens[0]?.string }
        case .batchImport: break
        case .send, .token, .legacySend, .removedBatch, .connect, .none: return nil
        }
    }
}
