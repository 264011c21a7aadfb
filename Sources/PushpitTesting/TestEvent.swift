internal import Gateway
internal import PushCore

/// One change in the gateway's log.
public struct TestEvent: Sendable {
    /// `accepted`, `refused`, `registered`, …
    public let kind: String
    public let app: String
    /// The rule that explains a refusal.
    public let why: String?
    /// Milliseconds since 1970 on the gateway's clock.
    public let time: Int64
    /// The id that a push was answered with: its sender's own, or the gateway's.
    public let id: String?
    /// What its sender should know: the rule of each finding.
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
