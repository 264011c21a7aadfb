internal import Gateway
internal import JSON
internal import PushCore

/// `pushpit rules`: everything that may be said of a push.
enum Rules {
    static func run(_ options: Options) throws(ExitFailure) {
        let format = try options.choice("format", Format.self)
        if try options.choice("json", Switch.self) == .on { return showJSON() }
        switch format {
        case .text:
            for entry in RuleBook.all {
                let rule = entry.rule
                show("\(rule.id)\n  \(rule.effect.text); \(entry.evidence)\n  \(rule.meaning)\n  \(entry.remedy)\n")
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
            for entry in RuleBook.all {
                let (rule, severity) = (entry.rule, entry.rule.effect.severity)
                show(
                    "| `\(rule.id)` | \(rule.effect.text) | \(severity.strict) | \(severity.service) | \(escaped(rule.meaning)) | "
                        + "\(escaped(entry.remedy)) | \(entry.evidence) |\n")
            }
        }
    }

    private static func showJSON() {
        var json = JSONWriter(.pretty)
        json.array { json in
            for entry in RuleBook.all {
                json.object { json in
                    let severity = entry.rule.effect.severity
                    json.member("id", entry.rule.id)
                    json.member("effect", entry.rule.effect.text)
                    json.key("severity")
                    json.object { json in
                        json.member("strict", severity.strict)
                        json.member("service", severity.service)
                    }
                    json.member("checks", entry.rule.meaning)
                    json.member("remedy", entry.remedy)
                    json.member("evidence", entry.rule.evidence.rawValue)
                    if let observed = entry.observed { json.member("observed", observed) }
                }
            }
        }
        show(String(decoding: json.finish(), as: UTF8.self) + "\n")
    }

    /// A bar would end the cell.
    private static func escaped(_ text: String) -> String { text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|") }

    private enum Format: String, CaseIterable { case text, markdown }
}
