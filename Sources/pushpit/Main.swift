internal import Gateway
internal import Glibc

/// The program: finds the command, gives it its options, turns what went wrong into an exit code.
@main struct Main {
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do throws(ExitFailure) {
            try run(arguments)
        } catch {
            if let message = error.message { print(error: "pushpit: \(message)") }
            exit(error.code)
        }
    }

    private static func run(_ arguments: [String]) throws(ExitFailure) {
        if arguments.first == "--version" { return show("pushpit \(version)\n") }
        if arguments.first == "--help" || arguments.first == "-h" || arguments.first == "help" {
            return show(Help.overview)
        }
        let named = arguments.first.flatMap { Command(rawValue: $0) }
        if named == nil, let first = arguments.first, !first.hasPrefix("-") {
            let known = Command.allCases.map(\.rawValue).joined(separator: ", ")
            throw .usage("'\(first)' is no command; there are \(known)")
        }
        let command = named ?? .serve
        let rest = named == nil ? arguments : Array(arguments.dropFirst())
        if rest.contains("--help") || rest.contains("-h") { return show(Help.text(for: command)) }
        let options = try Options(rest, for: command)
        switch command {
        case .serve: try Serve.run(options)
        case .initialize: try Initialize.run(options)
        case .ready: try Ready.run(options)
        }
    }
}

let version = "0.1.0"

/// Why the program ends, by the codes of sysexits.
struct ExitFailure: Error {
    let code: Int32
    let message: String?

    static func usage(_ message: String) -> ExitFailure { ExitFailure(code: 64, message: message + "; see --help") }
    static func unavailable(_ message: String) -> ExitFailure { ExitFailure(code: 69, message: message) }
    static func badConfiguration(_ message: String) -> ExitFailure { ExitFailure(code: 78, message: message) }
}

func show(_ text: String) {
    let bytes = Array(text.utf8)
    _ = unsafe Glibc.write(1, bytes, bytes.count)
}

func print(error text: String) {
    let bytes = Array((text + "\n").utf8)
    _ = unsafe Glibc.write(2, bytes, bytes.count)
}
