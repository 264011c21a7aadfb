import HTTPCore
import PushCore
import Testing

@testable import FCM

/// The routes of Google's APIs, their query parameters, and what a topic request is about.
@Suite struct GoogleRouteTests {
    static let rows: [(method: Method, path: String, route: GoogleRoute)] = [
        (.post, "/v1/projects/demo/messages:send", .send(project: "demo")),
        (.post, "/v1/projects/123/messages%3Asend", .send(project: "123")),
        (.post, "/v1/projects/demo/messages%3asend?alt=json", .send(project: "demo")),
        (.get, "/v1/projects/demo/messages:send", .none), (.post, "/v1/projects//messages:send", .none),
        (.post, "/v1/projects/a/b/messages:send", .none), (.post, "/v1/projects/demo/messages", .none),
        (
            .post, "/v1/projects/\(String(repeating: "p", count: 255))/messages:send",
            .send(project: String(repeating: "p", count: 255))
        ),
        (.post, "/v1/projects/\(String(repeating: "p", count: 256))/messages:send", .none),
        (.post, "/token", .token), (.get, "/token", .none), (.post, "/token/", .none),
        (.post, "/oauth2/v4/token", .token), (.post, "/o/oauth2/token", .token), (.get, "/oauth2/v4/token", .none),
        (.post, "/fcm/send", .legacySend), (.post, "/batch", .removedBatch),
        (
            .get, "/v1/projects/p/registrations/r/topicSubscriptions",
            .subscriptions(project: "p", registration: "r", last: nil)
        ),
        (
            .delete, "/v1/projects/p/registrations/r/topicSubscriptions/t",
            .subscriptions(project: "p", registration: "r", last: "t")
        ),
        (
            .post, "/v1/projects/p/registrations/r/topicSubscriptions/t:subscribe",
            .subscriptions(project: "p", registration: "r", last: "t:subscribe")
        ),
        (.post, "/v1/projects/p/registrations/r/topicSubscriptions/t", .none),
        (.put, "/v1/projects/p/registrations/r/topicSubscriptions/t", .none),
        (.post, "/iid/v1:batchAdd", .batch(isAdding: true)), (.post, "/iid/v1:batchRemove", .batch(isAdding: false)),
        (.post, "/iid/v1%3AbatchImport", .batchImport),
        (.post, "/iid/v1/a%3Ab/rel/topics/news", .relation(token: "a:b", topic: "news")),
        (.post, "/iid/v1//rel/topics/news", .none),
        (.get, "/iid/info/abc?details=true", .info(token: "abc")), (.post, "/iid/info/abc", .info(token: "abc")),
        (.get, "/iid/info/\(String(repeating: "x", count: 1101))", .none), (.get, "/iid/info/a/b", .none),
        (.get, "/", .none), (.get, "", .none),
    ]

    @Test(arguments: rows.indices) func `each path and method has its route`(row: Int) {
        let (method, path, route) = Self.rows[row]
        #expect(GoogleRoute(FCMCase.request(method, path)) == route, "\(method) \(path)")
    }

    @Test(arguments: [
        ("a=b&c=d", ["a:b", "c:d"]), ("a=b=c", ["a:b=c"]), ("a", ["a:"]), ("&&a=1&", ["a:1"]), ("=x", [":x"]),
        ("a%3Db=c+d%20e", ["a=b:c d e"]), ("a=%zz%4", ["a:%zz%4"]), ("a=%C3%BC", ["a:ü"]), ("", []),
    ]) func `pairs are split and decoded`(text: String, expected: [String]) {
        #expect(PercentCode.pairs(Array(text.utf8)[...]).map { "\($0.name):\($0.value)" } == expected)
    }

    @Test func `a plus is a space in forms only`() {
        #expect(PercentCode.decode("a+b%2Bc".utf8) == "a b+c")
        #expect(PercentCode.decode("a+b%2Bc".utf8, isForm: false) == "a+b+c")
    }

    @Test func `the last value of a repeated parameter counts`() {
        let query = GoogleQuery(FCMCase.request(.get, "/x?a=1&page_size=2&a=3&pageSize=4"))
        #expect(query["a"] == "3")
        #expect(query["pageSize", "page_size"] == "4")
        #expect(query["missing"] == nil)
        #expect(GoogleQuery(FCMCase.request(.get, "/x"))["a"] == nil)
    }

