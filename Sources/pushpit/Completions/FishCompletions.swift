/// The script for fish.
enum FishCompletions {
    static var text: String {
        """
        # Completions of pushpit for fish, made by 'pushpit completions fish'.
        function __pushpit_command
            set -l words (commandline -opc)
            if test (count $words) -gt 1; and not string match -q -- '-*' $words[2]
                echo $words[2]
            else
                echo serve
            end
        end
        complete -c pushpit -f
        \(Command.allCases.map(lines).joined(separator: "\n"))

        """
    }

    private static func lines(_ command: Command) -> String {
        var lines = [
            "complete -c pushpit -n 'test (count (commandline -opc)) -eq 1' -a \(command.rawValue) "
                + "-d \(quoted(command.purpose))"
        ]
        let start = "complete -c pushpit -n 'test (__pushpit_command) = \(command.rawValue)'"
        for option in command.options {
            let value = option.isFlag ? "" : " -r\(arguments(Completions.offer(for: option)))"
            lines.append("\(start) -l \(option.name)\(value) -d \(quoted(Completions.summary(option)))")
        }
        lines.append("\(start) -l help -d \(quoted(Completions.help.summary))")
        if command.operands != nil {
            let isAfterCommand =
                "test (count (commandline -opc)) -gt 1; and test (__pushpit_command) = \(command.rawValue)"
            let offer = arguments(Completions.offer(for: command))
            if offer != " -f" { lines.append("complete -c pushpit -n '\(isAfterCommand)'\(offer)") }
        }
        return lines.joined(separator: "\n")
    }

    private static func arguments(_ offer: Completions.Offer) -> String {
        switch offer {
        case .words(let words): " -f -a '\(words.joined(separator: " "))'"
        case .files: " -F"
        case .directories: " -f -a '(__fish_complete_directories)'"
        case .commands: " -a '(__fish_complete_subcommand --fcs-skip=2)'"
        case .nothing: " -f"
        }
    }

    private static func quoted(_ text: String) -> String {
        "'" + text.map { "'\\".contains($0) ? "\\\($0)" : String($0) }.joined() + "'"
    }
}
