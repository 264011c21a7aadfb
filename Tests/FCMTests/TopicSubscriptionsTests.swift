import HTTPCore
import JSON
import PushCore
import Testing

@testable import FCM

/// The topic subscription API: create, get, list, update and delete.
@Suite struct TopicSubscriptionsTests {
    static let collection = "/v1/projects/demo/registrations/\(FCMCase.token)/topicSubscriptions"

    struct Sender {
        var authorization = "Bearer ya29.a"
        var policy = FCMPolicy()
        var bearers = BearerBook()
    }

    private func call(
        _ method: Method, _ path: String, _ registry: FakeRegistry, body: String = "", as sender: Sender = Sender()
    ) -> (status: Int, text: String, rule: String?) {
        let headers = sender.authorization.isEmpty ? [] : [(name: "authorization", value: sender.authorization)]
        let request = FCMCase.request(method, path, body: body, headers: headers)
        guard case .subscriptions(let project, let registration, let last) = GoogleRoute(request) else {
            return (0, "no route", nil)
        }
        let answer = TopicSubscriptions(
            sender.policy, request, project: project, registration: registration, last: last
        )
        .answer(at: FCMCase.now, bearers: sender.bearers, registry.perform)
        return (answer.response.status, answer.response.text, answer.rule?.description)
    }

    private static let resource = """
        {
          "name": "projects/demo/registrations/\(FCMCase.installation)/topicSubscriptions/news",
          "topicName": "news",
          "createTime": "\(FCMCase.now)"
        }

        """

    @Test func `creating a subscription returns it, a second time is a conflict`() {
        let registry = FakeRegistry()
        for name in ["topicName", "topic_name"] {
            registry.topics = [:]
            let first = call(.post, Self.collection + "?\(name)=news", registry)
            #expect(first.status == 200)
            #expect(first.text == Self.resource)
        }
        let second = call(.post, Self.collection + "?topicName=news", registry)
        #expect(second.status == 409)
        #expect(second.rule == "fcm.already-subscribed")
        #expect(second.text.contains("\"status\": \"ALREADY_EXISTS\""))
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let method: Method
        let suffix: String
        var body = ""
        let status: Int
        var rule: String?
        var remaining = ["news"]
        var testDescription: String { "\(method.rawValue) \(suffix) \(body)" }
    }

