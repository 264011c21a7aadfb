import HTTPCore
import JSON
import PushCore
import Testing

@testable import FCM

/// The Instance ID API: batches of topic changes, imports of APNs tokens, and information about a token.
@Suite struct InstanceIDTests {
    struct Sender {
        var headers = [(name: "authorization", value: "Bearer ya29.a"), (name: "access_token_auth", value: "true")]
        var policy = FCMPolicy()
    }

    private func call(
        _ method: Method, _ path: String, _ registry: FakeRegistry = FakeRegistry(), body: String = "",
        as sender: Sender = Sender()
    ) -> (status: Int, text: String, rule: String?) {
        let request = FCMCase.request(method, path, body: body, headers: sender.headers)
        let answer = InstanceID(sender.policy, request).answer(
            GoogleRoute(request), at: FCMCase.now, bearers: BearerBook(),
            token: { $0 == "a1b2" ? FCMCase.token : nil }, registry.perform)
        return (answer.response.status, answer.response.text, answer.rule?.description)
    }

    private static func batch(_ tokens: [String], to topic: String = "/topics/news") -> String {
        let list = tokens.map { "\"\($0)\"" }.joined(separator: ",")
        return #"{"to":"\#(topic)","registration_tokens":[\#(list)]}"#
    }

    @Test(arguments: [
        ([(name: "authorization", value: "Bearer x")], 401), ([("access_token_auth", "true")], 401),
        ([("authorization", "Bearer x"), ("access_token_auth", "false")], 401), ([("authorization", "key=abc")], 200),
        ([("authorization", "Bearer x"), ("access_token_auth", "true")], 200), ([], 401),
    ]) func `a bearer token needs a second header`(headers: [(name: String, value: String)], status: Int) {
        let answer = call(.get, "/iid/info/\(FCMCase.token)", as: Sender(headers: headers))
        #expect(answer.status == status)
        if status == 401 { #expect(answer.text.contains("<H2>Error 401</H2>")) }
    }

    @Test func `strict refuses server keys and unknown bearers`() {
        let strict = FCMPolicy(requiresKnownBearers: true)
        let path = "/iid/info/\(FCMCase.token)"
        #expect(call(.get, path, as: Sender(headers: [("authorization", "key=abc")], policy: strict)).status == 401)
        #expect(call(.get, path, as: Sender(policy: strict)).status == 401)
        #expect(call(.get, path, as: Sender(headers: [], policy: FCMPolicy(requiresCredentials: false))).status == 200)
    }

    @Test func `a batch subscribes and unsubscribes each token`() {
        let registry = FakeRegistry()
        let body = Self.batch([FCMCase.token])
        #expect(call(.post, "/iid/v1:batchAdd", registry, body: body).text == #"{"results":[{}]}"#)
        #expect(registry.topics.keys.sorted() == ["news"])
        #expect(call(.post, "/iid/v1:batchAdd", registry, body: body).text == #"{"results":[{}]}"#)
        #expect(call(.post, "/iid/v1:batchRemove", registry, body: body).text == #"{"results":[{}]}"#)
        #expect(registry.topics.isEmpty)
        #expect(call(.post, "/iid/v1:batchRemove", registry, body: body).text == #"{"results":[{}]}"#)
    }

    @Test func `each token of a batch has its own result`() throws {
        let registry = FakeRegistry()
        let tokens = ["full", "many", "foreign"].map { "c\($0)" + FCMCase.token.dropFirst(1 + $0.utf8.count) }
        registry.outcomes = [tokens[0]: .full, tokens[1]: .tooMany, tokens[2]: .foreign]
        let unknown = "d" + FCMCase.token.dropFirst()
        let magic = ["unavailable", "internal", "invalid-argument", "quota-exceeded", "third-party-auth-error"]
        let answer = call(
            .post, "/iid/v1:batchAdd", registry,
            body: Self.batch([FCMCase.token, unknown, "short"] + tokens + magic.map { $0 + ":x" }))
        #expect(answer.status == 200)
        let results = try FCMCase.document(answer.text).root["results"]?.elements.map { $0["error"]?.string } ?? []
        #expect(
            results == [
                nil, "NOT_FOUND", "INVALID_ARGUMENT", "RESOURCE_EXHAUSTED", "TOO_MANY_TOPICS", "PERMISSION_DENIED",
                "DEADLINE_EXCEEDED", "INTERNAL", "INVALID_ARGUMENT", "RESOURCE_EXHAUSTED", "UNKNOWN",
            ])
    }

    @Test func `a batch with one dead token gets the recorded answer`() throws {
        let recorded = try #require(FCMCase.recorded["iid-batch-mixed"]?["body"])
        let body = Self.batch([FCMCase.token, "unregistered:x"])
        let answer = call(.post, "/iid/v1:batchAdd", body: body)
        #expect(try JSONValue(FCMCase.document(answer.text).root) == JSONValue(recorded))
    }

