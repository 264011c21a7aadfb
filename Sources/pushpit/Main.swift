internal import Gateway
internal import Glibc

/// The program: finds the command, gives it its options, turns what went wrong into an exit code.
@main struct Main {
    static func main() {
        guard !CommandLine.arguments.isEmpty else {
            print(error: "pushpit: can't read the command line; is /proc mounted?")
            exit(71)
        }
        let arguments = Array(CommandLine.arguments.dropFirst())
        do throws(ExitFailure) {
            try run(arguments)
        } catch {
            if let message = error.message { print(error: "pushpit: \(message)") }
            exit(error.code)
        }
    }

    private static func run(_ arguments: [String]) throws(ExitFailure) {
        var rest = arguments[...]
        switch arguments.first {
        case "--version": return try alone(arguments) { "pushpit \(version)\n" }
        case "--help", "-h": return try alone(arguments) { Help.overview }
        case "help":
            guard let name = rest.dropFirst().first else { return show(Help.overview) }
            guard let command = Command(rawValue: name) else { throw unknown(name) }
            return show(Help.text(for: command))
        default: break
        }
        var command = Command.serve
        if let first = rest.first, !first.hasPrefix("-") {
            guard let named = Command(rawValue: first) else { throw unknown(first) }
            command = named
            rest = rest.dropFirst()
        }
        if rest.contains("--help") || rest.contains("-h") { return show(Help.text(for: command)) }
        let options = try Options(Array(rest), for: command)
        switch command {
        case .serve: try Serve.run(options)
        case .initialize: try Initialize.run(options)
        case .device: try DeviceCommand.run(options)
        case .send: try Send.run(options)
        case .check: try Check.run(options)
        case .expect: try Expect.run(options)
        case .rules: try Rules.run(options)
        case .ready: try Ready.run(options)
        }
    }

    private static func alone(_ arguments: [String], _ text: () -> String) throws(ExitFailure) {
        guard arguments.count == 1 else { throw .usage("'\(arguments[1])' is too much behind \(arguments[0])", nil) }
        show(text())
    }

    private static func unknown(_ name: String) -> ExitFailure {
        .usage("'\(name)' is no command; there are \(Command.allCases.map(\.rawValue).joined(separator: ", "))", nil)
    }
}

let version = "0.1.0"

/// Why the program ends, by the codes of sysexits.
struct ExitFailure: Error {
    let code: Int32
    let message: String?

    static func usage(_ message: String, _ command: Command?) -> ExitFailure {
        let help = command.map { "pushpit \($0.rawValue) --help" } ?? "pushpit --help"
        return ExitFailure(code: 64, message: "\(message); see '\(help)'")
    }
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
