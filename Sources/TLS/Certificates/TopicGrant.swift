/// A topic that a client certificate may push to, and the kinds it is listed with.
package struct TopicGrant: Hashable, Sendable {
    package let topic: String
    /// `app`, `voip`, `complication`, …; empty if the certificate gives none.
    package let kinds: [String]

    package init(_ topic: String, _ kinds: String...) {
        self.init(topic, kinds: kinds)
    }

    package init(_ topic: String, kinds: [String]) {
        self.topic = topic
        self.kinds = kinds
    }
}
