import Platform
import PushCore
import TestSupport
import Testing

@testable import pushpit

/// Options of `pushpit send` that would otherwise be ignored, or make a request that no server can read.
@Suite struct SendOptionsTests {
    private func error(_ arguments: [String], _ variables: [String: String] = [:], for provider: Provider) -> String? {
        CommandLineCase.usageError { () throws(ExitFailure) in
            try SendOptions.check(try CommandLineCase.options(.send, arguments, variables), for: provider, in: "a.json")
        }
    }

    private static let values = ["dry-run": "on", "sandbox": "on"]

    @Test(arguments: SendOptions.rows.map(\.name))
    func `an option for the other kind of push is refused`(name: String) throws {
        let row = try #require(SendOptions.rows.first { $0.name == name })
        let value = Self.values[name] ?? "x"
        let other = row.provider == .apns ? Provider.fcm : .apns
        let problem =
            other == .apns
            ? "is for FCM messages, and a.json is not one" : "is for APNs payloads, but a.json is an FCM message"
        let rest = "'\(value)' \(problem): \(row.remedy); see 'pushpit send --help'"
        #expect(error(["--\(name)=\(value)"], for: other) == "--\(name) \(rest)")
        #expect(error(["--\(name)=\(value)"], for: row.provider) == nil)
        let variable = "PUSHPIT_" + name.uppercased().replacing("-", with: "_")
        #expect(error([], [variable: value], for: other) == "\(variable) \(rest)")
        #expect(error(["--to", "a", "--topic", "b"], for: other) == nil)
    }

    @Test func `a switch that is off is not refused`() {
        #expect(error(["--dry-run=off"], for: .apns) == nil)
        #expect(error(["--sandbox=off"], for: .fcm) == nil)
    }

    @Test(arguments: [(#"{"aps":{}}"#, "--dry-run"), (#"{"message":{"topic":"a"}}"#, "--type=alert")])
    func `send refuses such an option before it connects`(body: String, option: String) throws {
        let scratch = Scratch()
        let path = scratch.path("push.json")
        try Files.write(Array(body.utf8), to: path, mode: 0o600)
        let message = CommandLineCase.usageError { () throws(ExitFailure) in
            try Send.run(
                try CommandLineCase.options(.send, [path, "--to", "a1", option, "--certs", scratch.directory]))
        }
        #expect(message?.contains("\(path) is") == true, "\(message ?? "")")
    }

    @Test(arguments: [
        ("a1b2 c3d4", "a1b2c3d4"), ("<a1b2 c3d4>", "a1b2c3d4"), ("<a1b2c3d4>", "a1b2c3d4"), ("a1\nb2", "a1b2"),
        ("a1\u{A0}b2", "a1b2"),
    ]) func `a device token with blanks or brackets is refused with the digits to write`(token: String, digits: String)
        throws
    {
        let message = CommandLineCase.usageError { () throws(ExitFailure) in
            _ = try SendOptions.deviceToken(try CommandLineCase.options(.send, ["--to", token]))
        }
        #expect(
            message
                == "--to '\(token.onOneLine)' has blanks or brackets, as in the description "
                + "of NSData: write only the hex digits, \(digits); see 'pushpit send --help'")
    }

    @Test(arguments: ["a1b2", "zz", "a/b?c", "ä"])
    func `a wrong device token is sent, so that the gateway refuses it`(token: String) throws {
        #expect(try SendOptions.deviceToken(CommandLineCase.options(.send, ["--to", token])) == token)
    }

    static let headerOptions = ["type", "priority", "collapse-id", "expiration"]

    @Test(arguments: headerOptions) func `no header field gets a control character`(name: String) {
        let values = [
            ("a\nb", "contains the control character \\u000a (byte 2)"),
            ("\rb", "contains the control character \\u000d (byte 1)"),
            ("ab\u{7F}", "contains the control character \\u007f (byte 3)"), (" a", "begins or ends with a blank"),
            ("a ", "begins or ends with a blank"),
        ]
        for (value, problem) in values {
            let message = CommandLineCase.usageError { () throws(ExitFailure) in
                _ = try SendOptions.fields(CommandLineCase.options(.send, ["--\(name)", value]), topic: "t")
            }
            #expect(
                message == "--\(name) \(problem), which no header field can have: remove it; see 'pushpit send --help'")
        }
    }

    @Test(arguments: [Command.send, .expect, .device, .serve])
    func `an API token that no header field can have is refused without showing it`(command: Command) throws {
        let options = try CommandLineCase.options(command, ["--api-token", "secret\n"])
        let message = CommandLineCase.usageError { () throws(ExitFailure) in _ = try options.headerValue("api-token") }
        #expect(message?.hasPrefix("--api-token contains the control character \\u000a (byte 7)") == true)
        #expect(message?.contains("secret") == false)
    }

    @Test func `a topic from the payload is checked like --topic`() {
        let message = CommandLineCase.usageError { () throws(ExitFailure) in
            _ = try Send.simulatorTopic(Array(#"{"Simulator Target Bundle":"a\nb"}"#.utf8))
        }
        #expect(message?.hasPrefix("'Simulator Target Bundle' in the payload contains the control character") == true)
    }
}
