internal import FCM
internal import Gateway
internal import JSON
internal import PushCore

/// `pushpit rules`: everything that may be said of a push.
enum Rules {
    static func run(_ options: Options) throws(ExitFailure) {
        let format = try options.choice("format", Format.self)
        let entries = try chosen(options.operands)
        if try options.choice("json", Switch.self) == .on { return showJSON(entries) }
        switch format {
        case .fcmFields: show(FCMSchema.page)
        case .text:
            for entry in entries {
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
            for entry in entries {
                let (rule, severity) = (entry.rule, entry.rule.effect.severity)
                show(
                    "| `\(rule.id)` | \(rule.effect.text) | \(severity.strict) | \(severity.service) | \(escaped(rule.meaning)) | "
                        + "\(escaped(entry.remedy)) | \(entry.evidence) |\n")
            }
        }
    }

    /// Those of the ids, and those that begin so; all without any.
    private static func chosen(_ names: [String]) throws(ExitFailure) -> [RuleBook.Entry] {
        guard !names.isEmpty else { return RuleBook.all }
        let found = RuleBook.all.filter { entry in names.contains { entry.rule.id.hasPrefix($0) } }
        guard !found.isEmpty else { throw .usage("there is no rule '\(names[0])'", .rules) }
        return found
    }

    private static func showJSON(_ entries: [RuleBook.Entry]) {
        var json = JSONWriter(.pretty)
        json.array { json in
            for entry in entries { json.value(entry) }
        }
        show(String(decoding: json.finish(), as: UTF8.self) + "\n")
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
