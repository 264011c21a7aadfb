/// The texts of `--help`, in the format of Swift's argument parser.
enum Help {
    private static let width = 80
    /// The column of the descriptions.
    private static let indent = String(repeating: " ", count: 26)

    static var overview: String {
        let commands = Command.allCases.map { row($0.rawValue, $0.purpose) }.joined(separator: "\n")
        return """
            OVERVIEW: A push service for development that answers like APNs and FCM.

            USAGE: pushpit [<command>] [<options>]

            OPTIONS:
            \(row("--version", "Show the version."))
            \(row("-h, --help", "Show help information."))

            COMMANDS:
            \(commands)

              See 'pushpit <command> --help' for the options of a command.

            """
    }

    static func text(for command: Command) -> String {
        let rows =
            command.options.map { option in
                row("--\(option.name) <\(option.value)>", option.help + notes(option) + " [\(option.environmentName)]")
            } + [row("-h, --help", "Show help information.")]
        let lists =
            command.options.contains(where: \.isList)
            ? "  For an option that may be repeated, the variable is a comma-separated list.\n" : ""
        let variables =
            command.options.isEmpty ? "" : "  Each option can also be set by the environment variable in brackets.\n"
        let flags = command.options.filter(\.isFlag).map { "--\($0.name)" }
        let named = (flags.dropLast().isEmpty ? [] : [flags.dropLast().joined(separator: ", ")]) + flags.suffix(1)
        let switches =
            flags.isEmpty
            ? "" : wrapped("  ", "After \(named.joined(separator: " and ")), the word \"on\" may be omitted.") + "\n"
        return """
            OVERVIEW: \(command.purpose)

            USAGE: pushpit \(command.rawValue) [<options>]\(command.operands.map { " " + $0 } ?? "")

            \(arguments(command))OPTIONS:
            \(rows.joined(separator: "\n"))

            \(variables)\(lists)\(switches)\(wrapped("  ", exitCodes(command)))

            """
    }

    private static func exitCodes(_ command: Command) -> String {
        command.exitCodes.map { "\($0) The manual page pushpit(1) has the others." }
            ?? "The exit codes are in the manual page, pushpit(1)."
    }

    private static func arguments(_ command: Command) -> String {
        command.operandName.map { "ARGUMENTS:\n\(row($0, command.operandPurpose))\n\n" } ?? ""
    }

    private static func notes(_ option: Option) -> String {
        var notes: [String] = []
        if !option.values.isEmpty { notes.append("values: " + option.values.joined(separator: ", ")) }
        if let value = option.defaultValue { notes.append("default: " + value) }
        let list = option.isList ? " May be repeated." : ""
        return notes.isEmpty ? list : list + " (\(notes.joined(separator: "; ")))"
    }

    /// One row: the name on the left and the wrapped description on the right, which starts on a new line if the name is
    /// too long.
    private static func row(_ name: String, _ description: String) -> String {
        var text = "  " + name
        if text.count + 1 >= indent.count {
            text += "\n" + indent
        } else {
            text += String(repeating: " ", count: indent.count - text.count)
        }
        return wrapped(text, description, indent: indent)
    }

    /// Adds words to a line that has the length of `indent`, and begins new lines with `indent`.
    private static func wrapped(_ start: String, _ words: String, indent: String = "  ") -> String {
        var text = start
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
