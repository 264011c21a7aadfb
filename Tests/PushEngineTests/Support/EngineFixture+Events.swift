import JSON
import PushCore

@testable import PushEngine

/// What happened, as lines of text.
extension EngineFixture {
    /// Whether an event says what a phone shows or its app learns; the other events say what the services do.
    static func isPhones(_ event: Event) -> Bool {
        switch event.kind {
        case .presented, .suppressed, .replaced, .removed, .badge, .opened, .dismissed, .action, .tracking, .extension,
            .attachment:
            true
        case .callback: event.why != nil
        case .accepted, .refused, .stored, .collapsed, .dropped, .delivered, .state, .token, .registered, .unregistered,
            .subscribed, .unsubscribed, .fault, .clock:
            false
        }
    }

    /// The events since the last call, without those of phones: `KIND PUSH DEVICE RULE DETAIL`.
    func take() -> [String] { takeEvents().filter { !Self.isPhones($0) }.map(Self.line) }

    /// The events since the last call that say what phones show.
    func takeShown() -> [String] { takeEvents().filter(Self.isPhones).map(Self.line) }

    func takeEvents() -> [Event] {
        defer { taken = engine.events.newest }
        return engine.events.events(after: taken)
    }

    static func line(_ event: Event) -> String {
        let detail: String? =
            switch event.detail {
            case .none, .data, .object: nil
            case .push(let record): record.reason.map { "\(record.status) \($0)" } ?? "\(record.status)"
            case .stored(let milliseconds): "after \(milliseconds)"
            case .replaced(let push): "by \(push)"
            case .channel: "channel"
            case .topic(let topic): topic
            case .deleted(let count): "\(count)"
            case .fields(let fields):
                fields.filter { !["old", "new", "mcId"].contains($0.0) }.map { "\($0.0)=\(text($0.1))" }
                    .joined(separator: " ")
            }
        return [
            event.kind.rawValue, event.push?.description, event.device?.description, event.why?.description, detail,
        ]
        .compactMap(\.self).joined(separator: " ")
    }

    private static func text(_ scalar: JSONScalar) -> String {
        switch scalar {
        case .string(let text): text
        case .int(let number): String(number)
        case .bool(let isTrue): String(isTrue)
        }
    }

    /// The message of that id, as long as the log has it.
    func logged(_ id: String) -> Message? { engine.message(named: id) }

    /// The record of the newest push in the log.
    var lastRecord: PushRecord? {
        for event in engine.events.events(after: 0).reversed() {
            if case .push(let record) = event.detail { return record }
        }
        return nil
    }

    var lastFindings: [String] { lastRecord?.findings.map(\.rule.description) ?? [] }
}
