/// The script for bash 4 or later.
enum BashCompletions {
    static var text: String {
        """
        # Completions of pushpit for bash, made by 'pushpit completions bash'.
        _pushpit() {
            local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command=serve options='' offer=''
            # Bash takes the equals sign of --name=value for a word.
            if [[ $current == = ]]; then current=''; elif [[ $previous == = ]]; then previous=${COMP_WORDS[COMP_CWORD - 2]}; fi
            if ((COMP_CWORD == 1)) && [[ $current != -* ]]; then
                mapfile -t COMPREPLY < <(compgen -W '\(Command.allCases.map(\.rawValue).joined(separator: " "))' -- "$current")
                return
            fi
            [[ ${COMP_WORDS[1]} != -* ]] && command=${COMP_WORDS[1]}
            case $command in
        \(Command.allCases.map(options).joined(separator: "\n"))
            esac
            case $command$previous in
        \(values.joined(separator: "\n"))
            esac
            [[ " ${COMP_WORDS[*]:0:COMP_CWORD} " == *' -- '* ]] && options=''
            if [[ $current == -* && $previous != = ]]; then offer="-W $options"; fi
            case $offer in
            '-W '*) mapfile -t COMPREPLY < <(compgen -W "${offer#-W }" -- "$current") ;;
            -?*)
                # shellcheck disable=SC2086 # the words are options
                mapfile -t COMPREPLY < <(compgen $offer -- "$current")
                compopt -o filenames
                ;;
            esac
        }
        complete -F _pushpit pushpit

        """
    }

    /// The names of a command's options, and what is offered for its arguments.
    private static func options(_ command: Command) -> String {
        let names = (command.options.map { "--\($0.name)" } + [Completions.help.name]).joined(separator: " ")
        return """
                \(command.rawValue)) options='\(names)' offer='\(word(Completions.offer(for: command)))' ;;
            """
    }

    /// What is offered after an option. Options with the same offer share a line.
    private static var values: [String] {
        var lines: [(offer: String, patterns: [String])] = []
        for command in Command.allCases {
            for option in command.options where !option.isFlag {
                let offer = word(Completions.offer(for: option))
                let pattern = "\(command.rawValue)--\(option.name)"
                if let index = lines.firstIndex(where: { $0.offer == offer }) {
                    lines[index].patterns.append(pattern)
                } else {
                    lines.append((offer, [pattern]))
                }
            }
        }
        return lines.map { "    \($0.patterns.joined(separator: " | "))) options='' offer='\($0.offer)' ;;" }
    }

    /// The offer as options of `compgen`.
    private static func word(_ offer: Completions.Offer) -> String {
        switch offer {
        case .words(let words): "-W \(words.joined(separator: " "))"
        case .files: "-f"
        case .directories: "-d"
        case .commands: "-c -f"
        case .nothing: ""
        }
    }
}
