import EventLoop
import Testing

@testable import pushpit

/// What `pushpit env` prints, and the options of `exec --url`.
@Suite struct EnvTests {
    @Test(
        arguments: [
            ("a", "export N='a'"), ("", "export N=''"),
            ("it's $HOME `x` \\ \"\n!", "export N='it'\\''s $HOME `x` \\ \"\n!'"),
            // A combining mark makes the quote another character, but not for the shell.
            ("'\u{301};x", "export N=''\\''\u{301};x'"),
            (nil, "unset N"),
        ] as [(String?, String)]) func `a shell reads every value as it is`(value: String?, line: String)
    {
        #expect(EnvText.shell("N", value) == line)
    }

    @Test(
        arguments: [
            ("/a-b_c.d:e,f=1~%2F@[::1]", "N=/a-b_c.d:e,f=1~%2F@[::1]"), ("", "N="), ("a b", "N='a b'"),
            ("a #b", "N='a #b'"),
            ("$HOME", "N='$HOME'"), ("a\\b", "N='a\\b'"), ("é", "N='é'"), ("a\nb", "N='a\nb'"),
            ("it's", "N=\"it's\""), ("it's \"x\" \\", "N=\"it's \\\"x\\\" \\\\\""), ("a\\", "N=\"a\\\\\""), (nil, nil),
            ("'\u{301} \"\u{301} \\\u{301}", "N=\"'\u{301} \\\"\u{301} \\\\\u{301}\""),
        ] as [(String?, String?)]) func `Compose reads every value as it is`(value: String?, line: String?) throws
    {
        #expect(try EnvText.dotenv("N", value) == line)
    }

    @Test(
        arguments: [
            ("https://me:secret@proxy:1", "https://…@proxy:1"), ("me:a/b@proxy", "…@proxy"),
            ("http://proxy:1", "http://proxy:1"),
            ("socks5://a@b@proxy", "socks5://…@proxy"),
        ]) func `no message shows the password of a proxy`(url: String, shown: String)
    {
        #expect(Serve.withoutUser(url) == shown)
    }

    @Test(arguments: ["it's $x", "$x\\", "it's\n"]) func `a value that Compose can't read is an error`(value: String) {
        let error = #expect(throws: ExitFailure.self) { _ = try EnvText.dotenv("N", value) }
        #expect(error?.message?.hasPrefix("N can't be written for Docker Compose") == true)
    }

    @Test func `every variable is listed once`() {
        #expect(Set(ClientEnvironment.names).count == ClientEnvironment.names.count)
        #expect(ClientEnvironment.names.contains("PUSHPIT_API_TOKEN"))
        #expect(ClientEnvironment.names.contains("NODE_USE_ENV_PROXY"))
    }

    private func running(_ arguments: [String], _ variables: [String: String]) throws(ExitFailure) -> RunningGateway {
        let options = try CommandLineCase.options(.exec, arguments, variables)
        guard let url = try GatewayURL(options) else { throw .usage("no URL", .exec) }
        return try RunningGateway(url, certificates: try options.text("certs"), options)
    }

    @Test func `a gateway that runs gets no settings`() throws {
        let given = [
            "--url", "http://localhost:1", "--certs", "c", "--api-token", "t", "--via", "proxy", "--expect", "e",
        ]
        #expect(try running(given, ["PUSHPIT_AUTH": "off"]).address == SocketAddress(host: "127.0.0.1", port: 1))
        let settings = Command.exec.options.map(\.name).filter { !Option.namesForRunningGateway.contains($0) }
        #expect(settings.count > 20)
        for name in settings {
            let error = CommandLineCase.usageError { () throws(ExitFailure) in
                _ = try running(given + ["--\(name)=x"], [:])
            }
            #expect(error?.hasPrefix("--\(name) configures a gateway that exec starts, but --url names one") == true)
        }
        let error = CommandLineCase.usageError { () throws(ExitFailure) in
            _ = try running(["--auth", "off"], ["PUSHPIT_URL": "http://localhost:1"])
        }
        #expect(error?.contains("but PUSHPIT_URL names one that runs") == true)
    }

    @Test func `a gateway that runs needs its credentials`() {
        let error = #expect(throws: ExitFailure.self) { _ = try running(["--url", "http://localhost:1"], [:]) }
        #expect(
            error
                == .unavailable(
                    "no gateway answers at http://localhost:1, which --url names; start a gateway there with 'pushpit', or leave out --url, and exec starts one itself"
                ))
    }
}
