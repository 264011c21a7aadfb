internal import PushCore

/// An option of one or more commands. Its environment variable is `PUSHPIT_` and the name in capital letters.
struct Option {
    let name: String
    /// The placeholder of the value.
    let value: String
    let help: String
    /// The allowed values; empty if there is no fixed list.
    var values: [String] = []
    var defaultValue: String?
    /// Whether it may be repeated; its environment variable is then a comma-separated list.
    var isList = false
    /// Whether the value may be left out, which means `on`.
    var isFlag = false
    /// Whether the value is one of `values`, `=` and a text, like json=FILE. It may also be two words: json FILE.
    var isPair = false
    let commands: [Command]

    var environmentName: String {
        "PUSHPIT_" + name.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
    }

    /// The `NAME=VALUE` pairs that select the alternative answers.
    static func alternatives<Choice: PolicyChoice>(of type: Choice.Type) -> String {
        type.allCases.map { "\($0.rawValue)=\($0.values.other)" }.joined(separator: ", ")
    }

    /// All options, in the order of the help.
    static let table =
        execOptions + browserOptions + serveOptions + outgoingOptions + setupOptions + clientOptions + doctorOptions
}
