internal import HTTPCore
package import JSON
internal import PushCore

/// The results for the payload and the topic of the previous push. A sender that pushes the same message to many
/// devices repeats both byte for byte, and then they are not checked again.
package struct PushCheckCache: Sendable {
    private var payload = Memo(PayloadCheck([UInt8](), kind: nil, priority: 0), for: [UInt8]())
    private var topics = Memo((topic: APNsTopic([UInt8]().span), isWellFormed: true), for: [UInt8]())

    package init() {}

    /// The check of the last payload.
    var check: PayloadCheck { payload.value }
    /// The last topic.
    var topic: APNsTopic { topics.value.topic }
    /// Whether the last topic is well formed (`APNsTopic.isWellFormed`).
    var isWellFormed: Bool { topics.value.isWellFormed }

    mutating func readPayload(_ body: [UInt8], kind: APNsPushType?, priority: Int) {
        if kind == check.kind, priority == check.priority, payload.has(body.span) { return }
        payload.remember(PayloadCheck(body, kind: kind, priority: priority), for: body)
    }

    /// The parsed payload, if it is the one that was checked last. Nil for any other payload, and if it is not JSON.
    package func document(of body: [UInt8]) -> JSONDocument? { payload.has(body.span) ? check.document : nil }

    mutating func readTopic(_ text: Span<UInt8>) {
        if topics.has(text) { return }
        topics.remember((topic: APNsTopic(text), isWellFormed: APNsTopic.isWellFormed(text)), for: text)
    }
}
