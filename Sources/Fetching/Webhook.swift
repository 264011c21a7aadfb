internal import Platform

/// Posts events to a URL: several in one request, in order, and one request at a time.
package final class Webhook {
    private let url: String
    private let dispatcher: Dispatcher
    private let note: OutgoingNote
    /// Called when the next events can be posted.
    package var becameReady: () -> Void = {}
    /// How many events were delivered, and how many were given up.
    package private(set) var delivered = 0
    package private(set) var dropped = 0

    /// The pauses add up to 15.5 s. The attempts take time as well.
    static let rule = DeliveryRule(
        success: 200...299, repeats: { $0 >= 500 || $0 == 408 || $0 == 429 }, pauses: [500, 1000, 2000, 4000, 8000])
    /// Milliseconds for one attempt.
    private static let patience: UInt64 = 10_000
    private static let longestAnswer = 64 << 10

    init(to url: String, _ dispatcher: Dispatcher, note: @escaping OutgoingNote) {
        self.url = url
        self.dispatcher = dispatcher
        self.note = note
    }

    func close() {
        dispatcher.close()
        becameReady = {}
    }

    /// Whether the last events have been delivered or given up.
    package var isReady: Bool { dispatcher.isIdle }

    /// Posts events. Call it only if `isReady`.
    ///
    /// - Parameter lines: events as JSON, each with a line feed at its end.
    package func post(_ lines: [UInt8]) {
        let (body, count) = Self.body(of: lines)
        let request = HTTPRequest(
            url: url, body: body, declaresJSON: true, longestAnswer: Self.longestAnswer, patience: Self.patience,
            sendsUser: true, policy: dispatcher.policy)
        var isFirst = true
        dispatcher.send(request) { [self] reason in
            if isFirst { note(.warning, "cannot post events", ["because": reason, "events": count]) }
            isFirst = false
        } done: { [self] reason in
            if let reason {
                noteDropped(count, because: reason)
            } else {
                delivered += count
            }
            becameReady()
        }
    }

    /// Records that the webhook will not get these events.
    package func noteDropped(_ count: Int, because reason: String) {
        dropped += count
        note(.warning, "events dropped", ["because": reason, "events": count, "droppedSoFar": dropped])
    }

    /// The body with these events, and their number.
    static func body(of lines: [UInt8]) -> (bytes: [UInt8], count: Int) {
        let events = lines.split(separator: UInt8(ascii: "\n"))
        return (
            Array(#"{"events":["#.utf8) + events.joined(separator: [UInt8(ascii: ",")]) + Array("]}".utf8), events.count
        )
    }
}

@available(*, unavailable) extension Webhook: Sendable {}
