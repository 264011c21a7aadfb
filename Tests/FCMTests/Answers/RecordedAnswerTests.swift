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
        ("unknown-key", #"{"topic":"t","key":"x"}"#),
        ("unknown-tokens", #"{"topic":"t","tokens":["x"]}"#),
        ("unknown-toen", #"{"topic":"t","toen":"x"}"#),
        ("unknown-link", #"{"topic":"t","fcm_options":{"link":"x"}}"#),
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
        ("internal", #"{"token":"internal:\#(token)"}"#),
        ("quota-device", #"{"token":"quota-exceeded:\#(token)"}"#),
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
    func `missing and invalid credentials get the recorded answer`(id: String, authorization: String)
        throws
    {
        let recorded = try #require(FCMCase.recorded[id])
        var sender = FCMSender()
        let decision = sender.post(
            FCMCase.send(#"{"message":{"topic":"t"}}"#, headers: [("authorization", authorization)]))
        #expect(decision.status == recorded["status"]?.int)
        #expect(
            try JSONValue(FCMCase.document(decision.response.text).root)
                == JSONValue(#require(recorded["body"])))
        #expect(
            decision.response.values("www-authenticate") == [
                recorded["headers"]?["WWW-Authenticate"]?.string
            ])
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

    /// The ids of all rows of the fixture.
    static let ids = FCMCase.recorded.keys.sorted()

    @Test(arguments: ids) func `every row of the fixture can be chosen by its id`(id: String) throws {
        let recorded = try #require(FCMCase.recorded[id])
        let chosen = try #require(RecordedAnswer.named(id))
        // Projects differ from row to row.
        let text = recorded["body"].map { String(decoding: $0.source, as: UTF8.self) } ?? ""
        let project =
            text.firstMatch(of: #/(?:projects/|project_number:|project=)([\w-]+)/#).map { String($0.1) }
            ?? "demo"
        let answer = chosen.response(to: FCMCase.request(.post, "/batch"), project: project)
        #expect(answer.status == recorded["status"]?.int)
        for (name, value) in recorded["headers"]?.members.map({ ($0.key.string ?? "", $0.value.string) }
        ) ?? [] {
            #expect(answer.values(name.lowercased()) == [value])
        }
        if let page = recorded["body"]?.string {
            for piece in page.split(separator: "…") {
                #expect(
                    answer.text.contains(piece.trimmingPrefix(" ").reversed().drop { $0 == " " }.reversed()))
            }
        } else {
            #expect(
                try JSONValue(FCMCase.document(answer.text).root) == JSONValue(#require(recorded["body"])))
        }
    }

    @Test func `each id is there once, and names its services`() {
        #expect(Set(RecordedAnswer.names).count == RecordedAnswer.names.count)
        #expect(RecordedAnswer.all.allSatisfy { !$0.services.isEmpty })
        #expect(Set(RecordedAnswer.names).subtracting(Self.ids) == Self.unrecorded)
        #expect(RecordedAnswer.named("none") == nil)
    }

    /// Answers with an id that no row of the fixture has.
    static let unrecorded: Set = [
        "oversize-ios", "aps-empty", "apns-token-disabled", "third-party-auth-2026", "unavailable",
        "auth-expired",
    ]

    /// Other wordings, and a message or a field of the request that causes the error.
    static let wordings: [(id: String, message: String, authorization: String)] = [
        ("bad-token-short", #"{"token":"x"}"#, "Bearer a"),
        ("bad-token-2018", #"{"token":"x"}"#, "Bearer a"),
        ("oversize-2018", large(#""topic":"t""#), "Bearer a"),
        ("oversize-android", large(#""token":"t""#), "Bearer a"),
        ("oversize-android-2024", large(#""token":"t""#), "Bearer a"),
        ("oversize-ios", large(#""token":"t","apns":{}"#), "Bearer a"),
        ("aps-empty-format1", #"{"topic":"t","apns":{"payload":{"aps":{}}}}"#, "Bearer a"),
        ("unregistered-apns", #"{"fid":"x"}"#, "Bearer a"),
        ("apns-token-disabled", #"{"fid":"x"}"#, "Bearer a"),
        ("third-party-auth-env", #"{"token":"third-party-auth-error:x"}"#, "Bearer a"),
        ("third-party-auth-2026", #"{"token":"third-party-auth-error:x"}"#, "Bearer a"),
        ("apns-token-not-for-topic", #"{"token":"invalid-argument:x"}"#, "Bearer a"),
        ("html-502", #"{"token":"unavailable:x"}"#, "Bearer a"),
    ]
    static func large(_ target: String) -> String {
        #"{\#(target),"data":{"k":"\#(String(repeating: "x", count: 5000))"}}"#
    }

    @Test(arguments: wordings.indices) func `a policy can choose another wording of an error`(
        row: Int
    ) throws {
        let (id, message, authorization) = Self.wordings[row]
        let chosen = try #require(RecordedAnswer.named(id))
        let request = FCMCase.send(
            #"{"message":\#(message)}"#, headers: [("authorization", authorization)])
        var usual = FCMSender()
        var sender = FCMSender(FCMPolicy(answers: [chosen]))
        let (before, after) = (usual.post(request), sender.post(request))
        #expect(after.response.text == chosen.response(to: request, project: FCMCase.project).text)
        #expect(after.response.text != before.response.text)
        #expect(after.rule == before.rule)
        #expect(after.delivery == nil)
        // The usual answer of the same situation takes the choice back, if it has an id.
        guard
            let standard = RecordedAnswer.all.first(where: {
                $0.isStandard && $0.situation == chosen.situation
            })
        else { return }
        var again = FCMSender(FCMPolicy(answers: [chosen, standard]))
        #expect(again.post(request).response.text == before.response.text)
    }

    @Test func `a chosen wording has its own code`() throws {
        var sender = FCMSender(
            FCMPolicy(answers: [try #require(RecordedAnswer.named("apns-token-disabled"))]))
        #expect(sender.post(#"{"message":{"fid":"x"}}"#).reason == "INVALID_ARGUMENT")
        var page = FCMSender(FCMPolicy(answers: [try #require(RecordedAnswer.named("html-502"))]))
        #expect(page.post(#"{"message":{"token":"unavailable:x"}}"#).reason == "UNAVAILABLE")
    }

    @Test(arguments: [
        (404, "UNREGISTERED", "Requested entity was not found."),
        (410, "Unregistered", "Request was answered"),
        (503, "UNAVAILABLE", "The service is currently unavailable."),
        (400, "BadDeviceToken", "Request contains an invalid argument."),
        (429, "QUOTA_EXCEEDED", "Resource has been exhausted (e.g. check quota)."),
        (418, "TEAPOT", "Request was answered TEAPOT by a fault."),
    ]) func `a fault's status and code choose the answer`(status: Int, code: String, message: String)
        throws
    {
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
