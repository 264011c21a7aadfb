/// The commands and what each is for.
enum Command: String, CaseIterable {
    case serve
    case initialize = "init"
    case device, send, check, expect, rules, ready

    var purpose: String {
        switch self {
        case .serve: "Run the gateway (the default)."
        case .initialize: "Make the keys and certificates that are missing."
        case .device: "Be a phone in the terminal."
        case .send: "Send one push or FCM message as a provider does."
        case .check: "Say what would be refused of pushes in files."
        case .expect: "Wait until pushes have come, or fail."
        case .rules: "List everything that may be said of a push."
        case .ready: "Wait until a gateway answers."
        }
    }

    /// What stands behind the options.
    var operands: String? {
        switch self {
        case .send: "<file>"
        case .check: "<file> ..."
        case .expect: "[<filter> ...]"
        case .rules: "[<rule> ...]"
        case .serve, .initialize, .device, .ready: nil
        }
    }

    /// What those are.
    var operandPurpose: String {
        switch self {
        case .rules: "Ids, or their beginnings; without any all are listed."
        case .expect:
            """
            What a push has, as NAME=VALUE: a filter of the control API like app=com.example.app or outcome=accepted, a JSON pointer \
            like /aps/alert/title=Hello, or header:NAME=VALUE; without any every push counts.
            """
        default: "An APNs payload, or an FCM message in any of its shapes, as JSON; - is standard input."
        }
    }

    var options: [Option] { Option.table.filter { $0.commands.contains(self) } }
}
