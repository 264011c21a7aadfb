internal import HTTPCore
package import JSON

/// The results for the payload and the topic of the previous push. A sender that pushes the same message to many
/// devices repeats both byte for byte, and then they are not checked again.
package struct PushCheckCache: Sendable {
    private var body: [UInt8] = []
    private var kind: APNsPushType?
    private var priority = 0
    private(set) var check = PayloadCheck([UInt8](), kind: nil, priority: 0)

    private var text: [UInt8] = []
    private(set) var topic = APNsTopic([UInt8]().span)
    /// Whether the topic contains only allowed characters.
    private(set) var isWellFormed = true

    package init() {}

    mutating func readPayload(_ body: [UInt8], kind: APNsPushType?, priority: Int) {
        if kind == self.kind, priority == self.priority, body.span.equals(self.body) { return }
        check = PayloadCheck(body, kind: kind, priority: priority)
        self.body = body
        self.kind = kind
        self.priority = priority
    }

    /// The parsed payload, if it is the one that was checked last. Nil for any other payload, and if it is not JSON.
    package func document(of body: [UInt8]) -> JSONDocument? { body.span.equals(self.body) ? check.document : nil }

    mutating func readTopic(_ text: Span<UInt8>) {
        if text.equals(self.text) { return }
        topic = APNsTopic(text)
        isWellFormed = APNsTopic.isWellFormed(text)
        self.text = []
        self.text.append(addingCapacity: text.count) { $0.append(text) }
    }
}
