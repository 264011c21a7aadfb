internal import Gateway
internal import Glibc
internal import Platform
internal import PushCore

/// The program: finds the command, parses its options, and turns failures into exit codes.
@main struct Main {
    /// What a command line asks for.
    enum Action {
        case show(String)
        case run(Command, Options)
    }

    static func main() {
        guard !CommandLine.arguments.isEmpty else {
            printError("pushpit: can't read the command line; is /proc mounted?")
            exit(71)
        }
        StandardStreams.open()
        do throws(ExitFailure) {
            switch try action(for: Array(CommandLine.arguments.dropFirst())) {
            case .show(let text): printOutput(text)
            case .run(let command, let options):
                // `serve` writes these warnings to its log.
                if command != .serve { UnknownVariables.warnings(for: command).forEach(printError) }
                try run(command, options)
            }
        } catch {
            error.lines.forEach(printError)
            exit(error.code)
        }
    }

    /// - Parameter environment: looks up an environment variable.
    static func action(
        for arguments: [String], environment: (String) -> String? = Options.processEnvironment
    ) throws(ExitFailure) -> Action {
        var rest = arguments[...]
        switch arguments.first {
        case "--version":
            try refuseExtraArguments(arguments)
            return .show("pushpit \(version)\n")
        case "--help", "-h":
            try refuseExtraArguments(arguments)
            return .show(Help.overview)
        case "help":
            guard let name = rest.dropFirst().first else { return .show(Help.overview) }
            return .show(Help.text(for: try command(named: name)))
        default: break
        }
        var command = Command.serve
        if let first = rest.first, !first.hasPrefix("-") {
            command = try self.command(named: first)
            rest = rest.dropFirst()
        }
        let options = Options.leadingWords(rest, of: command)
        if options.contains("--help") || options.contains("-h") { return .show(Help.text(for: command)) }
        return .run(command, try Options(Array(rest), for: command, environment: environment))
    }

    private static func run(_ command: Command, _ options: Options) throws(ExitFailure) {
        switch command {
        case .serve: try Serve.run(options)
        case .initialize: try Initialize.run(options)
        case .exec: try Exec.run(options)
        case .env: try Env.run(options)
        case .browser: try BrowserCommand.run(options)
        case .device: try DeviceCommand.run(options)
        case .send: try Send.run(options)
        case .check: try Check.run(options)
        case .doctor: try Doctor.run(options)
        case .expect: try Expect.run(options)
        case .rules: try Rules.run(options)
        case .ready: try Ready.run(options)
        case .completions: try Completions.run(options)
        }
    }

    private static func refuseExtraArguments(_ arguments: [String]) throws(ExitFailure) {
        guard arguments.count == 1 else { throw .usage("'\(arguments[1])' is unexpected after \(arguments[0])", nil) }
    }

    private static func command(named name: String) throws(ExitFailure) -> Command {
        guard let command = Command(rawValue: name) else {
            let names = Command.allCases.map(\.rawValue)
            let guess = NameGuesser(names, minLength: 4).guess(name).map { "did you mean '\($0)'? The" } ?? "the"
            throw .usage("'\(name)' is not a command; \(guess) commands are \(names.joined(separator: ", "))", nil)
        }
        return command
    }
}

let version = Product.version

/// Why the program ends with an error. The codes are those of sysexits.h, with two exceptions: 1 means that an expectation
/// was not met or that `doctor` found errors, and `exec` passes on the code of its command.
struct ExitFailure: Error, Equatable {
    let code: Int32
    /// Nil if the output already explains the failure.
    let message: String?
    /// More lines, below the message.
    var details: [String] = []

    /// What to print, line by line.
    var lines: [String] { (message.map { ["pushpit: \($0)"] } ?? []) + details.map { "  \($0)" } }

    static func usage(_ message: String, _ command: Command?) -> ExitFailure {
        let help = command.map { "pushpit \($0.rawValue) --help" } ?? "pushpit --help"
        return ExitFailure(code: 64, message: "\(message); see '\(help)'")
    }
    static func unavailable(_ message: String) -> ExitFailure { ExitFailure(code: 69, message: message) }
    static func badConfiguration(_ message: String) -> ExitFailure { ExitFailure(code: 78, message: message) }
}

/// Prints lines. Parts of files, payloads and servers' answers have to be escaped already (`onOneLine`). This function
/// escapes other control characters that are left, but not line feeds and tabs: they may be Pushpit's own.
func printOutput(_ text: String) {
    let bytes = Array(text.escapedForTerminals(keepsLines: true).utf8)
    _ = unsafe Glibc.write(1, bytes, bytes.count)
}

/// Prints one line.
func printLine(_ text: String) { printOutput([text].asLines) }

/// Prints one line to stderr.
func printError(_ text: String) {
    let bytes = Array([text].asLines.utf8)
    _ = unsafe Glibc.write(2, bytes, bytes.count)
}
