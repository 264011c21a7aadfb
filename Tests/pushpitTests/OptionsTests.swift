import Testing

@testable import pushpit

/// How options are parsed: from the command line, from the environment, and from the defaults.
@Suite struct OptionsTests {
    private typealias Case = CommandLineCase

    @Test func `a value follows a space or an equals sign`() throws {
        #expect(try Case.options(.serve, ["--certs", "a"]).text("certs") == "a")
        #expect(try Case.options(.serve, ["--certs=a"]).text("certs") == "a")
        #expect(try Case.options(.serve, ["--certs=a=b"]).text("certs") == "a=b")
        #expect(try Case.options(.serve, ["--certs", "--log"]).text("certs") == "--log")
    }

    @Test func `the command line wins over the environment, and that over the default`() throws {
        let variables = ["PUSHPIT_CERTS": "variable"]
        #expect(try Case.options(.initialize).text("certs") == "certs")
        #expect(try Case.options(.initialize, [], variables).text("certs") == "variable")
        #expect(try Case.options(.initialize, ["--certs", "flag"], variables).text("certs") == "flag")
    }

    @Test func `an empty variable counts as not set`() throws {
        #expect(try Case.options(.initialize, [], ["PUSHPIT_CERTS": ""]).text("certs") == "certs")
        #expect(try Case.options(.serve, [], ["PUSHPIT_DATA": ""]).text("data") == nil)
    }

    @Test func `an empty value on the command line is refused`() {
        let error = Case.usageError { () throws(ExitFailure) in
            _ = try Case.options(.serve, ["--certs", ""]).text("certs")
        }
        #expect(error == "--certs '' must not be empty; see 'pushpit serve --help'")
    }

    @Test func `the last of several values counts`() throws {
        #expect(try Case.options(.serve, ["--certs", "a", "--certs=b"]).text("certs") == "b")
        #expect(try Case.options(.serve, ["--log", "text", "--log=json"]).list("log") == ["text", "json"])
    }

    @Test func `a list is repeated on the command line and has commas in the environment`() throws {
        let flags = ["--allow-host", "a", "--allow-host=b,c"]
        #expect(try Case.options(.serve, flags).list("allow-host") == ["a", "b,c"])
        let variables = ["PUSHPIT_ALLOW_HOST": "a,b,,c", "PUSHPIT_CERTS": "x,y"]
        #expect(try Case.options(.serve, [], variables).list("allow-host") == ["a", "b", "", "c"])
        #expect(try Case.options(.serve, [], variables).text("certs") == "x,y")
        #expect(try Case.options(.serve, ["--allow-host=z"], variables).list("allow-host") == ["z"])
    }

    @Test(arguments: [
        (["--json"], "on"), (["--json", "on"], "on"), (["--json", "off"], "off"), (["--json=off"], "off"),
        (["--json", "--within", "1s"], "on"), ([], "off"), (["--json="], ""),
    ]) func `the value of a switch may be left out`(arguments: [String], expected: String) throws {
        #expect(try Case.options(.expect, arguments).list("json").last == expected)
    }

    @Test func `what follows two dashes is an argument, even if it looks like an option`() throws {
        let options = try Case.options(.send, ["--dry-run", "--", "--to", "-x"])
        #expect(options.operands == ["--to", "-x"])
        #expect(try options.choice("dry-run", Switch.self) == .on)
        #expect(try Case.options(.check, ["a", "--"]).operands == ["a"])
        for words in [["--expect", "--", "true"], ["--certs", "--", "true"]] {
            let error = Case.usageError { () throws(ExitFailure) in _ = try Case.options(.exec, words) }
            #expect(error?.hasPrefix("\(words[0]) needs a value: ") == true)
        }
        #expect(try Case.options(.exec, ["--report", "json", "--", "true"]).list("report") == ["json"])
        let action = try Main.action(for: ["check", "--", "--help"], environment: { _ in nil })
        guard case .run(.check, let check) = action else { return #expect(Bool(false), "\(action)") }
        #expect(check.operands == ["--help"])
        let error = Case.usageError { () throws(ExitFailure) in _ = try Case.options(.serve, ["--", "a"]) }
        #expect(error?.hasPrefix("'--' is not an option") == true)
    }

    @Test func `a variable that sets no option is found`() {
        let names = [
            "PATH", "PUSHPIT_LOG", "PUSHPIT_LOGLEVEL", "PUSHPIT_FROBNICATE", "PUSHPIT_LOGLEVEL", "PUSHPIT_PORT",
            "PUSHPIT_SERVICE_HOST", "PUSHPIT_PORT_2197_TCP",
        ]
        let found = UnknownVariables.find(in: names, for: .serve)
        #expect(found.map(\.name) == ["PUSHPIT_FROBNICATE", "PUSHPIT_LOGLEVEL"])
        #expect(found.last?.remedy == "did you mean PUSHPIT_LOG_LEVEL?")
        #expect(
            UnknownVariables.warnings(for: .check, in: names) == [
                "pushpit: warning: no option reads the variable PUSHPIT_FROBNICATE; "
                    + "'pushpit check --help' lists the variables of this command",
                "pushpit: warning: no option reads the variable PUSHPIT_LOGLEVEL; did you mean PUSHPIT_LOG_LEVEL?",
            ])
        #expect(UnknownVariables.processNames().contains("PATH"))
    }

    @Test func `a switch without a value leaves the next argument alone`() throws {
        let options = try Case.options(.expect, ["--never", "app=a", "--json", "off", "on=1"])
        #expect(options.operands == ["app=a", "on=1"])
        #expect(try options.choice("never", Switch.self) == .on)
        #expect(try options.choice("json", Switch.self) == .off)
    }

