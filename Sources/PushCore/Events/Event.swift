/// One numbered change. Everything that Pushpit shows, streams or stores is derived from these.
package struct Event: Sendable {
    package let seq: UInt64
    package let time: Timestamp
    package let kind: Kind
    /// The bundle id or package; the FCM project if no device is known.
    package let app: String
    package let device: DeviceID?
    package let push: PushID?
    package let why: RuleID?
    package let detail: Detail

    /// What an event is about. The parts are as in `Event`.
    package struct Subject: Sendable {
        var app: String
        var device: DeviceID?
        var push: PushID?

        package init(app: consuming String = "", device: consuming DeviceID? = nil, push: PushID? = nil) {
            self.app = app
            self.device = device
            self.push = push
        }
    }

    package enum Kind: String, Sendable, CaseIterable {
        case accepted, refused, stored, collapsed, dropped, delivered, callback, `extension`, attachment, presented
        case suppressed, replaced, removed, badge, opened, dismissed, action, tracking, state, token, registered
        case unregistered, subscribed, unsubscribed, fault, clock
    }

    package enum Detail: Sendable {
        case none
        case push(PushRecord)
        /// The push waited for this many milliseconds.
        case stored(milliseconds: Int64)
        case replaced(by: PushID)
        case channel(String)
        case topic(String)
        /// This many waiting messages were dropped.
        case deleted(Int)
        /// A JSON object as text.
        case data([UInt8])
        case fields([(String, JSONScalar)])
        case object(any EventData)
    }
}

/// A push request, with the answer that it got.
package struct PushRecord: Sendable {
    package let id: PushID
    package let provider: Provider
    /// Google's name for the message; empty if it has none.
    package let name: String
    /// Where the log stores the request.
    package let request: RequestHandle
    package let status: Int
    /// The vendor's error code for the refusal.
    package let reason: String?
    package let findings: [Finding]
    package let environment: PushEnvironment

    package init(
        id: PushID, provider: Provider, name: String = "", request: RequestHandle, status: Int, reason: String?,
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

    /// The same push with another answer.
    package func answered(_ status: Int, _ reason: String?) -> PushRecord {
        PushRecord(
            id: id, provider: provider, name: name, request: request, status: status, reason: reason,
            findings: findings, environment: environment)
    }
}
