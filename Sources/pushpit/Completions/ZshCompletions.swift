/// The script for zsh, as a file `_pushpit` on the path of functions, or for `eval`.
enum ZshCompletions {
    static var text: String {
        """
        #compdef pushpit
        # Completions of pushpit for zsh, made by 'pushpit completions zsh'.
        _pushpit() {
            local command=serve
            local -a commands=(
        \(Command.allCases.map { "        \(quoted("\($0.rawValue):\($0.purpose)"))" }.joined(separator: "\n"))
            )
            if [[ ${words[2]} != -* ]]; then
                if (( CURRENT == 2 )); then
                    _describe -t commands command commands
                    return
                fi
                command=${words[2]}
                shift words
                (( CURRENT-- ))
            fi
            case $command in
        \(Command.allCases.map(specifications).joined(separator: "\n"))
            esac
        }
        if [[ ${funcstack[1]} == _pushpit ]]; then _pushpit "$@"; else compdef _pushpit pushpit; fi

        """
    }

    private static func specifications(_ command: Command) -> String {
        var rows = command.options.map { option in
            let name = option.isFlag ? option.name : "\(option.name)="
            let value = option.isFlag ? "" : ":\(escaped(option.value)):\(action(Completions.offer(for: option)))"
            let summary = escaped(Completions.summary(option))
            return quoted("\(option.isList ? "*" : "")--\(name)[\(summary)]\(value)")
        }
        rows.append(quoted("(- *)\(Completions.help.name)[\(Completions.help.summary)]"))
        switch Completions.offer(for: command) {
        case .nothing: rows += command.operands == nil ? [] : [quoted("*:\(escaped(command.operandName ?? "")): ")]
        case .commands: rows += [quoted("(-)1:command: _command_names -e"), quoted("*::argument: _normal")]
        case .files, .directories, .words:
            let offer = action(Completions.offer(for: command))
            rows.append(quoted("*:\(escaped(command.operandName ?? "")):\(offer)"))
        }
        return "    \(command.rawValue))\n        _arguments -S \\\n            "
            + rows.joined(separator: " \\\n            ") + "\n        ;;"
    }

    private static func action(_ offer: Completions.Offer) -> String {
        switch offer {
        case .words(let words): "(\(words.joined(separator: " ")))"
        case .files: "_files"
        case .directories: "_files -/"
        case .commands: "_command_names -e"
        case .nothing: " "
        }
    }

    /// For a description or a message of `_arguments`.
    private static func escaped(_ text: String) -> String {
        text.map { "[]:\\".contains($0) ? "\\\($0)" : String($0) }.joined()
    }

    private static func quoted(_ text: String) -> String {
        "'" + text.map { $0 == "'" ? "'\\''" : String($0) }.joined() + "'"
    }
}
