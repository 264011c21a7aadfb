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

    init(_ event: Event) {
        kind = event.kind.rawValue
        app = event.app
        why = event.why?.description
        time = event.time.milliseconds
    }
}
