import HTTPCore
import JSON
import PushCore
import Testing

@testable import FCM

/// The framing of Google's answers: headers, indentation, error bodies and the pages for unknown paths.
@Suite struct GoogleAnswerTests {
    @Test func `every answer has Google's headers in their order`() {
        var sender = FCMSender()
        for body in [#"{"message":{"topic":"a"}}"#, "{}"] {
            let response = sender.post(body).response
            let names = response.headers.places.map {
                String(decoding: response.headers.storage[$0.name], as: UTF8.self)
            }
            #expect(
                names == [
                    "content-type", "vary", "vary", "vary", "server", "x-xss-protection", "x-frame-options",
                    "x-content-type-options", "cache-control",
                ])
            #expect(response.values("vary") == ["Origin", "X-Origin", "Referer"])
            #expect(response.values("content-type") == ["application/json; charset=UTF-8"])
            #expect(response.values("cache-control") == ["private"])
            #expect(response.hidesLength)
        }
    }

    @Test func `a success is indented, or compact on request`() {
        var sender = FCMSender()
        let message = #"{"message":{"topic":"a"}}"#
        let pretty = sender.post(message).response.text
        #expect(pretty.hasPrefix("{\n  \"name\": \"projects/demo/messages/"))
        #expect(pretty.hasSuffix("\"\n}\n"))
        let compact = sender.post(FCMCase.send(message, query: "?prettyPrint=false")).response.text
        #expect(compact.hasPrefix("{\"name\":\"projects/demo/messages/"))
        #expect(compact.hasSuffix("\"}"))
    }

    @Test(arguments: ["demo", "a&b'c", "ü", "\"<>"]) func `the prepared success has the bytes of a written one`(
        project: String
    ) {
        var memo = FCMRequestCache()
        for name in ["0:1%2", "3"] {
            let prepared = memo.success(project: project, name: name)
            let written = GoogleAnswer.response(
                200, { $0.member("name", "projects/\(project)/messages/\(name)") }, isPretty: true)
            #expect(String(decoding: prepared, as: UTF8.self) == written.text)
        }
    }

    private func body(_ error: GoogleError, isFormat1: Bool = false, isPretty: Bool = false) -> String {
        String(decoding: error.body(isFormat1: isFormat1, isPretty: isPretty), as: UTF8.self)
    }

    @Test func `an error has its code, message, status and details`() {
        #expect(
            body(.unregistered)
                == #"{"error":{"code":404,"message":"Requested entity was not found.","status":"NOT_FOUND","details":["#
                + #"{"@type":"type.googleapis.com/google.firebase.fcm.v1.FcmError","errorCode":"UNREGISTERED"}]}}"#)
        #expect(
            body(.noTarget, isFormat1: true)
                == #"{"error":{"code":400,"message":"Recipient of the message is not set.","errors":[{"message":"#
                + #""Recipient of the message is not set.","domain":"global","reason":"badRequest"}],"#
                + #""status":"INVALID_ARGUMENT"}}"#)
        #expect(body(.badCondition, isPretty: true).hasSuffix("\"status\": \"INVALID_ARGUMENT\"\n  }\n}\n"))
    }

    @Test(arguments: [
        (400, "INVALID_ARGUMENT", "badRequest"), (401, "UNAUTHENTICATED", "authError"),
        (403, "PERMISSION_DENIED", "forbidden"), (404, "NOT_FOUND", "notFound"),
        (409, "ALREADY_EXISTS", "alreadyExists"), (429, "RESOURCE_EXHAUSTED", "rateLimitExceeded"),
        (500, "INTERNAL", "backendError"), (503, "UNAVAILABLE", "backendError"), (418, "UNKNOWN", "backendError"),
    ]) func `each code has its status and its reason in format 1`(code: Int, status: String, reason: String) {
        let error = GoogleError(code, "text", rule: "fcm.x")
        #expect(error.errorCode == status)
        #expect(body(error).contains("\"status\":\"\(status)\""))
        #expect(body(error, isFormat1: true).contains("\"reason\":\"\(reason)\""))
    }

    @Test func `the error code wins over the status`() {
        #expect(GoogleError.thirdPartyAuth.errorCode == "THIRD_PARTY_AUTH_ERROR")
        #expect(GoogleError.credentialsMissing.errorCode == "UNAUTHENTICATED")
    }

    @Test func `markup in messages is escaped`() {
        let text = body(GoogleError(400, "<a href='x'>&", rule: "fcm.x"))
        #expect(text.contains(#"\u003ca href"#))
        #expect(!text.contains("<"))
    }

    static let quotas: [(ExceededQuota, recorded: String, rule: String, codes: [String?], wait: [String])] = [
        (.project("123456789012"), "quota-project", "fcm.project-quota", [nil, nil], ["60"]),
        (.topic, "topic-quota", "fcm.QUOTA_EXCEEDED", ["QUOTA_EXCEEDED"], []),
        (.device, "quota-device", "fcm.QUOTA_EXCEEDED", ["QUOTA_EXCEEDED"], []),
    ]

    @Test(arguments: quotas.indices) func `each quota has its own answer`(row: Int) throws {
        let (quota, recorded, rule, codes, wait) = Self.quotas[row]
        let call = FCMDialect.Call(FCMCase.send(""), project: "123456789012", at: FCMCase.now)
        let answer = quota.answer(to: call, FCMPolicy())
        let (found, text, times) = (
            answer.rule?.description, answer.response.text, answer.response.values("retry-after")
        )
        #expect(found == rule)
        #expect(times == wait)
        let body = try FCMCase.document(text).root
        #expect(JSONValue(body) == JSONValue(try #require(FCMCase.recorded[recorded]?["body"])))
        #expect(body["error"]?["details"]?.elements.map { $0["errorCode"]?.string } == codes)
    }

    @Test func `the discontinued API has its recorded answer, and findings about the message`() throws {
        let recorded = try #require(FCMCase.recorded["legacy-gone"])
        let request = FCMCase.request(.post, "/fcm/send", body: #"{"to":"T","priority":"high"}"#)
        let answer = GoogleAnswer(legacy: request)
        #expect(answer.response.status == recorded["status"]?.int)
        #expect(try JSONValue(FCMCase.document(answer.response.text).root) == JSONValue(#require(recorded["body"])))
        #expect(answer.rule?.description == "fcm.legacy-gone")
        #expect(answer.findings.map(\.path) == ["", "/to", "/priority"])
        #expect(GoogleAnswer(legacy: FCMCase.request(.post, "/fcm/send", body: "{")).findings.isEmpty)
    }

    @Test func `a v1 request in the legacy format gets findings too`() {
        var sender = FCMSender()
        let decision = sender.post(#"{"to":"T"}"#)
        #expect(decision.rule == "fcm.conversion")
        #expect(decision.findings == ["auth.unknown-bearer", "fcm.legacy-shape", "fcm.legacy-change"])
    }

    @Test func `the page for an unknown path is HTML with the path escaped`() {
        let page = GoogleNotFoundPage.notFound(FCMCase.request(.get, "/a<b>&\"c?d=e"))
        #expect(page.status == 404)
        #expect(page.values("content-type") == ["text/html; charset=UTF-8"])
        #expect(page.text.contains("<title>Error 404 (Not Found)!!1</title>"))
        #expect(page.text.contains("<code>/a&lt;b&gt;&amp;&quot;c</code>"))
    }

    @Test func `hints explain what Google's text does not say`() {
        var sender = FCMSender()
        let condition = sender.post(#"{"message":{"condition":"a"}}"#)
        #expect(condition.response.text.contains("Request contains an invalid argument."))
        #expect(condition.explanation?.contains("'a' in topics && !('b' in topics)") == true)
        let color = sender.post(#"{"message":{"topic":"t","android":{"notification":{"color":"x"}}}}"#)
        #expect(color.explanation == #"message.android.notification.color is "x". Write the color as #rrggbb."#)
    }
}
