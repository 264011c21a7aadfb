import Testing

@testable import pushpit

/// The texts of `--help`.
@Suite struct HelpTests {
    @Test func `the overview is the expected text`() throws {
        #expect(try Help.overview == CommandLineCase.conformanceFile("expected/help.txt"))
    }

    @Test(arguments: Command.allCases) func `the help of each command is the expected text`(command: Command) throws {
        let expected = try CommandLineCase.conformanceFile("expected/help-\(command.rawValue).txt")
        #expect(Help.text(for: command) == expected)
    }

    @Test(arguments: Command.allCases) func `no line is longer than 80 columns`(command: Command) {
        for text in [Help.overview, Help.text(for: command)] {
            for line in text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
        }
    }

    @Test(arguments: Command.allCases) func `every option is listed with its value, default and variable`(
        command: Command
    ) {
        let words = Help.text(for: command).split { $0 == " " || $0 == "\n" }.joined(separator: " ")
        for option in command.options {
            var row = "--\(option.name) <\(option.value)> \(option.help)"
            if option.isList { row += " May be repeated." }
            let values = option.values.isEmpty ? nil : "values: " + option.values.joined(separator: ", ")
            let notes = [values, option.defaultValue.map { "default: " + $0 }].compactMap { $0 }
            if !notes.isEmpty { row += " (\(notes.joined(separator: "; ")))" }
            #expect(words.contains("\(row) [\(option.environmentName)]"), "\(option.name)")
        }
    }

    @Test(arguments: [
        (Command.serve, "USAGE: pushpit serve [<options>]\n"), (.send, "USAGE: pushpit send [<options>] <file>\n"),
        (.check, "USAGE: pushpit check [<options>] <file> ...\n"),
        (.doctor, "USAGE: pushpit doctor [<options>] [<input> ...]\n"),
        (.expect, "USAGE: pushpit expect [<options>] [<filter> ...]\n"),
        (.rules, "USAGE: pushpit rules [<options>] [<rule> ...]\n"),
        (.initialize, "USAGE: pushpit init [<options>]\n"),
        (.browser, "USAGE: pushpit browser [<options>] <browser> [<url>]\n"),
        (.exec, "USAGE: pushpit exec [<options>] [--] <command> [<argument> ...]\n"),
    ]) func `the usage line shows the arguments`(command: Command, usage: String) {
        #expect(Help.text(for: command).contains(usage))
        #expect(Help.text(for: command).contains("ARGUMENTS:\n") == (command.operands != nil))
    }

    @Test func `only commands with lists explain the commas`() {
        for command in Command.allCases {
            let hasLists: Set<Command> = [.serve, .initialize, .exec]
            #expect(Help.text(for: command).contains("a comma-separated list") == hasLists.contains(command))
        }
    }
}

/// Which action a command line asks for.
@Suite struct MainTests {
    private func action(_ arguments: [String]) throws(ExitFailure) -> Main.Action {
        try Main.action(for: arguments, environment: { _ in nil })
    }

    private func shown(_ arguments: [String]) throws -> String? {
        if case .show(let text) = try action(arguments) { text } else { nil }
    }

    private func command(_ arguments: [String]) throws -> Command? {
        if case .run(let command, _) = try action(arguments) { command } else { nil }
    }

    @Test(arguments: [["--help"], ["-h"], ["help"]]) func `help without a command is the overview`(arguments: [String])
        throws
    {
        #expect(try shown(arguments) == Help.overview)
    }

    @Test(arguments: Command.allCases) func `help for a command has three spellings`(command: Command) throws {
        for arguments in [["help", command.rawValue], [command.rawValue, "--help"], [command.rawValue, "x", "-h"]] {
            // After its first argument, `exec` leaves everything to the program that it runs.
            let isForProgram = command == .exec && arguments.last == "-h"
            #expect(try shown(arguments) == (isForProgram ? nil : Help.text(for: command)))
        }
    }

    @Test func `the version has three numbers`() throws {
        #expect(try shown(["--version"])?.contains(#/^pushpit \d+\.\d+\.\d+\n$/#) == true)
    }

    @Test func `serve is the default command`() throws {
        #expect(try command([]) == .serve)
        #expect(try command(["--log", "json"]) == .serve)
        #expect(try shown(["--log", "json", "--help"]) == Help.text(for: .serve))
        for expected in Command.allCases { #expect(try command([expected.rawValue]) == expected) }
    }

    private static let names =
        "serve, init, exec, env, browser, device, send, check, doctor, expect, rules, ready, completions"

    @Test(arguments: [
        (["frob"], "'frob' is not a command; the commands are \(names); see 'pushpit --help'"),
        (["srve"], "'srve' is not a command; did you mean 'serve'? The commands are \(names); see 'pushpit --help'"),
        (["help", "frob"], "'frob' is not a command; the commands are \(names); see 'pushpit --help'"),
        (["--version", "x"], "'x' is unexpected after --version; see 'pushpit --help'"),
        (["--help", "serve"], "'serve' is unexpected after --help; see 'pushpit --help'"),
        (["--frob"], "'--frob' is not an option of 'pushpit serve'; see 'pushpit serve --help'"),
    ]) func `a wrong command line is refused`(arguments: [String], message: String) {
        #expect(CommandLineCase.usageError { () throws(ExitFailure) in _ = try action(arguments) } == message)
    }

    @Test func `failures have the exit codes of sysexits`() {
        #expect(ExitFailure.usage("x", nil).code == 64)
        #expect(ExitFailure.unavailable("x").code == 69)
        #expect(ExitFailure.badConfiguration("x").code == 78)
    }
}
