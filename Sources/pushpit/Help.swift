/// The text of `--help`.
enum Help {
    private static let width = 80
    private static let indent = String(repeating: " ", count: 26)

    static var overview: String {
        let commands = Command.allCases.map { row($0.rawValue, $0.purpose) }.joined(separator: "\n")
        return """
            OVERVIEW: A push service for development and tests: answers like APNs and FCM.

            USAGE: pushpit [<command>] [<options>]

            OPTIONS:
            \(row("--version", "Show the version."))
            \(row("-h, --help", "Show help information."))

            COMMANDS:
            \(commands)

              See 'pushpit <command> --help' for its options.

            """
    }

    static func text(for command: Command) -> String {
        let rows = command.options.map { option in
            row("--\(option.name) <\(option.value)>", option.help + notes(option) + " [\(option.environmentName)]")
        }
        return """
            OVERVIEW: \(command.purpose)

            USAGE: pushpit \(command.rawValue) [<options>]\(command.operands.map { " " + $0 } ?? "")

            \(arguments(command))OPTIONS:
            \(rows.joined(separator: "\n"))
            \(row("-h, --help", "Show help information."))

              Each option can be set by the variable behind it, too\(hasLists(command) ? "; lists take commas" : "").

            """
    }

    private static func arguments(_ command: Command) -> String {
        command.operands == nil
            ? ""
            : "ARGUMENTS:\n\(row(command == .rules ? "<rule>" : command == .expect ? "<filter>" : "<file>", command.operandPurpose))\n\n"
    }

    private static func hasLists(_ command: Command) -> Bool { command.options.contains(where: \.isList) }

    private static func notes(_ option: Option) -> String {
        var notes: [String] = []
        if !option.values.isEmpty { notes.append("values: " + option.values.joined(separator: ", ")) }
        if let fallback = option.fallback { notes.append("default: " + fallback) }
        let list = option.isList ? " May be repeated." : ""
        return notes.isEmpty ? list : list + " (\(notes.joined(separator: "; ")))"
    }

    /// What it is about at the left, and the words behind it in lines of their own where there is no room.
    private static func row(_ head: String, _ words: String) -> String {
        var text = "  " + head
        if text.count + 1 >= indent.count {
            text += "\n" + indent
        } else {
            text += String(repeating: " ", count: indent.count - text.count)
        }
        var column = indent.count
        for word in words.split(separator: " ") {
            if column > indent.count, column + 1 + word.count > width {
                text += "\n" + indent
                column = indent.count
            }
            if column > indent.count {
                text += " "
                column += 1
            }
            text += word
            column += word.count
        }
        return text
    }
}
