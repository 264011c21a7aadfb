/// The commands and what each is for.
enum Command: String, CaseIterable {
    case serve
    case initialize = "init"
    case ready

    var purpose: String {
        switch self {
        case .serve: "Run the gateway (the default)."
        case .initialize: "Make the keys and certificates that are missing."
        case .ready: "Wait until a gateway answers."
        }
    }

    var options: [Option] { Option.table.filter { $0.commands.contains(self) } }
}

/// One row per flag; its environment twin is the name in capitals behind `PUSHPIT_`.
struct Option {
    let name: String
    let value: String
    let help: String
    let fallback: String?
    let commands: [Command]

    var environmentName: String {
        "PUSHPIT_" + name.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
    }

    static let table: [Option] = [
        Option(
            name: "listen", value: "[role=]host:port",
            help: "Where to listen; may be repeated. Roles: any, apns, fcm. Port 0 takes a free one.",
            fallback: "127.0.0.1:2197", commands: [.serve]),
        Option(
            name: "certs", value: "dir", help: "The directory of keys and certificates.", fallback: "certs",
            commands: [.serve, .initialize]),
        Option(
            name: "unknown-devices", value: "policy",
            help: "What a push to an unknown token does. (values: accept, reject)", fallback: "accept",
            commands: [.serve]),
        Option(
            name: "api-token", value: "token",
            help: "The bearer token for our own pages; needed on a listener that is not loopback.", fallback: nil,
            commands: [.serve]),
        Option(
            name: "allow-host", value: "name", help: "A further host name for our own pages; may be repeated.",
            fallback: nil, commands: [.serve]),
        Option(
            name: "first-streams", value: "count",
            help: "Streams an apns connection may open before its first good push.", fallback: "1", commands: [.serve]),
        Option(
            name: "streams", value: "count", help: "Streams an apns or any connection may open.", fallback: "1000",
            commands: [.serve]),
        Option(
            name: "stream-drop", value: "switch",
            help: "Go back to --first-streams after a refusal. (values: on, off)", fallback: "on", commands: [.serve]),
        Option(
            name: "drain-timeout", value: "duration", help: "How long open connections may take to end after SIGTERM.",
            fallback: "5s", commands: [.serve]),
        Option(
            name: "log", value: "format", help: "How log lines look. (values: text, json)", fallback: "text",
            commands: [.serve]),
        Option(
            name: "log-level", value: "level", help: "The least that is logged. (values: debug, info, warning, error, none)",
            fallback: "info", commands: [.serve]),
        Option(
            name: "url", value: "address", help: "The gateway to ask, as http://host:port.",
            fallback: "http://127.0.0.1:2197", commands: [.ready]),
        Option(
            name: "wait", value: "duration", help: "How long to wait for it.", fallback: "10s", commands: [.ready]),
    ]
}

enum Help {
    static var overview: String {
        let commands = Command.allCases.map { "  \(padded($0.rawValue, 24))\($0.purpose)" }.joined(separator: "\n")
        return """
            OVERVIEW: A push service for development and tests: answers like APNs and FCM.

            USAGE: pushpit [<command>] [<options>]

            OPTIONS:
              --version               Show the version.
              -h, --help              Show help information.

            COMMANDS:
            \(commands)

              See 'pushpit <command> --help' for its options.

            """
    }

    static func text(for command: Command) -> String {
        let rows = command.options.map { option in
            let head = "  --\(option.name) <\(option.value)>"
            let fallback = option.fallback.map { " (default: \($0))" } ?? ""
            return "\(head)\n\(padded("", 26))\(option.help)\(fallback)\n\(padded("", 26))[\(option.environmentName)]"
        }
        return """
            OVERVIEW: \(command.purpose)

            USAGE: pushpit \(command.rawValue) [<options>]

            OPTIONS:
            \(rows.joined(separator: "\n"))
              -h, --help              Show help information.

            """
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
}
