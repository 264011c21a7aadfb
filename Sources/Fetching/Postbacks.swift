package import Devices
internal import Platform
internal import PushCore

/// Sends the reports of simulated apps to the user's collector, as Adobe's SDK does (docs/evidence/device.md §4.1): by
/// GET, in order, one at a time.
package final class Postbacks {
    private let prefix: String
    private let dispatcher: Dispatcher
    private let note: OutgoingNote
    private var waiting = Queue<TrackingHit>()
    private var lastReason: String?
    package private(set) var delivered = 0
    package private(set) var dropped = 0

    /// Only status 200 means that a report has arrived. A busy collector gets the report again after 30 s, as from the
    /// SDK, but at most ten times.
    static let rule = DeliveryRule(
        success: 200...200, repeats: { [408, 503, 504].contains($0) }, pauses: Array(repeating: 30_000, count: 10))
    /// How many milliseconds an attempt may take: the SDK's default.
    private static let patience: UInt64 = 5000
    private static let longestAnswer = 64 << 10
    package static let maxWaiting = 10_000

    /// - Parameter prefix: what comes before `/r/`.
    init(to prefix: String, _ dispatcher: Dispatcher, note: @escaping OutgoingNote) {
        self.prefix = prefix
        self.dispatcher = dispatcher
        self.note = note
    }

    func close() {
        dispatcher.close()
        waiting = Queue()
    }

    var isIdle: Bool { dispatcher.isIdle && waiting.isEmpty }

    package func send(_ hit: TrackingHit) {
        guard waiting.count < Self.maxWaiting else { return drop("\(Self.maxWaiting) other reports are waiting") }
        waiting.append(hit)
        sendNext()
    }

    private func sendNext() {
        guard dispatcher.isIdle, let hit = waiting.popFirst() else { return }
        let request = HTTPRequest(
            url: Self.url(of: hit, after: prefix), declaresJSON: true, longestAnswer: Self.longestAnswer,
            patience: Self.patience,
            sendsUser: true, policy: dispatcher.policy)
        dispatcher.send(request) { [self] reason in
            noteOnce("cannot send tracking reports", reason)
        } done: { [self] reason in
            if let reason {
                drop(reason)
            } else {
                delivered += 1
                lastReason = nil
            }
            sendNext()
        }
    }

    private func drop(_ reason: String) {
        dropped += 1
        noteOnce("tracking reports dropped", reason)
    }

    /// The same reason is logged only once in a row: there may be thousands of reports.
    private func noteOnce(_ message: String, _ reason: String) {
        if lastReason == reason { return }
        lastReason = reason
        note(.warning, message, ["because": reason, "droppedSoFar": dropped])
    }

    /// The URL of a report: `PREFIX/r/?id=BROADLOG,DELIVERY,ACTION&mcId=ECID`.
    static func url(of hit: TrackingHit, after prefix: String) -> String {
        let id = [hit.broadlog, hit.delivery, hit.action].map(encoded).joined(separator: ",")
        return "\(prefix.hasSuffix("/") ? String(prefix.dropLast()) : prefix)/r/?id=\(id)&mcId=\(encoded(hit.ecid))"
    }

    private static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            let isPlain =
                0x30...0x39 ~= byte || 0x61...0x7A ~= byte | 0x20 && byte < 0x80 || "-_.~".utf8.contains(byte)
            return isPlain ? String(UnicodeScalar(byte)) : "%" + Hex.encode([byte]).uppercased()
        }.joined()
    }
}

@available(*, unavailable) extension Postbacks: Sendable {}
