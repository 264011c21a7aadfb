internal import JSON

/// What `--report` writes: how the command ended, what was pushed, and which expectations are met.
struct ExecReport {
    /// The name of the command.
    let command: String
    /// With its arguments.
    let commandLine: String
    /// How long the command ran; nil if that is not known.
    let milliseconds: Int64?
    /// The command's code as `exec` passes it on, and why it is not 0.
    let exit: Int32
    let failure: String?
    /// Empty if the command did not run.
    let expectations: [ExpectationResult]
    /// As `GET /messages` shows them, the oldest first. Empty if no report needs them.
    let messages: [JSONView]
    /// Why not all expectations were checked, or the pushes are not known; nil if neither is the case.
    let problem: String?

    /// Whether `exec` ends with 0.
    var isGood: Bool { exit == 0 && problem == nil && expectations.allSatisfy { $0.failure == nil } }

    init(
        of command: ExecCommand, _ ending: ExitFailure?, milliseconds: Int64? = nil, expectations: [ExpectationResult],
        messages: [JSONView], problem: String? = nil
    ) {
        self.problem = problem
        self.command = command.name
        commandLine = command.line
        self.milliseconds = milliseconds
        exit = ending?.code ?? 0
        failure = ending.map { $0.message ?? "'\(command.name)' exited with \($0.code)" }
        self.expectations = expectations
        self.messages = messages
    }

    var json: [UInt8] {
        var json = JSONWriter(.pretty)
        json.object { json in
            json.member("ok", isGood)
            json.member("exit", Int(exit))
            json.member("problem", problem)
            json.key("messages")
            json.array { json in for message in messages { json.value(message) } }
            json.key("expectations")
            json.array { json in for result in expectations { json.value(result) } }
        }
        return json.finish() + [0x0A]
    }
}