    @Test(arguments: [
        (Command.device, "maybe"), (.expect, "maybe"), (.device, "a=b"),
    ]) func `a word that can only be the value of a switch counts as its value`(command: Command, word: String) throws {
        let options = try Case.options(command, ["--json", word])
        #expect(options.operands == [])
        let error = Case.usageError { () throws(ExitFailure) in _ = try options.choice("json", Switch.self) }
        #expect(error == "--json '\(word)' must be one of on, off; see 'pushpit \(command.rawValue) --help'")
    }

    @Test func `arguments keep their order, and a hyphen is one`() throws {
        let options = try Case.options(.check, ["b", "--type", "alert", "-", "a"])
        #expect(options.operands == ["b", "-", "a"])
    }

    static let errors: [(command: Command, arguments: [String], message: String)] = [
        (.serve, ["--frob"], "'--frob' is not an option of 'pushpit serve'; see 'pushpit serve --help'"),
        (.initialize, ["--listen", "x"], "'--listen' is not an option of 'pushpit init'; see 'pushpit init --help'"),
        (
            .serve, ["--lisen", "x"],
            "'--lisen' is not an option of 'pushpit serve'; did you mean --listen?; see 'pushpit serve --help'"
        ),
        (
            .serve, ["--port=1"],
            "'--port=1' is not an option of 'pushpit serve'; did you mean --listen?; see 'pushpit serve --help'"
        ),
        (
            .expect, ["--whithin"],
            "'--whithin' is not an option of 'pushpit expect'; did you mean --within?; see 'pushpit expect --help'"
        ),
        (.serve, ["-x"], "'-x' is not an option of 'pushpit serve'; see 'pushpit serve --help'"),
        (.serve, ["-"], "'-' is not an option of 'pushpit serve'; see 'pushpit serve --help'"),
        (.ready, ["x"], "'x' is unexpected: 'pushpit ready' takes no arguments; see 'pushpit ready --help'"),
        (.check, ["a", "-v"], "'-v' is not an option of 'pushpit check'; see 'pushpit check --help'"),
        (.serve, ["--certs"], "--certs needs a value: --certs <dir>; see 'pushpit serve --help'"),
        (
            .serve, ["--log=json", "--listen"],
            "--listen needs a value: --listen <[role=]host:port>; see 'pushpit serve --help'"
        ),
    ]

    @Test(arguments: errors.indices) func `a wrong command line is refused`(row: Int) {
        let (command, arguments, message) = Self.errors[row]
        let error = Case.usageError { () throws(ExitFailure) in _ = try Case.options(command, arguments) }
        #expect(error == message)
    }

    @Test(arguments: [
        ("0", true), ("2048", true), ("5", true), ("2049", false), ("-1", false), ("+5", false), ("x", false),
        ("", false), ("5 ", false), ("99999999999", false),
    ])
    func `a number has only digits and is in its range`(text: String, isValid: Bool) throws {
        let options = try Case.options(.serve, ["--streams", text])
        let error = Case.usageError { () throws(ExitFailure) in _ = try options.number("streams", 0...2048) }
        #expect((error == nil) == isValid)
        if !isValid {
            #expect(error == "--streams '\(text)' must be a number from 0 to 2048; see 'pushpit serve --help'")
        }
    }

    @Test(arguments: [("250ms", 250), ("5s", 5000), ("1m", 60_000), ("1h", 3_600_000), ("0s", 0)])
    func `a duration has a unit`(text: String, milliseconds: UInt64) throws {
        #expect(try Case.options(.ready, ["--wait", text]).duration("wait") == milliseconds)
    }

    @Test(arguments: ["5", "s", "-1s", "+5s", "1.5s", "1d", "", "5 s", "99999999999s"])
    func `other durations are refused`(text: String) throws {
        let options = try Case.options(.ready, ["--wait", text])
        let error = Case.usageError { () throws(ExitFailure) in _ = try options.duration("wait") }
        #expect(error?.hasPrefix("--wait '\(text)' must be a duration like 250ms, 5s, 1m or 1h; ") == true)
    }

    @Test func `a duration without a default may be missing`() throws {
        #expect(try Case.options(.serve).optionalDuration("keep-for") == nil)
        #expect(try Case.options(.serve, ["--keep-for=1s"]).optionalDuration("keep-for") == 1000)
    }

    @Test func `an error names the variable that the value came from`() throws {
        let options = try Case.options(.serve, [], ["PUSHPIT_STREAM_DROP": "maybe", "PUSHPIT_STREAMS": "0"])
        let choice = Case.usageError { () throws(ExitFailure) in _ = try options.choice("stream-drop", Switch.self) }
        #expect(choice == "PUSHPIT_STREAM_DROP 'maybe' must be one of on, off; see 'pushpit serve --help'")
        let number = Case.usageError { () throws(ExitFailure) in _ = try options.number("streams", 1...2048) }
        #expect(number?.hasPrefix("PUSHPIT_STREAMS '0' must be a number from 1 to 2048") == true)
    }

    @Test(arguments: Command.allCases) func `every option can be set by its variable`(command: Command) throws {
        for option in command.options {
            let options = try Case.options(command, [], [option.environmentName: "value"])
            #expect(options.list(option.name) == ["value"], "\(option.name)")
        }
    }

    @Test(arguments: Command.allCases) func `the table has each option of a command once, with an allowed default`(
        command: Command
    ) {
        let names = command.options.map(\.name)
        #expect(Set(names).count == names.count)
        for option in command.options {
            #expect(option.name.utf8.allSatisfy { 0x61...0x7A ~= $0 || $0 == 0x2D })
            #expect(option.help.hasSuffix("."))
            if let value = option.defaultValue, !option.values.isEmpty { #expect(option.values.contains(value)) }
            if option.isFlag { #expect(option.values == ["on", "off"]) }
        }
    }
}
