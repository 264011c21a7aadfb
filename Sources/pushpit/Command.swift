/// The commands of the program, with the texts that `--help` shows for them.
enum Command: String, CaseIterable {
    case serve
    case initialize = "init"
    case exec, env, browser, device, send, check, doctor, expect, rules, ready, completions

    var purpose: String {
        switch self {
        case .serve: "Run the gateway (the default)."
        case .initialize: "Create the keys and certificates that are missing."
        case .exec: "Run a program whose pushes reach a gateway."
        case .env: "Print variables that lead programs to a gateway."
        case .browser: "Run a browser that gets its pushes from a gateway."
        case .device: "Simulate a phone in the terminal."
        case .send: "Send a push or an FCM message as a provider would."
        case .check: "Validate push files."
        case .doctor: "Find mistakes in keys, tokens and this environment."
        case .expect: "Wait for matching pushes or events, or fail."
        case .rules: "List the rules for answers, findings and events."
        case .ready: "Wait until a gateway is ready."
        case .completions: "Print completions for bash, zsh or fish."
        }
    }

    /// The arguments after the options, as the usage line shows them; nil if the command takes none.
    var operands: String? {
        operandName.map { name in
            switch self {
            case .send, .completions: name
            case .check: "\(name) ..."
            case .doctor, .expect, .rules: "[\(name) ...]"
            case .exec: "[--] \(name) [<argument> ...]"
            case .browser: "\(name) [<url>]"
            case .serve, .initialize, .env, .device, .ready: name
            }
        }
    }

    /// The exit codes that scripts need; nil if they need none.
    var exitCodes: String? {
        switch self {
        case .exec:
            "The exit code is the command's. If the command exits with 0 but an expectation is not met, the exit code is 1. Without a gateway it is 69."
        case .expect: "The exit code is 0 if the expectation is met, 1 if it is not, and 69 without a gateway."
        case .send: "The exit code is 0 if the push is accepted, 65 if it is refused, and 69 without a gateway."
        default: nil
        }
    }

    /// The placeholder of an argument.
    var operandName: String? {
        switch self {
        case .send, .check: "<file>"
        case .doctor: "<input>"
        case .expect: "<filter>"
        case .rules: "<rule>"
        case .exec: "<command>"
        case .completions: "<shell>"
        case .browser: "<browser>"
        case .serve, .initialize, .env, .device, .ready: nil
        }
    }

    var operandPurpose: String {
        switch self {
        case .completions: "The shell: bash, zsh or fish."
        case .browser:
            """
            chromium or firefox. It opens the URL, and gives that page permission to show notifications; without a \
            URL, every page has it.
            """
        case .rules: "Rule ids or prefixes of them; without any, all rules are listed."
        case .expect:
            """
            What a push has to match, as NAME=VALUE: a filter of the control API like app=com.example.app or \
            outcome=accepted, a JSON pointer into the body like /aps/alert/title=Hello, or header:NAME=VALUE. Without \
            filters every push matches. With event=KIND, like event=presented, events are expected instead of pushes; \
            event:device=ID, event:why=RULE and event:/POINTER=VALUE are about the event. NAME^=TEXT means that the \
            value begins with TEXT, and NAME~=REGEX that a part of it matches the regular expression. The word 'then' \
            between filters means one after the other.
            """
        case .doctor:
            """
            A file or a token: a .p8, .p12 or PEM file, a service account, a JWT, a device token, an FCM token, a topic or \
            a payload; - is standard input. Inputs that are given together are compared too. Without an input, this \
            environment is inspected.
            """
        case .exec:
            """
            The program to run. All words after it are its own arguments. Its certificates, credentials and variables are \
            set up so that it reaches the gateway instead of Apple and Google.
            """
        case .serve, .initialize, .env, .device, .send, .check, .ready:
            "A JSON file with an APNs payload or an FCM message in any of its formats; - is standard input."
        }
    }

    /// Whether the first argument ends the options, because all words after it belong to another program.
    var endsOptionsAtArgument: Bool { self == .exec }

    /// Whether a word after a switch is its value. Otherwise it is an argument or the next option. If the command takes
    /// no arguments, every word that does not begin with a hyphen counts as the switch's value. An invalid word then
    /// gets an error about the switch.
    func takes(_ word: String, for option: Option) -> Bool {
        if option.values.contains(word) { return true }
        if word.hasPrefix("-") { return false }
        switch self {
        case .exec, .browser, .send, .check, .doctor, .rules, .completions: return false
        case .expect: return !word.contains("=") && word != ExpectFilters.separator
        case .serve, .initialize, .env, .device, .ready: return true
        }
    }

    var options: [Option] { Option.table.filter { $0.commands.contains(self) } }
}
