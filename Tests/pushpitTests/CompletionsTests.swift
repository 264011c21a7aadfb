import Testing

@testable import pushpit

/// The scripts of `pushpit completions`. `Tests/Conformance/packages/test_completions.py` runs them in the shells.
@Suite struct CompletionsTests {
    private func text(_ shell: String) throws(ExitFailure) -> String {
        try Completions.text(try CommandLineCase.options(.completions, [shell]))
    }

    @Test(arguments: Completions.Shell.allCases.map(\.rawValue))
    func `each script has every command and every option`(shell: String) throws {
        let script = try text(shell)
        for command in Command.allCases {
            #expect(script.contains(command.rawValue))
            for option in command.options {
                #expect(script.contains(shell == "fish" ? "-l \(option.name) " : "--\(option.name)"), "\(option.name)")
            }
        }
    }

    @Test(arguments: [
        ([], "completions needs one shell: bash, zsh, fish"),
        (["bash", "zsh"], "completions needs one shell: bash, zsh, fish"),
        (["ksh"], "'ksh' must be one of bash, zsh, fish"),
    ]) func `any other arguments are refused`(arguments: [String], message: String) {
        let error = CommandLineCase.usageError { () throws(ExitFailure) in
            _ = try Completions.text(try CommandLineCase.options(.completions, arguments))
        }
        #expect(error == "\(message); see 'pushpit completions --help'")
    }

    @Test(
        arguments: [
            ("certs", .directories), ("api-token-file", .files), ("apns-key", .files),
            ("report", .words(["json=", "junit="])),
            ("log", .words(["text", "json"])), ("listen", .nothing), ("data", .directories), ("expect", .files),
        ] as [(String, Completions.Offer)])
    func `a value is completed as its placeholder says`(name: String, offer: Completions.Offer) throws {
        let option = try #require(Option.table.first { $0.name == name })
        #expect(Completions.offer(for: option) == offer)
    }

    @Test(arguments: [
        ("auth", "How credentials are checked"), ("quotas", "Whether to enforce Google's quotas"),
        ("certs", "The directory of keys and certificates"), ("listen", "The address and port to listen on"),
    ]) func `a summary has no details`(name: String, summary: String) throws {
        let option = try #require(Option.serveOptions.first { $0.name == name })
        #expect(Completions.summary(option) == summary)
    }

    @Test func `no summary is empty`() {
        for option in Option.table { #expect(Completions.summary(option).count > 8, "\(option.name)") }
    }

    @Test func `text for a shell is quoted`() throws {
        #expect(try text("zsh").contains(#"[Whether to enforce Google'\''s quotas]"#))
        #expect(try text("zsh").contains(#":\[role=\]host\:port: '"#))
        #expect(try text("fish").contains(#"'Whether to enforce Google\'s quotas'"#))
    }
}