    static let rows = [
        Row(method: .get, suffix: "/news", status: 200), Row(method: .get, suffix: "", status: 200),
        Row(method: .get, suffix: "/other", status: 404, rule: "fcm.no-subscription"),
        Row(method: .get, suffix: "/news?x=1", status: 400, rule: "fcm.conversion"),
        Row(method: .get, suffix: "/news?alt=json&prettyPrint=false", status: 200),
        Row(method: .delete, suffix: "/news", status: 200, remaining: []),
        Row(method: .delete, suffix: "/other", status: 404, rule: "fcm.no-subscription"),
        Row(method: .delete, suffix: "/other?allowMissing=true", status: 200),
        Row(method: .delete, suffix: "/a%20b", status: 400, rule: "fcm.topic-name"),
        Row(method: .patch, suffix: "/news", status: 200),
        Row(method: .patch, suffix: "/other", status: 404, rule: "fcm.no-subscription"),
        Row(method: .patch, suffix: "/other?allow_missing=true", status: 200, remaining: ["news", "other"]),
        Row(method: .patch, suffix: "/news", body: #"{"topicName":"x"}"#, status: 200),
        Row(method: .patch, suffix: "/news", body: #"{"topic":"x"}"#, status: 400, rule: "fcm.conversion"),
        Row(method: .patch, suffix: "/news", body: "{", status: 400, rule: "fcm.not-json"),
        Row(method: .post, suffix: "?topicName=x&pageSize=1", status: 400, rule: "fcm.conversion"),
        Row(method: .post, suffix: "", status: 400, rule: "fcm.topic-name"),
        Row(method: .post, suffix: "?topicName=%2Ftopics%2Fa", status: 400, rule: "fcm.topic-name"),
        Row(method: .post, suffix: "?topicName=b", status: 200, remaining: ["b", "news"]),
        Row(method: .post, suffix: "/b:subscribe", status: 200, remaining: ["b", "news"]),
        Row(method: .post, suffix: "/news:unsubscribe", status: 200, remaining: []),
        Row(method: .post, suffix: "/b:unsubscribe", status: 200),
    ]

    @Test(arguments: rows) func `each call has its status and its effect`(row: Row) {
        let registry = FakeRegistry(topics: ["news"])
        let answer = call(row.method, Self.collection + row.suffix, registry, body: row.body)
        #expect(answer.status == row.status)
        #expect(answer.rule == row.rule)
        #expect(registry.topics.keys.sorted() == row.remaining)
    }

    @Test func `a list has pages in alphabetical order`() throws {
        let registry = FakeRegistry(topics: (0..<25).map { "t\($0 + 10)" })
        var (names, query) = ([String](), "?pageSize=10")
        for page in 0..<3 {
            let answer = call(.get, Self.collection + query, registry)
            let root = try FCMCase.document(answer.text).root
            let found = root["topicSubscriptions"]?.elements.compactMap { $0["topicName"]?.string } ?? []
            #expect(found.count == (page < 2 ? 10 : 5))
            names += found
            let next = root["nextPageToken"]?.string
            #expect((next == nil) == (page == 2))
            query = "?page_size=10&page_token=\(next ?? "")"
        }
        #expect(names == (10..<35).map { "t\($0)" })
    }

    @Test(arguments: [
        ("", 1000), ("?pageSize=0", 1000), ("?pageSize=1500", 1500), ("?pageSize=9999", 2000),
    ]) func `a page has at most 2000 subscriptions`(query: String, count: Int) throws {
        let registry = FakeRegistry(topics: (0..<2500).map { "t\($0)" })
        let root = try FCMCase.document(call(.get, Self.collection + query, registry).text).root
        #expect(root["topicSubscriptions"]?.count == count)
    }

    @Test(arguments: ["-1", "x", "1.5"]) func `an invalid page size is refused`(size: String) {
        let answer = call(.get, Self.collection + "?pageSize=\(size)", FakeRegistry())
        #expect(answer.status == 400)
        #expect(answer.rule == "fcm.page")
    }

    @Test func `an empty list is an empty object`() {
        #expect(call(.get, Self.collection, FakeRegistry()).text == "{}\n")
    }

    static let failures: [(outcome: TopicCall.Outcome, status: Int, rule: String)] = [
        (.unregistered, 404, "fcm.UNREGISTERED"), (.foreign, 403, "fcm.SENDER_ID_MISMATCH"),
        (.tooMany, 429, "fcm.too-many-topics"), (.full, 429, "fcm.topic-quota"),
    ]

    @Test(arguments: failures.indices) func `each failed outcome has its error`(row: Int) {
        let (outcome, status, rule) = Self.failures[row]
        let registry = FakeRegistry()
        registry.outcomes[FCMCase.token] = outcome
        let answer = call(.post, Self.collection + "?topicName=a", registry)
        #expect(answer.status == status)
        #expect(answer.rule == rule)
    }

    @Test func `a malformed registration is refused as such`() {
        let path = "/v1/projects/demo/registrations/short/topicSubscriptions?topicName=a"
        #expect(call(.post, path, FakeRegistry()).rule == "fcm.token-malformed")
    }

    @Test func `a magic token is refused before the registry is asked`() {
        let registry = FakeRegistry()
        let path = "/v1/projects/demo/registrations/quota-exceeded:x/topicSubscriptions?topicName=a"
        #expect(call(.post, path, registry).rule == "fcm.QUOTA_EXCEEDED")
        #expect(registry.calls.isEmpty)
    }

    @Test func `credentials are needed, except for the calls of the SDKs on phones`() {
        let registry = FakeRegistry()
        #expect(call(.get, Self.collection, registry, as: Sender(authorization: "")).status == 401)
        #expect(call(.post, Self.collection + "/a:subscribe", registry, as: Sender(authorization: "")).status == 200)
        #expect(registry.topics.keys.sorted() == ["a"])
    }

    @Test(arguments: [
        (Method.post, "?topicName=a", "create"), (.get, "", "list"), (.get, "/a", "get"), (.patch, "/a", "update"),
        (.delete, "/a", "delete"),
    ]) func `strict names the missing permission`(method: Method, suffix: String, verb: String) {
        var (bearers, random) = (BearerBook(), Random(seed: 1))
        let token = bearers.issue(
            to: "a@other.iam.gserviceaccount.com", [FCMCredentialsTests.sendScope], until: FCMCase.now + 1000,
            using: &random)
        let answer = call(
            method, Self.collection + suffix, FakeRegistry(),
            as: Sender(
                authorization: "Bearer \(token)", policy: FCMPolicy(requiresKnownBearers: true), bearers: bearers))
        #expect(answer.status == 403)
        #expect(answer.text.contains("Permission 'cloudmessaging.topicSubscriptions.\(verb)' denied"))
    }
}