    @Test(arguments: [
        ("", true), ("?prettyPrint=true", true), ("?prettyPrint=false", false), ("?prettyPrint=0", false),
        ("?prettyPrint=", true), ("?prettyprint=false", true), ("?$prettyPrint=False", false),
        ("?prettyPrint=n", false),
        ("?prettyPrint=maybe", true), ("?prettyPrint=false&prettyPrint=true", false),
    ]) func `answers are indented unless the query says otherwise`(query: String, isPretty: Bool) {
        #expect(GoogleQuery(FCMCase.request(.get, "/x" + query)).isPretty == isPretty)
    }

    @Test func `system parameters are accepted, others name each fault`() throws {
        let accepted = GoogleQuery(
            FCMCase.request(.get, "/x?$.xgafv=2&access_token=a&$alt=json&callback=c&fields=f&key=k&quotaUser=u&own=1"))
        try accepted.check(["own"], answer: .anything)
        let error = #expect(throws: GoogleError.self) {
            try GoogleQuery(FCMCase.request(.get, "/x?one=1&key=k&two=2")).check(answer: .anything)
        }
        #expect(
            error?.message.split(separator: "\n").map { $0.split(separator: "\"")[1] } == ["one", "two"])
        #expect(error?.message.contains("Cannot bind query parameter. Field 'one' could not be found") == true)
    }

    @Test func `the query of a send is checked before its body`() {
        var sender = FCMSender()
        #expect(sender.post(FCMCase.send("{", query: "?x=1")).rule == "fcm.conversion")
        #expect(sender.post(FCMCase.send(#"{"message":{"topic":"a"}}"#, query: "?key=1")).status == 200)
    }

    @Test(arguments: [
        ("application/x-www-form-urlencoded", "fcm.form-body"),
        ("Application/X-WWW-Form-Urlencoded; charset=utf-8", "fcm.form-body"), ("text/plain", nil),
        ("application/json", nil), ("application/x-www-form", nil),
    ]) func `a body that is declared as a form is refused`(type: String, rule: String?) {
        var sender = FCMSender()
        let request = FCMCase.send(#"{"message":{"topic":"a"}}"#, headers: [("content-type", type)])
        #expect(sender.post(request).rule == rule)
    }

    @Test func `the log says that a body is a form, not which names it has`() {
        var sender = FCMSender()
        let form = [("content-type", "application/x-www-form-urlencoded")]
        let answer = sender.post(FCMCase.send(#"{"message":{"topic":"a&b"}}"#, headers: form))
        #expect(answer.explanation?.contains("send 'content-type: application/json'") == true)
        let unknown = sender.post(FCMCase.send(#"{"message":{"topic":"a","b":1,"c":2}}"#))
        #expect(unknown.explanation?.contains("\n") == false)
        #expect(unknown.explanation?.contains("Unknown name \"c\"") == true)
    }

    static let subjects: [(method: Method, path: String, body: String, expected: [String?]?)] = [
        (.get, "/v1/projects/p/registrations/r/topicSubscriptions", "", ["p", "r", nil]),
        (.post, "/v1/projects/p/registrations/r/topicSubscriptions?topicName=t", "", ["p", "r", "t"]),
        (.post, "/v1/projects/p/registrations/r/topicSubscriptions/t:subscribe", "", ["p", "r", "t"]),
        (.post, "/iid/v1/r/rel/topics/t", "", [nil, "r", "t"]), (.get, "/iid/info/r", "", [nil, "r", nil]),
        (.post, "/iid/v1:batchAdd", #"{"to":"/topics/t","registration_tokens":["r"]}"#, [nil, "r", "t"]),
        (.post, "/iid/v1:batchAdd", #"{"to":"t","registration_tokens":["r","s"]}"#, [nil, nil, "t"]),
        (.post, "/iid/v1:batchAdd", "{", [nil, nil, nil]), (.post, "/iid/v1:batchImport", "{}", [nil, nil, nil]),
        (.post, "/token", "", nil), (.post, "/v1/projects/p/messages:send", "", nil), (.get, "/", "", nil),
    ]

    @Test(arguments: subjects.indices) func `a fault sees the project, token and topic of a topic request`(row: Int) {
        let (method, path, body, expected) = Self.subjects[row]
        let request = FCMCase.request(method, path, body: body)
        let subject = TopicSubject(GoogleRoute(request), request)
        #expect(subject.map { [$0.project, $0.token, $0.topic] } == expected, "\(method) \(path)")
    }
}
