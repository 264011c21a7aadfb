import APNs
import HTTPCore
import PushCore
import Testing

@testable import pushpit

/// `pushpit send`: its arguments, the header fields of a push, and the lines for the answer.
@Suite struct SendTests {
    private func usageError(_ arguments: [String]) -> String? {
        CommandLineCase.usageError { () throws(ExitFailure) in
            try Send.run(try CommandLineCase.options(.send, arguments))
        }
    }

    @Test(arguments: [[], ["a", "b"]]) func `exactly one file is needed`(arguments: [String]) {
        #expect(
            usageError(arguments)
                == "send needs exactly one FILE, or - for standard input; see 'pushpit send --help'")
    }

    @Test func `a file that does not exist ends with 66`() {
        let failure = #expect(throws: ExitFailure.self) {
            try Send.run(try CommandLineCase.options(.send, ["/does/not/exist.json"]))
        }
        #expect(failure == ExitFailure(code: 66, message: "the file /does/not/exist.json does not exist"))
        let directory = #expect(throws: ExitFailure.self) { try Send.read("/") }
        #expect(directory?.code == 66)
        #expect(directory?.message?.contains("read /: ") == true)
    }

    @Test func `an APNs payload needs a device token, and the URL has to be one`() {
        // This file is not an FCM message.
        #expect(usageError([#filePath]) == "send needs --to TOKEN for an APNs payload; see 'pushpit send --help'")
        #expect(
            usageError([#filePath, "--to", "a1", "--url", "ftp://localhost:1"])?.hasPrefix(
                "--url 'ftp://localhost:1' does not begin with http:// or https://") == true)
    }

    @Test func `only the given options become header fields, and the gateway checks them`() throws {
        let none = try CommandLineCase.options(.send)
        #expect(try SendOptions.fields(none, topic: "t").map { "\($0.0): \($0.1)" } == ["apns-topic: t"])
        let background = try CommandLineCase.options(.send, ["--type", "background"])
        #expect(
            try SendOptions.fields(background, topic: "t").map { "\($0.0): \($0.1)" } == [
                "apns-topic: t", "apns-push-type: background", "apns-priority: 5",
            ])
        let all = try CommandLineCase.options(
            .send, ["--type", "x y", "--priority", "7", "--collapse-id", "c", "--expiration=soon"])
        #expect(
            try SendOptions.fields(all, topic: "t").map { "\($0.0): \($0.1)" } == [
                "apns-topic: t", "apns-push-type: x y", "apns-priority: 7", "apns-collapse-id: c",
                "apns-expiration: soon",
            ])
    }

    @Test(arguments: [
        (#"{"aps":{},"Simulator Target Bundle":"com.example.a"}"#, "com.example.a"), (#"{"aps":{}}"#, nil),
        (#"{"Simulator Target Bundle":1}"#, nil), ("{", nil),
    ]) func `the topic can be in the payload`(body: String, topic: String?) throws {
        #expect(try Send.simulatorTopic(Array(body.utf8)) == topic)
    }

    @Test(arguments: [
        ("my-project", true), ("123456", true), ("example.com:my-project", true), ("a_b", true), ("a/b", false),
        ("a b", false), ("ä", false), ("a%2Fb", false),
    ]) func `a project id has letters, digits and a few signs`(project: String, isValid: Bool) {
        #expect(project.utf8.allSatisfy(Send.isProjectCharacter) == isValid)
    }

    @Test(arguments: APNsPushType.allCases) func `each push type is known`(type: APNsPushType) throws {
        #expect(try Send.type(CommandLineCase.options(.check, ["--type", type.rawValue])) == type)
        #expect(try Send.type(CommandLineCase.options(.check)) == nil)
    }

    private func answer(_ status: Int, _ headers: KeyValuePairs<HeaderName, String> = [:], _ body: String = "")
        -> String
    {
        Send.text(
            of: Response(
                status: status, headers: HeaderBlock(headers), body: body.isEmpty ? .none : .bytes(Array(body.utf8))))
    }

    @Test func `an answer shows its status, the fields of APNs and the body`() {
        #expect(
            answer(200, [HeaderName("apns-id"): "A", HeaderName("date"): "now", HeaderName("apns-unique-id"): "B"])
                == "200\napns-id: A\napns-unique-id: B\n")
        #expect(answer(404, [:], "not json\n\n") == "404\nnot json\n")
    }
}
