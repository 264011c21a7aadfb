/// One row of what Pushpit may say of a push: in the log, in an answer, in a finding, in an event.
package struct Rule: Sendable {
    package let id: String
    package let effect: Effect
    /// What it checks, or what happened.
    package let meaning: String
    package let evidence: Evidence

    package enum Effect: Sendable {
        /// Refused with this status in every profile.
        case refusal(Int)
        /// Refused by `strict`; a finding of this severity, or nothing, in `service`.
        case strictRefusal(Int, service: Finding.Severity?)
        case finding(Finding.Severity)
        case event
        case fault

        package var text: String {
            switch self {
            case .refusal(let status): String(status)
            case .strictRefusal(let status, _): "\(status), strict"
            case .finding: "finding"
            case .event: "event"
            case .fault: "fault"
            }
        }

        /// What it is in each profile.
        package var severity: (strict: String, service: String) {
            switch self {
            case .refusal: ("refused", "refused")
            case .strictRefusal(_, let service): ("refused", service?.rawValue ?? "none")
            case .finding(let severity): (severity.rawValue, severity.rawValue)
            case .event, .fault: ("note", "note")
            }
        }
    }

    /// How a behaviour is known.
    package enum Evidence: String, Sendable {
        /// In the vendor's documentation.
        case documented
        /// Seen on the wire, or on a phone.
        case observed
        /// Nobody has recorded it; ours follows from what is known.
        case assumed
        /// No behaviour of a vendor: Pushpit's own.
        case ours
    }

    package init(_ id: String, _ effect: Effect, _ meaning: String, _ evidence: Evidence) {
        self.id = id
        self.effect = effect
        self.meaning = meaning
        self.evidence = evidence
    }
}
