/// A topic that a client certificate may push to, with the kinds listed for it.
package struct TopicGrant: Hashable, Sendable {
    package let topic: String
    /// `app`, `voip`, `complication`, …; empty if the certificate does not list any.
    package let kinds: [String]

    package init(_ topic: String, _ kinds: String...) {
        self.init(topic, kinds: kinds)
    }

    package init(_ topic: String, kinds: [String]) {
        self.topic = topic
        self.kinds = kinds
    }
}
