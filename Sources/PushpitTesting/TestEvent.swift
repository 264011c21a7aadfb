internal import Gateway
internal import PushCore

/// One event in the gateway's log.
public struct TestEvent: Sendable {
    /// `accepted`, `refused`, `registered`, …
    public let kind: String
    public let app: String
    /// The rule that explains a refusal.
    public let why: String?
    /// Milliseconds since 1970 on the gateway's clock.
    public let time: Int64
    /// The id in the answer to a push: chosen by its sender or made by the gateway.
    public let id: String?
    /// The rule of each finding.
    public let findings: [String]

    init(_ event: Event, in gateway: Gateway) {
        kind = event.kind.rawValue
        app = event.app
        why = event.why?.description
        time = event.time.milliseconds
        guard case .push(let record) = event.detail else {
            (id, findings) = (nil, [])
            return
        }
        id = gateway.answeredID(of: record)
        findings = record.findings.map(\.rule.description)
    }
}