    @Test(arguments: [
        "", "[]", #"{"to":"/topics/a"}"#, #"{"to":"a","registration_tokens":["x"]}"#,
        #"{"to":"/topics/","registration_tokens":["x"]}"#, #"{"to":"/topics/a b","registration_tokens":["x"]}"#,
        #"{"to":"/topics/a","registration_tokens":[]}"#, #"{"to":"/topics/a","registration_tokens":"x"}"#,
        batch(Array(repeating: "x", count: 1001)),
    ]) func `an invalid batch is refused as a whole`(body: String) {
        let answer = call(.post, "/iid/v1:batchAdd", body: body)
        #expect(answer.status == 400)
        #expect(answer.text == #"{"error":"INVALID_ARGUMENT"}"#)
        #expect(answer.rule == "iid.bad-call")
    }

    @Test func `a batch takes a thousand tokens, and values that are not strings fail alone`() throws {
        let thousand = call(
            .post, "/iid/v1:batchAdd", body: Self.batch(Array(repeating: FCMCase.token, count: 1000)))
        #expect(try FCMCase.document(thousand.text).root["results"]?.count == 1000)
        let mixed = call(
            .post, "/iid/v1:batchAdd", body: #"{"to":"/topics/a","registration_tokens":[1,"\#(FCMCase.token)"]}"#)
        #expect(mixed.text == #"{"results":[{"error":"INVALID_ARGUMENT"},{}]}"#)
    }

    @Test(arguments: [
        ("/iid/v1/\(FCMCase.token)/rel/topics/news", 200, "{}"),
        ("/iid/v1/\(FCMCase.token)/rel/topics/a%20b", 400, #"{"error":"INVALID_ARGUMENT"}"#),
        ("/iid/v1/short/rel/topics/news", 400, #"{"error":"INVALID_ARGUMENT"}"#),
        (
            "/iid/v1/unregistered:x/rel/topics/news", 404,
            #"{"error":"No information found about this instance id."}"#
        ),
    ]) func `one token is subscribed by its path`(path: String, status: Int, text: String) {
        let answer = call(.post, path)
        #expect(answer.status == status)
        #expect(answer.text == text)
    }

    @Test func `information has the topics if details are requested`() {
        let registry = FakeRegistry(topics: ["b", "a"])
        let head =
            #"{"application":"com.example.app","authorizedEntity":"900000000000","platform":"ANDROID","scope":"*""#
        let date = FCMCase.now.description.prefix(10)
        #expect(call(.get, "/iid/info/\(FCMCase.token)", registry).text == head + "}")
        #expect(
            call(.get, "/iid/info/\(FCMCase.token)?details=true", registry).text
                == head + #","rel":{"topics":{"a":{"addDate":"\#(date)"},"b":{"addDate":"\#(date)"}}}}"#)
        #expect(call(.get, "/iid/info/\(FCMCase.token)?details=true", FakeRegistry()).text == head + "}")
    }

    @Test(arguments: [
        ("d" + FCMCase.token.dropFirst(), 404, "iid.unknown-token"), ("short", 400, "iid.bad-token"),
        ("internal:x", 404, "iid.unknown-token"),
    ]) func `information about an unknown token is refused`(token: String, status: Int, rule: String) throws {
        let answer = call(.get, "/iid/info/\(token)")
        #expect(answer.status == status)
        #expect(answer.rule == rule)
        if status == 400 {
            let recorded = try #require(FCMCase.recorded["iid-invalid"]?["body"])
            #expect(try JSONValue(FCMCase.document(answer.text).root) == JSONValue(recorded))
        }
    }

    @Test func `an import finds the registrations of APNs tokens`() {
        let answer = call(
            .post, "/iid/v1:batchImport",
            body: #"{"application":"com.example.app","sandbox":false,"apns_tokens":["a1b2","ffff",3]}"#)
        #expect(
            answer.text
                == #"{"results":[{"apns_token":"a1b2","status":"OK","registration_token":"\#(FCMCase.token)"},"#
                + #"{"apns_token":"ffff","status":"Internal Server Error"},"#
                + #"{"apns_token":"","status":"Internal Server Error"}]}"#)
    }

    @Test(arguments: [
        "", "{}", #"{"application":"a","sandbox":false}"#, #"{"application":"a","apns_tokens":["x"]}"#,
        #"{"sandbox":true,"apns_tokens":["x"]}"#, #"{"application":"a","sandbox":"no","apns_tokens":["x"]}"#,
        #"{"application":"a","sandbox":true,"apns_tokens":[]}"#,
        #"{"application":"a","sandbox":true,"apns_tokens":[\#(Array(repeating: "1", count: 101).joined(separator: ","))]}"#,
    ]) func `an invalid import is refused`(body: String) {
        #expect(call(.post, "/iid/v1:batchImport", body: body).rule == "iid.bad-call")
    }
}
