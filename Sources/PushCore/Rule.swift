/// One row of what Pushpit may say of a push: in the log, in an answer, in a finding.
package struct Rule: Sendable {
    package let id: String
    /// The status it is answered with, or `finding`.
    package let effect: String
    package let meaning: String
    package let evidence: Evidence

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

    package init(_ id: String, _ effect: String, _ meaning: String, _ evidence: Evidence) {
        self.id = id
        self.effect = effect
        self.meaning = meaning
        self.evidence = evidence
    }
}
