import APNs
import PushCore
import Testing

@testable import pushpit

/// `pushpit check`: the lines for a file, and whether it is refused.
@Suite struct CheckTests {
    private func check(
        _ text: String, _ type: APNsPushType? = nil, _ validation: APNsPolicy.Validation = .strict
    ) -> Check.Result {
        Check.check(Array(text.utf8), "FILE", type, validation, at: Timestamp(milliseconds: 1_800_000_000_000))
    }

    @Test(arguments: [
        #"{"aps":{"alert":"x"}}"#, #"{"message":{"topic":"a"}}"#, #"{"topic":"a"}"#, #"{"acme":1}"#,
    ]) func `an accepted file has one line`(text: String) {
        #expect(check(text) == Check.Result(text: "FILE: accepted\n", isRefused: false))
    }

    private static let bad = """
        {
          "aps": {"alert": "x", "badge": "1"},
          "media-attachment-url": "https://a.example/b"
        }
        """

    @Test func `a refusal and its findings have line and column`() throws {
        let result = check(Self.bad)
        #expect(result.isRefused)
        let lines = result.text.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(try #require(lines.first).contains(#/^FILE:2:34: refused: .* \[aps\.wrong-type\]$/#))
        #expect(lines.contains { $0.hasPrefix("FILE:3:27: error: ") && $0.hasSuffix(" [media.needs-mutable-content]") })
    }

    @Test func `an error that does not refuse is a warning`() {
        let result = check(Self.bad, nil, .service)
        #expect(!result.isRefused)
        #expect(result.text.contains("FILE:2:34: warning: "))
        #expect(!result.text.contains("error:"))
        #expect(result.text.hasSuffix("FILE: accepted\n"))
    }

    @Test(arguments: [
        ("{\"aps\":\n  oops}", "FILE:2:3: refused: ", "[payload.not-json]"),
        ("", "FILE:1:1: refused: ", "[apns.PayloadEmpty]"),
        (#"{"message":{"topic":"a" "b"}}"#, "FILE:1:25: refused: ", "[fcm.not-json]"),
        (
            "{\n\"message\":{\"topic\":\"a/b\"}}", "FILE:2:20: refused: Topic name contains invalid characters.",
            "[fcm.topic-name]"
        ),
        (
            #"{"topic":"a","x":1}"#, "FILE:1:14: refused: Invalid JSON payload received. Unknown name",
            "[fcm.conversion]"
        ),
    ]) func `a fault has its place and its rule`(text: String, start: String, end: String) {
        let result = check(text)
        #expect(result.isRefused)
        #expect(result.text.hasPrefix(start), "\(result.text)")
        #expect(result.text.contains(" \(end)\n"), "\(result.text)")
    }

    @Test(arguments: [
        (#"{"aps":{"alert":"x"}}"#, [false, false, false]),
        (#"{"aps":{"alert":"x","frobnicate":1}}"#, [false, false, true]),
        (#"{"aps":{"alert":"x","mutable_content":1}}"#, [false, true, true]),
        (#"{"aps":{"alert":1}}"#, [true, true, true]),
        (#"{"topic":"a","data":{"mutable-content":"1"}}"#, [false, true, true]),
        (#"{"topic":"a","notification":{"title":"x"},"android":{"collapse_key":"k"}}"#, [false, false, true]),
        (#"{"to":"/topics/a","data":{"n":"1"}}"#, [false, true, true]),
    ]) func `the threshold says which findings make the command fail`(text: String, fails: [Bool]) {
        let result = check(text)
        #expect(Check.Threshold.allCases.map { result.fails(on: $0) } == fails)
    }

    @Test func `the part of a message that is for Apple is checked like a payload`() {
        let aps = #"{"alert":"x","interruption-level":"critical","sound":"default","loc":1}"#
        let result = check("{\"topic\":\"a\",\n\"apns\":{\"payload\":{\"aps\":\n\(aps)}}}")
        #expect(!result.isRefused)
        #expect(result.text.contains("FILE:3:54: warning: The level is critical, but 'sound' is an ordinary sound."))
        #expect(result.text.contains("[aps.critical-without-critical-sound]\n"))
        #expect(result.text.contains("[aps.unknown-key]\n"))
        let activity = #"{"token":"T","apns":{"live_activity_token":"ab","payload":{"aps":{"event":"start"}}}}"#
            .replacing("T", with: "cABCDEFGHIJKLMNOPQRSTU:APA91" + String(repeating: "b", count: 134))
        #expect(check(activity).text.contains(": warning: A Live Activity's start needs 'timestamp'."))
        #expect(check(#"{"topic":"a","notification":{"title":"x"}}"#).text == "FILE: accepted\n")
        let expiring = check(
            #"{"topic":"a","apns":{"headers":{"apns-expiration":"60"},"payload":{"aps":{"alert":"x"}}}}"#)
        #expect(expiring.text.hasPrefix("FILE:1:51: warning: apns-expiration 60 is before the year 1974"))
    }

    @Test func `an error that does not refuse counts as a warning`() {
        let result = check(Self.bad, nil, .service)
        #expect(Check.Threshold.allCases.map { result.fails(on: $0) } == [false, true, true])
    }

    @Test func `the push type decides the size limit`() {
        let text = #"{"aps":{"alert":"\#(String(repeating: "x", count: 4500))"}}"#
        #expect(check(text).text.contains("[apns.PayloadTooLarge]"))
        #expect(!check(text, .voip).isRefused)
    }

    @Test func `a legacy message is shown as a v1 request, and judged as one`() throws {
        let topic = check("{\n  \"to\": \"/topics/a\",\n  \"data\": {\"n\": 1}\n}")
        #expect(!topic.isRefused)
        let lines = topic.text.split(separator: "\n").map(String.init)
        #expect(try #require(lines.first).hasPrefix("FILE: warning: this message has the format of the API"))
        #expect(lines.contains("FILE:2:9: note: 'to' becomes 'message.topic', without '/topics/'. [fcm.legacy-change]"))
        #expect(lines.contains { $0.hasPrefix("FILE:3:17: note: 'n' is 1 and becomes a string") })
        #expect(topic.text.contains("\"topic\": \"a\""))
        #expect(lines.last == "FILE: accepted as v1")
        let token = check(#"{"to":"short"}"#)
        #expect(token.isRefused)
        #expect(token.text.contains("\nFILE as v1: refused: The registration token is not a valid"))
    }

    @Test func `a file is required`() {
        let error = CommandLineCase.usageError { () throws(ExitFailure) in
            try Check.run(try CommandLineCase.options(.check))
        }
        #expect(error == "check needs at least one FILE, or - for standard input; see 'pushpit check --help'")
    }

    @Test func `an unknown push type is refused before the file is read`() {
        let error = CommandLineCase.usageError { () throws(ExitFailure) in
            try Check.run(try CommandLineCase.options(.check, ["--type", "x", "/does/not/exist"]))
        }
        #expect(error?.hasPrefix("--type 'x' must be one of alert, background, ") == true)
    }
}
