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
        #"{"aps":{"alert":"x"}}"#, #"{"message":{"topic":"a","android":{}}}"#, #"{"topic":"a","apns":{}}"#,
        #"{"mdm":"x"}"#,
    ]) func `an accepted file has one line`(text: String) {
        let result = check(text)
        #expect(result.text == "FILE: accepted\n")
        #expect(!result.isRefused)
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
        #expect(lines.count == 7)
        #expect(try #require(lines.first).contains(#/^FILE:2:34: error: .* \[aps\.wrong-type\]$/#))
        #expect(lines.last == "FILE: refused")
        #expect(lines.contains { $0.hasPrefix("FILE:3:27: error: ") && $0.hasSuffix(" [media.needs-mutable-content]") })
    }

    @Test(arguments: [
        (Self.bad, "  fix: Give the named key of 'aps' the JSON type that Apple documents.\n"),
        (#"{"topic":"a/b"}"#, "  fix: Use letters, digits and -_.~% in the topic name, without /topics/.\n"),
        (#"{"topic":"a","android":{"priority":"urgent"}}"#, "  fix: Use NORMAL or HIGH.\n"),
        (#"{"topic":"a","android":{"ttl":"60"}}"#, "that ends in 's', like \"3600s\".\n"),
        (#"{"topic":"a","data":{"n":1}}"#, "  fix: All values of this object must be strings"),
        (#"{"topic":"a","data":{"n":{"m":1}}}"#, "  fix: All values of this object must be strings"),
        (#"{"topic":"a","data":{"n":[1]}}"#, "  fix: All values of this object must be strings"),
        (#"{"topic":"a","notification":{"title":1}}"#, "  fix: Write the value as a string in quotes.\n"),
        (#"{"topic":"a","notification":{"titel":"x"}}"#, "  fix: Remove the field or correct its name."),
        (#"{"topic":"a","token":"b"}"#, "  fix: Set only one field of 'target'"),
        (#"{"topic":"a","apns":{"payload":1}}"#, "  fix: Use a JSON object.\n"),
        (#"{"topic":"a","android":{"notification":{"sticky":2}}}"#, "  fix: Use true or false.\n"),
        (#"{"topic":"a","android":{"notification":{"event_time":"x"}}}"#, "  fix: Write a time as a string like"),
        (#"{"topic":"a","android":{"notification":{"tag":["x"]}}}"#, "  fix: Use a single value instead of a list."),
    ]) func `what would be right is under each finding`(text: String, fix: String) {
        #expect(check(text).text.contains(fix), "\(check(text).text)")
    }

    @Test(arguments: [
        (#"{"acme":1}"#, "note: The payload has no 'aps'", "payload.no-aps"),
        (#"{"alert":"x"}"#, "FILE:1:10: warning: Did you mean 'aps.alert'?", "payload.alert-beside-aps"),
        (
            #"{"aps":{"alert":"x","sound":{"name":"n","critical":true}}}"#,
            "FILE:1:52: warning: 'critical' is true, not the number 0 or 1.", "aps.sound-shape"
        ),
        (
            #"{"aps":{"alert":"x","sound":{"name":"n","volume":2}}}"#,
            "warning: 'volume' is 2, not a number from 0 to 1.", "aps.sound-shape"
        ),
        (#"{"aps":{"alert":"x","sound":{"name":7}}}"#, "warning: 'name' is 7, not a string.", "aps.sound-shape"),
        (#"{"aps":{"alert":"x","sound":{}}}"#, "warning: The 'sound' object has no 'name'.", "aps.sound-shape"),
        (
            #"{"aps":{"alert":"x","interruption-level":"timeSensitive"}}"#, " (did you mean 'time-sensitive'?).",
            "aps.interruption-level"
        ),
        (
            #"{"aps":{"event":"update","timestamp":1800000000000}}"#,
            "FILE:1:38: warning: 'timestamp' is 1800000000000, which is in milliseconds.", "live-activity.milliseconds"
        ),
        (#"{"aps":{"alert":"x"},"fcm_options":{"image":""}}"#, "FILE:1:45: note: The media URL", "media.empty-url"),
        (#"{"aps":{"alert":"x"},"aps":{"alert":"y"}}"#, "FILE:1:28: warning: The key 'aps'", "payload.duplicate-key"),
        (#"{"topic":"a","notification":{"title":"x","image":""}}"#, "FILE:1:50: note: 'image'", "media.empty-url"),
        (
            #"{"topic":"a","apns":{"payload":{"aps":{"alert":"x"},"mutable_content":1}}}"#,
            "FILE:1:71: warning: 'mutable_content' is outside 'aps', but phones read 'mutable-content' only in 'aps'.",
            "payload.mutable-content-beside-aps"
        ),
        (#"{"topic":"a","data":{"k":"1","k":"2"}}"#, "FILE:1:34: warning: The key 'k'", "payload.duplicate-key"),
    ]) func `a likely mistake is found in an accepted file`(text: String, line: String, rule: String) {
        let result = check(text)
        #expect(!result.isRefused)
        let lines = result.text.split(separator: "\n").filter { $0.hasSuffix("[\(rule)]") }
        #expect(lines.count == 1 && lines[0].contains(line), "\(result.text)")
    }

    @Test func `the same remedy is printed once`() {
        let text = check(#"{"topic":"a","data":{"n":1,"m":2}}"#).text
        #expect(text.split(separator: "\n").count { $0.contains("  fix: ") } == 1, "\(text)")
        #expect(text.split(separator: "\n").count { $0.contains(" error: ") } == 2, "\(text)")
    }

    @Test func `an error that does not refuse is a warning`() {
        let result = check(Self.bad, nil, .service)
        #expect(!result.isRefused)
        #expect(result.text.contains("FILE:2:34: warning: "))
        #expect(!result.text.contains("error:"))
        #expect(result.text.hasSuffix("FILE: accepted\n"))
    }

    @Test(arguments: [
        ("{\"aps\":\n  oops}", "FILE:2:3: error: ", "[payload.not-json]"),
        ("", "FILE:1:1: error: ", "[apns.PayloadEmpty]"),
        (#"{"message":{"topic":"a" "b"}}"#, "FILE:1:25: error: ", "[fcm.not-json]"),
        (
            "{\n\"message\":{\"topic\":\"a/b\"}}",
            "FILE:2:20: error: The topic name 'a/b' contains '/', which is not allowed.",
            "[fcm.topic-name]"
        ),
        (
            #"{"topic":"a","x":1}"#, "FILE:1:14: error: Invalid JSON payload received. Unknown name",
            "[fcm.conversion]"
        ),
    ]) func `a fault has its place and its rule`(text: String, start: String, end: String) {
        let result = check(text)
        #expect(result.isRefused)
        #expect(result.text.hasPrefix(start), "\(result.text)")
        #expect(result.text.contains(" \(end)\n"), "\(result.text)")
        #expect(result.text.hasSuffix("\nFILE: refused\n"), "\(result.text)")
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
        let activity = #"{"token":"T","apns":{"live_activity_token":"LIVE","payload":{"aps":{"event":"start"}}}}"#
            .replacing("T", with: "cABCDEFGHIJKLMNOPQRSTU:APA91" + String(repeating: "b", count: 134))
            .replacing("LIVE", with: String(repeating: "ab", count: 80))
        #expect(check(activity).text.contains(": error: A Live Activity's start needs 'timestamp'."))
        #expect(check(activity, nil, .service).text.contains(": warning: A Live Activity's start needs 'timestamp'."))
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
        #expect(token.text.contains("\nFILE as v1: error: The token has no colon, but"))
        #expect(token.text.hasSuffix("\nFILE: refused as v1\n"))
    }
}
