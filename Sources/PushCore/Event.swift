/// One change, numbered: everything that is shown, streamed or kept is read from these.
package struct Event: Sendable {
    package let seq: UInt64
    package let time: Timestamp
    package let kind: Kind
    /// The bundle id or package, or the FCM project where no device says more.
    package let app: String
    package let device: DeviceID?
    package let push: PushID?
    package let why: RuleID?
    package let detail: Detail

    package enum Kind: String, Sendable, CaseIterable {
        case accepted, refused, stored, collapsed, dropped, delivered, callback, `extension`, attachment, presented
        case suppressed, replaced, removed, badge, opened, dismissed, action, tracking, state, token, registered
        case unregistered, subscribed, unsubscribed, fault, clock
    }

    package enum Detail: Sendable {
        case none
        case push(PushRecord)
        /// It has waited so long.
        case stored(milliseconds: Int64)
        case replaced(by: PushID)
        case channel(String)
        case topic(String)
        /// So many messages that waited were dropped.
        case deleted(Int)
        /// An object in JSON.
        case data([UInt8])
        case fields([(String, JSONScalar)])
        case object(any EventData)
    }
}

/// A request that a dialect has decided about, with what it answered.
package struct PushRecord: Sendable {
    package let id: PushID
    package let provider: Provider
    /// Google's name for it; empty where it has none.
    package let name: String
    /// Where the log keeps it.
    package let request: RequestPlace
    package let status: Int
    /// The vendor's own word for the refusal.
    package let reason: String?
    package let findings: [Finding]
    package let environment: PushEnvironment

    package init(
        id: PushID, provider: Provider, name: String = "", request: RequestPlace, status: Int, reason: String?,
        findings: [Finding],
        environment: PushEnvironment
    ) {
        self.id = id
        self.provider = provider
        self.name = name
        self.request = request
        self.status = status
        self.reason = reason
        self.findings = findings
        self.environment = environment
    }
}
