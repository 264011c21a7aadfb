/// One thing that Pushpit may say about a push: in the log, in an answer, as a finding or as an event.
///
/// The whole rule is one row. APNs, FCM and Devices each keep a table of rows next to the code that applies them; the
/// gateway adds its own, and `RuleBook` concatenates the tables for `pushpit rules` and docs/rules.md.
package struct Rule: Sendable {
    package let id: RuleID
    package let effect: Effect
    package let evidence: Evidence
    /// When the behavior was observed, as a year or as a year and month; nil if unknown or not observed.
    package let observed: String?
    /// What the rule checks, or what happened.
    package let meaning: String
    /// What the sender can do about it.
    package let remedy: String

    package enum Effect: Sendable {
        /// Refused with this status in every profile.
        case refusal(Int)
        /// Refused in the `strict` profile. In the `service` profile it is accepted with a finding of this severity, or
        /// without a finding if nil.
        case strictRefusal(Int, service: Finding.Severity?)
        case finding(Finding.Severity)
        case event
        case fault
    }

    /// How a behavior is known.
    package enum Evidence: String, Sendable {
        /// In the vendor's documentation.
        case documented
        /// Seen on the wire or on a phone.
        case observed
        /// Never recorded, but inferred from other evidence.
        case assumed
        /// Pushpit's own rule, not a vendor's behavior.
        case ours
    }

    package init(
        _ id: String, _ effect: Effect, _ evidence: Evidence, observed: String? = nil, _ meaning: String,
        _ remedy: String
    ) {
        precondition(observed == nil || evidence == .observed, "\(id) has a date but was not observed")
        self.id = RuleID(id)
        self.effect = effect
        self.evidence = evidence
        self.observed = observed
        self.meaning = meaning
        self.remedy = remedy
    }

    /// A rule about an event.
    package static func event(_ id: String, _ evidence: Evidence, _ meaning: String, _ remedy: String) -> Rule {
        Rule(id, .event, evidence, meaning, remedy)
    }
}

extension Rule.Effect {
    package var text: String {
        switch self {
        case .refusal(let status): String(status)
        case .strictRefusal(let status, _): "\(status), strict"
        case .finding: "finding"
        case .event: "event"
        case .fault: "fault"
        }
    }

    /// The severity in each profile, for `pushpit rules`.
    package var severity: (strict: String, service: String) {
        switch self {
        case .refusal: ("refused", "refused")
        case .strictRefusal(_, let service): ("refused", service?.rawValue ?? "none")
        case .finding(let severity): (severity.rawValue, severity.rawValue)
        case .event, .fault: ("note", "note")
        }
    }
}
