internal import Browsers
internal import PushCore

/// `pushpit completions`: a script that completes the command line in a shell, made from the table of options.
enum Completions {
    enum Shell: String, CaseIterable { case bash, zsh, fish }

    static func run(_ options: Options) throws(ExitFailure) { printOutput(try text(options)) }

    static func text(_ options: Options) throws(ExitFailure) -> String {
        let names = Shell.allCases.map(\.rawValue)
        guard options.operands.count == 1 else {
            throw .usage("completions needs one shell: \(names.joined(separator: ", "))", .completions)
        }
        switch Shell(rawValue: options.operands[0]) {
        case .bash: return BashCompletions.text
        case .zsh: return ZshCompletions.text
        case .fish: return FishCompletions.text
        case nil:
            throw .usage(
                "'\(options.operands[0].onOneLine)' must be one of \(names.joined(separator: ", "))", .completions)
        }
    }

    /// What a shell offers for a value.
    enum Offer: Hashable {
        case words([String])
        case files, directories, commands, nothing
    }

    static func offer(for option: Option) -> Offer {
        if option.isPair { return .words(option.values.map { $0 + "=" }) }
        if !option.values.isEmpty { return .words(option.values) }
        if option.value == "dir" { return .directories }
        return option.value.hasPrefix("file") ? .files : .nothing
    }

    /// What a shell offers for the arguments of a command.
    static func offer(for command: Command) -> Offer {
        switch command {
        case .send, .check, .doctor: .files
        case .exec: .commands
        case .completions: .words(Shell.allCases.map(\.rawValue))
        case .browser: .words(Browser.allCases.map(\.rawValue))
        case .serve, .initialize, .env, .device, .expect, .rules, .ready: .nothing
        }
    }

    /// The beginning of an option's help, without details.
    static func summary(_ option: Option) -> String {
        let words = option.help.split(separator: " ").prefix { !$0.hasPrefix("(") }
        let end = words.firstIndex { ".;:,".contains($0.last ?? " ") } ?? words.count - 1
        let text = words[...end].joined(separator: " ")
        return ".;:,".contains(text.last ?? " ") ? String(text.dropLast()) : text
    }

    static let help = (name: "--help", summary: "Show help information")
}
