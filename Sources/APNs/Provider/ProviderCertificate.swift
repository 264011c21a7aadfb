package import PushCore

/// The parts of a client certificate that matter for pushes (docs/evidence/apns.md §1.3).
package struct ProviderCertificate: Sendable {
    /// The topics that the certificate lists; may be empty.
    package let topics: [String]
    /// The UID of the subject. If the certificate lists no topics, it is the topic of a push without `apns-topic`. If the
    /// certificate lists one topic, that topic is used instead.
    package let defaultTopic: String?
    /// The environments that the certificate is marked for; empty without a marker.
    package let environments: Set<PushEnvironment>

    package init(topics: [String], defaultTopic: String?, environments: Set<PushEnvironment>) {
        self.topics = topics
        self.defaultTopic = defaultTopic
        self.environments = environments
    }

    func allows(_ topic: String) -> Bool { topics.isEmpty ? topic == defaultTopic : topics.contains(topic) }
}
