internal import Gateway
internal import PushCore

/// One event in the gateway's log.
public struct TestEvent: Sendable {
    /// The event's number, which is unique.
    public let seq: UInt64
    /// `accepted`, `refused`, `registered`, …
    public let kind: String
    public let app: String
    /// The device that it happened to; nil if no device is involved.
    public let device: String?
    /// The push that caused it, such as `p7`; nil if no push caused it.
    public let push: String?
    /// The rule that explains it.
    public let why: String?
    /// Milliseconds since 1970 on the gateway's clock.
    public let time: Int64
    /// The id in the answer to a push: the `apns-id`, the `apns-request-id` of a broadcast, or the name of an FCM
    /// message. Nil if a refused FCM message has none.
    public let id: String?
    /// The rules of the findings about a push. Empty on a gateway that the test did not start: there, the message has
    /// them.
    public let findings: [String]

    /// An event as the control API shows it.
    init(_ json: TestJSON) {
        seq = json["seq"].int.flatMap { UInt64(exactly: $0) } ?? 0
        kind = json["kind"].string ?? ""
        app = json["app"].string ?? ""
        device = json["device"].string
        push = json["push"].string
        why = json["why"].string
        time = json["time"].string.flatMap { Timestamp(parsing: $0) }?.milliseconds ?? 0
        id = json["data"]["apnsId"].string ?? json["data"]["name"].string
        findings = []
    }

    init(_ event: Event, in gateway: Gateway) {
        seq = event.seq
        kind = event.kind.rawValue
        app = event.app
        device = event.device?.description
        push = event.push?.description
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
