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

    /// Says that the token itself asked for the answer (docs/faults.md, "Magic tokens").
    ///
    /// - Parameter beginning: the part of the token that names the answer.
    package static func magicToken(_ beginning: String, at path: String) -> Finding {
        Finding(
            magicToken.description, .note, at: path, "The token begins with \(beginning), which asks for this answer.")
    }

    package static let magicToken = RuleID("fault.magic-token")

    /// The cause of a refusal as a finding; nil if the findings explain the refusal already.
    package static func cause(_ text: String?, of rule: RuleID, at path: String, besides findings: [Finding])
        -> Finding?
    {
        guard let text, !findings.contains(where: { $0.rule == rule || $0.rule == magicToken }) else { return nil }
        return Finding(rule.description, .error, at: path, sentence(text))
    }

    /// The text with a capital letter and a full stop. The name of a field keeps its small letter.
    private static func sentence(_ text: String) -> String {
        let word = text.prefix { $0 != " " }
        let isName = word == "iat" || word.contains { "-.".contains($0) }
        let end = text.last.map { $0.isLetter || $0.isNumber || "'\")".contains($0) } ?? false
        return (isName ? text : text.prefix(1).uppercased() + text.dropFirst()) + (end ? "." : "")
    }

    /// The same finding about a value at another path.
    package func moved(to path: String) -> Finding { Finding(rule.description, severity, at: path, message) }
}
