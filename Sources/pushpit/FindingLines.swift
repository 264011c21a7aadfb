internal import Gateway
internal import PushCore
internal import RuleTables

/// The lines that `check` and `send` print for findings, each with what to do about it. Each text that is added becomes
/// exactly one line, even if a finding or a file name in it contains line feeds.
struct FindingLines {
    private(set) var text = ""
    /// The remedies that have been printed: each is printed once.
    private var remedies: Set<String> = []

    /// Adds a line like `PLACE: SEVERITY: MESSAGE [RULE]`, and its remedy on a second line.
    ///
    /// - Parameters:
    ///   - place: where the finding is; nil leaves it out.
    ///   - remedy: what to do about it; nil for the remedy of the rule.
    mutating func add(_ severity: String, _ message: String, _ rule: RuleID, at place: String?, remedy: String? = nil) {
        add(line: "\(place.map { "\($0): " } ?? "")\(severity): \(message) [\(rule)]")
        if let remedy = remedy ?? RuleBook.rule(rule.description)?.remedy { add(remedy: remedy) }
    }

    /// Adds a remedy, unless it has been printed.
    mutating func add(remedy: String) {
        if remedies.insert(remedy).inserted { add(line: "  fix: \(remedy)") }
    }

    mutating func add(line: String) { text += [line].asLines }
}
