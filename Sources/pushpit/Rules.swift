internal import FCM
internal import Gateway
internal import JSON
internal import PushCore

/// `pushpit rules`: everything that may be said of a push.
enum Rules {
    static func run(_ options: Options) throws(ExitFailure) {
        let format = try options.choice("format", Format.self)
        let rules = try chosen(options.operands)
        if try options.choice("json", Switch.self) == .on { return showJSON(rules) }
        switch format {
        case .fcmFields: show(FCMSchema.page)
        case .text:
            for rule in rules {
                show("\(rule.id)\n  \(rule.effect.text); \(evidence(of: rule))\n  \(rule.meaning)\n  \(rule.remedy)\n")
            }
        case .markdown:
            show(
                """
                # Rules

                Everything that Pushpit may say of a push: in an answer, in the log, as a finding, as an event. Made by \
                `pushpit rules --format markdown`; `pushpit rules --json` is for programs.

                | rule | effect | strict | service | what it says | what to do | evidence |
                |---|---|---|---|---|---|---|

                """)
            for rule in rules {
                let severity = rule.effect.severity
                show(
                    "| `\(rule.id)` | \(rule.effect.text) | \(severity.strict) | \(severity.service) | \(escaped(rule.meaning)) | "
                        + "\(escaped(rule.remedy)) | \(evidence(of: rule)) |\n")
            }
        }
    }

    /// The rules whose ids start with one of these names; without names, all rules.
    private static func chosen(_ names: [String]) throws(ExitFailure) -> [Rule] {
        guard !names.isEmpty else { return RuleBook.all }
        let found = RuleBook.all.filter { rule in names.contains { rule.id.description.hasPrefix($0) } }
        guard !found.isEmpty else { throw .usage("there is no rule '\(names[0])'", .rules) }
        return found
    }

    private static func showJSON(_ rules: [Rule]) {
        var json = JSONWriter(.pretty)
        json.array { json in
            for rule in rules { json.value(rule) }
        }
        show(String(decoding: json.finish(), as: UTF8.self) + "\n")
    }

    /// How the rule is known, and when it was observed.
    private static func evidence(of rule: Rule) -> String {
        rule.observed.map { "\(rule.evidence.rawValue) \($0)" } ?? rule.evidence.rawValue
    }

    /// A bar would end the cell.
    private static func escaped(_ text: String) -> String {
        text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
    }

    private enum Format: String, CaseIterable {
        case text, markdown
        case fcmFields = "fcm-fields"
    }
}
