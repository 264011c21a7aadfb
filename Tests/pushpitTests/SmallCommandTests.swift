import EventLoop
import Gateway
import JSON
import RuleTables
import Testing

@testable import pushpit

/// `pushpit rules`, the URL of `pushpit ready`, and the parts of the banner.
@Suite struct SmallCommandTests {
    private func rules(_ arguments: [String]) throws(ExitFailure) -> String {
        try Rules.text(try CommandLineCase.options(.rules, arguments))
    }

    @Test func `the rules are listed as text, as a table and as JSON`() throws {
        let count = RuleBook.all.count
        #expect(try rules([]).split(separator: "\n").filter { !$0.hasPrefix(" ") }.count == count)
        #expect(
            try rules(["--format", "markdown"]).split(separator: "\n").filter { $0.hasPrefix("| `") }.count == count)
        #expect(try JSONDocument(parsing: Array(rules(["--json"]).utf8)).root.count == count)
        #expect(try rules(["--format", "fcm-fields"]).hasPrefix("# FCM's fields\n"))
    }

    @Test func `a rule has its id, effect, meaning and remedy`() throws {
        let lines = try rules(["apns.BadDeviceToken"]).split(separator: "\n")
        #expect(lines.count == 4)
        #expect(lines[0] == "apns.BadDeviceToken")
        #expect(lines[1].hasPrefix("  400; "))
        #expect(lines[2].hasPrefix("  ") && lines[3].hasPrefix("  "))
    }

    @Test func `arguments select rules by their prefixes`() throws {
        let ids = try rules(["media.", "fcm.topic-name"]).split(separator: "\n").filter { !$0.hasPrefix(" ") }
        #expect(ids.contains("fcm.topic-name"))
        #expect(ids.count > 3 && ids.allSatisfy { $0.hasPrefix("media.") || $0 == "fcm.topic-name" })
        let error = CommandLineCase.usageError { () throws(ExitFailure) in _ = try rules(["nothing"]) }
        #expect(error == "no rule starts with 'nothing'; 'pushpit rules' lists all; see 'pushpit rules --help'")
        let format = CommandLineCase.usageError { () throws(ExitFailure) in _ = try rules(["--format", "xml"]) }
        #expect(format?.hasPrefix("--format 'xml' must be one of text, markdown, fcm-fields") == true)
    }

    @Test(arguments: [
        ("http://127.0.0.1:2197", "127.0.0.1:2197"), ("https://localhost:1/", "127.0.0.1:1"),
        ("http://[::1]:5", "[::1]:5"), ("http://LOCALHOST:80", "LOCALHOST:80"),
    ]) func `a URL has a scheme, a host and a port`(url: String, address: String) throws {
        let gateway = try Ready.gateway(CommandLineCase.options(.ready, ["--url", url]))
        #expect(gateway.url == url)
        #expect(gateway.address.description == address)
    }

    @Test(arguments: [
        ("ftp://127.0.0.1:1", "does not begin with http:// or https://"),
        ("127.0.0.1:1", "does not begin with http:// or https://"), ("http://127.0.0.1", "has no port"),
        ("http://127.0.0.1:1/path", "has a path after the port"), ("http://127.0.0.1:1?a", "has a path after the port"),
        ("http://me@127.0.0.1:1", "has a user name"), ("http://127.0.0.1:x", "has no port from 0 to 65535"),
        ("http://:1", "has no host"),
    ]) func `the error for another URL says what is wrong with it`(url: String, problem: String) {
        for command in [Command.ready, .expect, .device] {
            let error = CommandLineCase.usageError { () throws(ExitFailure) in
                _ = try Ready.gateway(CommandLineCase.options(command, ["--url", url]))
            }
            #expect(error?.hasPrefix("--url '\(url)' \(problem)") == true, "\(error ?? "accepted")")
            #expect(error?.contains(": write it like http://localhost:2197; see 'pushpit ") == true)
        }
    }

    @Test(arguments: [(0, 5), (250, 250_000_005), (.max, 1_099_511_627_776_000_005)] as [(UInt64, UInt64)])
    func `ready waits as long as it should, even if that is for ever`(wait: UInt64, end: UInt64) {
        #expect(Ready.end(of: wait, from: 5) == end)
    }

    @Test(
        arguments: [
            (401, 77, "NO"), (403, 77, "NO"), (nil, 69, "NO; GO"),
            (404, 69, "NO; check that a gateway listens there"),
        ] as [(Int?, Int32, String)]) func `device ends like expect if the gateway refuses it`(
            status: Int?, code: Int32, message: String
        )
    {
        #expect(DeviceCommand.failure("NO", status: status, "; GO") == ExitFailure(code: code, message: message))
    }

    @Test(
        arguments: [
            ([], [:], "; start a gateway with 'pushpit', or set PUSHPIT_URL to the URL that yours has printed"),
            (
                ["--url", "http://a:1"], [:],
                ", which --url names; start a gateway there with 'pushpit', or correct --url"
            ),
            (
                [], ["PUSHPIT_URL": "http://a:1"],
                ", which PUSHPIT_URL names; start a gateway there with 'pushpit', or correct PUSHPIT_URL"
            ),
        ] as [([String], [String: String], String)]) func `a gateway that does not answer is named by its option`(
            arguments: [String], environment: [String: String], text: String
        ) throws
    {
        let options = try Options(arguments, for: .expect) { environment[$0] }
        #expect(Ready.remedy(options) == text)
    }

    @Test func `a host that nothing knows is no mistake in the command`() {
        let error = #expect(throws: ExitFailure.self) {
            _ = try Ready.gateway(CommandLineCase.options(.expect, ["--url", "http://no-such-host.invalid:2197"]))
        }
        #expect(error?.code == 69)
        #expect(error?.message?.hasPrefix("--url 'http://no-such-host.invalid:2197' has a host that cannot be") == true)
    }

    @Test(arguments: [
        ("certs/ca.pem", "certs/ca.pem"), ("/a-b_c.d/1", "/a-b_c.d/1"), ("my certs/ca.pem", "'my certs/ca.pem'"),
        ("it's", #"'it'\''s'"#), ("a$b", "'a$b'"), ("ä", "'ä'"),
    ]) func `the banner quotes paths for the shell`(path: String, expected: String) {
        #expect(Banner.quoted(path) == expected)
    }

    @Test(arguments: [
        ("127.0.0.1", "localhost:2197"), ("0.0.0.0", "localhost:2197"), ("::1", "[::1]:2197"), ("::", "[::1]:2197"),
        ("192.0.2.2", "192.0.2.2:2197"), ("2001:db8::1", "[2001:db8::1]:2197"),
    ]) func `the banner names a host that is in the certificate`(host: String, expected: String) {
        let address = SocketAddress(host: host, port: 2197)
        #expect(Banner.site(address) == expected)
        // Other machines use the name that the certificate has.
        let isLocal = expected.hasPrefix("localhost") || expected.hasPrefix("[::1]")
        #expect(Banner.site(address, name: "push.test") == (isLocal ? expected : "push.test:2197"))
    }
}
