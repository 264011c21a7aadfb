import Browsers
import Threads
import Platform
import TestSupport
import Testing
import Tracing

@testable import pushpit

/// `pushpit browser` before a browser starts, and after it has ended. Tests/Conformance/receivers starts browsers.
@Suite struct BrowserCommandTests {
    @Test(arguments: [
        ([], "browser needs chromium or firefox"),
        (["opera"], "'opera' must be chromium or firefox; --program names the program of another browser of that kind"),
        (["firefox", "http://a", "b"], "'b' is unexpected: browser takes one URL"),
        (["firefox", "a"], "the URL 'a' must begin with http:// or https://, like http://localhost:3000"),
        (["firefox", "--profile="], "--profile '' must not be empty"),
        (["firefox", "--headless=x"], "--headless 'x' must be one of on, off"),
        (
            ["firefox", "--program", "/etc/passwd"],
            "--program '/etc/passwd' must be the path of an executable file, like /usr/bin/firefox"
        ),
        (
            ["chromium", "--program", "/none"],
            "--program '/none' must be the path of an executable file, like /usr/bin/chromium"
        ),
        (
            ["chromium", "--program", "/tmp"],
            "--program '/tmp' must be the path of an executable file, like /usr/bin/chromium"
        ),
    ]) func `a wrong command line is refused`(arguments: [String], message: String) {
        let error = CommandLineCase.usageError { () throws(ExitFailure) in
            _ = try BrowserRequest(try CommandLineCase.options(.browser, arguments))
        }
        #expect(error == "\(message); see 'pushpit browser --help'")
    }

    @Test func `the word after --headless is the browser or the URL`() throws {
        let request = try BrowserRequest(
            try CommandLineCase.options(.browser, ["--headless", "firefox", "http://a", "--program", "/bin/sh"]))
        #expect(request.isHeadless && request.browser == .firefox && request.page?.url == "http://a")
        #expect(request.program.path == "/bin/sh")
    }

    @Test func `a gateway that does not answer is an error, unless it is the usual one`() throws {
        let options = try CommandLineCase.options(.browser, ["firefox", "--url", "http://127.0.0.1:1"])
        #expect {
            _ = try BrowserGateway.running(options)
        } throws: { error in
            (error as? ExitFailure)?.message
                == "no gateway answers at http://127.0.0.1:1: start it with 'pushpit', or leave out --url to start one for "
                + "the browser"
        }
    }

    private func failure(_ end: CommandEnd, _ said: String) -> ExitFailure? {
        let watch = BrowserWatch(.chromium) { _ in }
        _ = watch.receive(Array(said.utf8))
        return BrowserEnd(of: "/bin/chromium", .chromium, profile: "/p", watch).failure(end)
    }

    private static let started = "DevTools listening on ws://127.0.0.1:9/devtools/browser/x\n"

    @Test(
        arguments: [
            (.exited(0), started, nil), (.killed(signal: 15), started, nil), (.killed(signal: 2), "", nil),
            (.exited(1), started, "Chromium ended with the code 1"),
            (.killed(signal: 9), started, "'/bin/chromium' was ended by signal 9"),
            (
                .exited(21), "x SingletonLock: File exists (17)\n",
                "Chromium already runs with the profile /p: close it, or name another directory with --profile"
            ),
            (
                .exited(0), "Opening in existing browser session.\n",
                "Chromium already runs with the profile /p: close it, or name another directory with --profile"
            ),
            (.exited(1), "one\n\ntwo\n", "Chromium ended with the code 1 before it had started; it says:"),
            (.exited(1), "", "Chromium ended with the code 1 before it had started"),
        ] as [(CommandEnd, String, String?)])
    func `the end of a browser is explained`(end: CommandEnd, said: String, message: String?) {
        let failure = failure(end, said)
        #expect(failure?.message == message)
        if message?.hasSuffix("it says:") == true { #expect(failure?.details == ["one", "two"]) }
    }

    @Test func `the address is shown once`() {
        let shown = Lock([String]())
        let watch = BrowserWatch(.chromium) { address in shown.withLock { $0.append(address.url) } }
        #expect(!watch.receive(Array(Self.started.utf8.dropLast())))
        #expect(watch.receive([0x0A]) && watch.receive(Array(Self.started.utf8)))
        #expect(shown.withLock { $0 } == ["http://127.0.0.1:9"])
    }
}
