import HTTPCore
import JSON
import PushCore
import Testing

@testable import FCM

/// Our answers next to bodies that were recorded from the real service (Tests/Conformance/fixtures/fcm-errors.jsonl).
@Suite struct RecordedAnswerTests {
    private static let token = FCMCase.token

    /// A message that causes each recorded error.
    static let messages: [(id: String, message: String)] = [
        ("no-target", #"{"notification":{"title":"x"}}"#),
        ("bad-token", #"{"token":"not-a-real-fcm-registration-token"}"#),
        ("bad-condition", #"{"condition":"'a' in topics &&"}"#),
        ("too-large", #"{"topic":"t","data":{"p":"\#(String(repeating: "x", count: 8192))"}}"#),
        ("unknown-key", #"{"topic":"t","key":"x"}"#), ("unknown-tokens", #"{"topic":"t","tokens":["x"]}"#),
        ("unknown-toen", #"{"topic":"t","toen":"x"}"#), ("unknown-link", #"{"topic":"t","fcm_options":{"link":"x"}}"#),
        ("unknown-in-data-object", #"{"topic":"t","data":{"aps":{"content-available":1}}}"#),
        (
            "unknown-notification-multi",
            #"{"topic":"t","notification":{"icon":"a","badge":1,"tag":"b","clickAction":"c"}}"#
        ),
        ("data-int-android", #"{"topic":"t","android":{"data":{"a":"1","b":"2","message-count":1}}}"#),
        ("not-repeating", #"{"topic":"t","notification":[]}"#),
        ("aps-badge-type", #"{"topic":"t","apns":{"payload":{"aps":{"badge":"1"}}}}"#),
        ("aps-missing", #"{"topic":"t","apns":{"payload":{"x":1}}}"#),
        ("oneof-target", #"{"token":"\#(token)","topic":"t"}"#),
        ("ttl-no-s", #"{"topic":"t","android":{"ttl":"3600"}}"#),
        ("sender-mismatch", #"{"token":"sender-id-mismatch:\#(token)"}"#),
        ("apns-token-not-for-topic", #"{"token":"invalid-argument.apns:\#(token)"}"#),
        ("third-party-auth-apns", #"{"token":"third-party-auth-error.apns:\#(token)"}"#),
        ("unregistered-apns", #"{"token":"unregistered.apns:\#(token)"}"#),
        ("internal", #"{"token":"internal:\#(token)"}"#), ("quota-device", #"{"token":"quota-exceeded:\#(token)"}"#),
    ]

    @Test(arguments: messages.indices) func `a message gets the recorded answer`(row: Int) throws {
        let (id, message) = Self.messages[row]
        let recorded = try #require(FCMCase.recorded[id], "\(id)")
        var sender = FCMSender()
        let decision = sender.post(#"{"message":\#(message)}"#)
        #expect(decision.status == recorded["status"]?.int, "\(id)")
        let body = try JSONValue(FCMCase.document(decision.response.text).root)
        #expect(body == JSONValue(try #require(recorded["body"])), "\(id)")
    }

    @Test(arguments: [("auth-missing", ""), ("auth-invalid", "Bearer gar{bage}")])
    func `missing and invalid credentials get the recorded answer`(id: String, authorization: String) throws {
        let recorded = try #require(FCMCase.recorded[id])
        var sender = FCMSender()
        let decision = sender.post(
            FCMCase.send(#"{"message":{"topic":"t"}}"#, headers: [("authorization", authorization)]))
        #expect(decision.status == recorded["status"]?.int)
        #expect(try JSONValue(FCMCase.document(decision.response.text).root) == JSONValue(#require(recorded["body"])))
        #expect(decision.response.values("www-authenticate") == [recorded["headers"]?["WWW-Authenticate"]?.string])
    }

    @Test func `error format 1 gets the recorded answer`() throws {
        let recorded = try #require(FCMCase.recorded["aps-empty-format1"])
        let message = #"{"message":{"topic":"t","apns":{"payload":{"aps":{}}}}}"#
        for request in [
            FCMCase.send(message, headers: [("x-goog-api-format-version", "1")]),
            FCMCase.send(message, query: "?$.xgafv=1"),
        ] {
            var sender = FCMSender()
            let body = sender.post(request).response.text
            #expect(try JSONValue(FCMCase.document(body).root) == JSONValue(#require(recorded["body"])))
        }
    }

    /// Rows of the fixture with an answer of the same name.
    static let named = RecordedAnswer.names.filter { FCMCase.recorded[$0]?["body"]?.kind == .object }

    @Test(arguments: named) func `a named answer is the recorded one`(name: String) throws {
        let recorded = try #require(FCMCase.recorded[name])
        // Projects and platforms differ from row to row.
        let text = recorded["body"].map { String(decoding: $0.source, as: UTF8.self) } ?? ""
        let project =
            text.firstMatch(of: #/(?:projects/|project_number:|project=)([\w-]+)/#).map { String($0.1) } ?? "demo"
        let isFormat1 = recorded["body"]?["error"]?["errors"] != nil
        let request = FCMCase.send("", headers: isFormat1 ? [("x-goog-api-format-version", "1")] : [])
        let answer = try #require(RecordedAnswer.response(name, to: request, project: project))
        #expect(answer.status == recorded["status"]?.int)
        let body = try FCMCase.document(answer.text).root
        #expect(body["error"]?["code"]?.int == recorded["body"]?["error"]?["code"]?.int)
        #expect(body["error"]?["status"]?.string == recorded["body"]?["error"]?["status"]?.string)
        if recorded["kind"]?.string == "quoted" {
            #expect(JSONValue(body) == JSONValue(try #require(recorded["body"])))
        }
    }

    @Test func `most named answers are in the fixture`() { #expect(Self.named.count >= 15) }

    @Test func `an unknown name has no answer`() {
        #expect(RecordedAnswer.response("none", to: FCMCase.send(""), project: "p") == nil)
    }

    @Test func `the load balancer's page is HTML`() throws {
        let answer = try #require(RecordedAnswer.response("html-502", to: FCMCase.send(""), project: "p"))
        #expect(answer.status == 502)
        #expect(answer.values("content-type") == ["text/html; charset=UTF-8"])
        #expect(answer.text.contains("<title>Error 502 (Server Error)!!1</title>"))
    }

    @Test(arguments: [
        (404, "UNREGISTERED", "Requested entity was not found."), (410, "Unregistered", "Request was answered"),
        (503, "UNAVAILABLE", "The service is currently unavailable."),
        (400, "BadDeviceToken", "Request contains an invalid argument."),
        (429, "QUOTA_EXCEEDED", "Resource has been exhausted (e.g. check quota)."), (418, "TEAPOT", "Request was answered TEAPOT by a fault."),
    ]) func `a fault's status and code choose the answer`(status: Int, code: String, message: String) throws {
        let answer = RecordedAnswer.response(status, code, to: FCMCase.send(""), isForTopic: false)
        #expect(answer.status == status)
        let error = try FCMCase.document(answer.text).root["error"]
        #expect(error?["message"]?.string?.hasPrefix(message) == true)
    }

    @Test(arguments: ["QUOTA_EXCEEDED", "TooManyRequests"])
    func `only a request about a topic exceeds a topic's quota`(code: String) {
        for isForTopic in [false, true] {
            let answer = RecordedAnswer.response(429, code, to: FCMCase.send(""), isForTopic: isForTopic)
            #expect(answer.text.contains("Topic quota exceeded.") == isForTopic)
            #expect(answer.text.contains("QUOTA_EXCEEDED"))
        }
    }
}
