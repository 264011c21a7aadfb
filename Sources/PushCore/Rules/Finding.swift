/// Something about a push that its sender should know, whether the push was refused or not.
package struct Finding: Sendable, Equatable {
    package let rule: RuleID
    package let severity: Severity
    /// A JSON pointer into the payload, or `headers/NAME`.
    package let path: String
    package let message: String

    package enum Severity: String, Sendable, CaseIterable { case error, warning, note }

    package init(_ rule: String, _ severity: Severity, at path: String, _ message: String) {
        self.rule = RuleID(rule)
        self.severity = severity
        self.path = path
        self.message = message
    }

    /// The same finding about a value at another path.
    package func moved(to path: String) -> Finding { Finding(rule.description, severity, at: path, message) }
}
