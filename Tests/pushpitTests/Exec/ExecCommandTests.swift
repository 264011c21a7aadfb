import JSON
import Testing
import Tracing

@testable import pushpit

/// The command line of `exec`, how it ends, and the file of `--expect`.
@Suite struct ExecCommandTests {
    private func options(_ arguments: [String], _ variables: [String: String] = [:]) throws(ExitFailure) -> Options {
        try CommandLineCase.options(.exec, arguments, variables)
    }

    @Test(arguments: [
        ["curl", "-v", "--via", "x"], ["--", "curl", "-v", "--via", "x"],
        ["--via", "proxy", "curl", "-v", "--via", "x"],
        ["--test-endpoints", "curl", "-v", "--via", "x"], ["--test-endpoints", "on", "--", "curl", "-v", "--via", "x"],
    ]) func `the first word that is no option begins the command`(arguments: [String]) throws {
        #expect(try options(arguments).operands == ["curl", "-v", "--via", "x"])
    }

    @Test func `after two hyphens a command may begin with one`() throws {
        #expect(try options(["--", "-x", "--", "y"]).operands == ["-x", "--", "y"])
        #expect(
            CommandLineCase.usageError { () throws(ExitFailure) in _ = try options(["-x"]) }?.hasPrefix(
                "'-x' is not an option") == true)
    }

    @Test(arguments: [
        (["curl", "--help"], false), (["--via", "proxy", "curl", "-h"], false), (["--", "--help"], false),
        (["--help", "curl"], true), (["--via", "proxy", "-h"], true),
        (["--test-endpoints", "--help"], true), (["--test-endpoints", "on", "--help"], true),
    ]) func `only words before the command can ask for help`(arguments: [String], isHelp: Bool) throws {
        let words = Options.leadingWords(arguments[...], of: .exec)
        #expect((words.contains("--help") || words.contains("-h")) == isHelp)
    }

    @Test func `a command is needed`() {
        for arguments in [[], ["--"], ["--via", "proxy"]] {
            let error = CommandLineCase.usageError { () throws(ExitFailure) in
                _ = try ExecPlan(try options(arguments))
            }
            #expect(error?.hasPrefix("exec needs a command to run") == true)
        }
    }

    @Test func `exec has the options of serve except those about its start and its place`() {
        let onlyServe: Set = ["listen", "ready-file", "exit-on-stdin-eof", "server-name", "share-credentials", "demo"]
        let names = Set(Command.exec.options.map(\.name))
        #expect(
            names
                == Set(Command.serve.options.map(\.name)).subtracting(onlyServe).union([
                    "via", "expect", "report", "url",
                ]))
        #expect(names.count == Command.exec.options.count)
        #expect(Command.exec.options.first { $0.name == "log-level" }?.defaultValue == "warning")
    }

    @Test func `the key file that exec names is no option of a gateway inside`() throws {
        let variables = ["PUSHPIT_APNS_KEY": "/k.p8", "PUSHPIT_APNS_KEY_ID": "ABC"]
        #expect(try options(["x"], variables).list("apns-key").isEmpty)
        #expect(try options(["x"], ["PUSHPIT_APNS_KEY": "k:a:b"]).list("apns-key") == ["k:a:b"])
        #expect(UnknownVariables.find(in: GatewayVariables.names, for: .serve).isEmpty)
        let usual = try options(["x"], [:]).text("keep-messages")
        for (keep, isOption) in [("1", false), ("500", true)] {
            let inside = ["PUSHPIT_KEEP_MESSAGES": keep, "PUSHPIT_APNS_KEY_ID": "ABC"]
            #expect(try options(["x"], inside).text("keep-messages") == (isOption ? keep : usual))
        }
        #expect(try options(["x"], ["PUSHPIT_KEEP_MESSAGES": "1"]).text("keep-messages") == "1")
    }

    @Test(
        arguments: [
            (.exited(7), "run", 7, nil), (.killed(signal: 15), "run", 143, "'run' was ended by signal 15"),
            (.notExecuted(error: 2), "run", 127, "cannot run 'run': no directory in PATH has it"),
            (
                .notExecuted(error: 2), "./r", 127,
                "cannot run './r': there is no such file, or its interpreter is missing"
            ),
            (
                .notExecuted(error: 13), "./r", 126,
                "cannot run './r': it is not an executable file; 'chmod +x' makes a script one"
            ),
            (.notExecuted(error: 7), "r", 126, "cannot run 'r': Argument list too long"),
            (
                .notSupervised(error: 1), "r", 69,
                "this system does not allow a supervisor for 'r' (Operation not permitted); use --via proxy"
            ),
            (.notStarted(error: 11), "r", 71, "cannot start 'r': Resource temporarily unavailable"),
            (.lost, "r", 71, "the process that watches 'r' was killed, so the command was ended too"),
        ] as [(CommandEnd, String, Int32, String?)]) func `each end has a code and at most one sentence`(
            end: CommandEnd, name: String, code: Int32, message: String?
        )
    {
        let command = ExecCommand(words: [Array(name.utf8)])
        #expect(command.failure(end) == ExitFailure(code: code, message: message))
        #expect(command.failure(.exited(0)) == nil)
    }
}
