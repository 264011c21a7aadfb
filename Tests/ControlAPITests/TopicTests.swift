import HTTPCore
import JSON
import Testing

@testable import ControlAPI

struct TopicTests {
    private let host = TestHost()

    init() throws {
        try host.makeDevice("android", ["id": "bound", "project": "p"])
        try host.makeDevice("android", ["id": "free"])
    }

    @Test func `a test subscribes devices and sees the topics`() throws {
        for path in ["news/devices/bound", "news/devices/free", "a%2525b/devices/free", "news/devices/free"] {
            try host.ask(.put, "/topics/\(path)", status: 204)
        }
        #expect(try host.events("kind=subscribed").map { $0.at("data", "topic") } == ["news", "news", "a%25b"])
        let rows: [JSONValue] = [
            ["name": "a%25b", "devices": 1], ["name": "news", "devices": 1],
            ["name": "news", "project": "p", "devices": 1],
        ]
        #expect(try host.ask(.get, "/topics") == ["topics": .array(rows), "next": nil])
        #expect(try host.ask(.get, "/topics?limit=1&cursor=1") == ["topics": [rows[1]], "next": "2"])
        host.send(["topic": "news", "data": ["tag": "1"]], project: "p")
        #expect(
            try host.newest().at("devices") == ["free", "bound"] || host.newest().at("devices") == ["bound", "free"])
        for _ in 1...2 { try host.ask(.delete, "/topics/news/devices/bound", status: 204) }
        #expect(try host.events("kind=unsubscribed").map { $0.at("device") } == ["bound"])
        host.send(["topic": "news", "data": ["tag": "2"]], project: "p")
        #expect(try host.newest().at("devices") == ["free"])
        #expect(host.workRequests > 0)
    }

    @Test func `a device's topics are listed by name, in pages`() throws {
        for topic in ["c", "a", "b"] { try host.ask(.put, "/topics/\(topic)/devices/free", status: 204) }
        let page = try host.ask(.get, "/devices/free/topics?limit=2")
        #expect(page.at("topics").elements.map { $0.at("name") } == ["a", "b"])
        #expect(page.at("topics").elements.allSatisfy { $0.at("since").text?.isEmpty == false })
        let rest = try host.ask(.get, "/devices/free/topics?limit=2&cursor=\(page.at("next").text ?? "")")
        #expect(rest.at("topics").elements.map { $0.at("name") } == ["c"] && rest.at("next") == .null)
        #expect(try host.ask(.get, "/devices/bound/topics") == ["topics": [], "next": nil])
        #expect(try host.problem(.get, "/devices/none/topics").status == 404)
    }

    static let refusals: [(Method, String, TestHost.Problem)] = [
        (.put, "/topics/news/devices/none", .init(status: 404, code: "notFound", pointer: nil)),
        (.delete, "/topics/news/devices/none", .init(status: 404, code: "notFound", pointer: nil)),
        (.put, "/topics/a%20b/devices/free", .init(status: 400, code: "badTopic", pointer: nil)),
        (.put, "/topics/a%2Fb/devices/free", .init(status: 400, code: "badTopic", pointer: nil)),
        (.put, "/topics/%C3%A4/devices/free", .init(status: 400, code: "badTopic", pointer: nil)),
        (.delete, "/topics/a%20b/devices/free", .init(status: 400, code: "badTopic", pointer: nil)),
        (
            .put, "/topics/\(String(repeating: "x", count: 901))/devices/free",
            .init(status: 400, code: "badTopic", pointer: nil)
        ),
        (.post, "/topics/news/devices/free", .init(status: 405, code: "wrongMethod", pointer: nil)),
        (.put, "/topics/news", .init(status: 404, code: "notFound", pointer: nil)),
    ]

    @Test(arguments: refusals.indices)
    func `a bad call is refused, and nothing is subscribed`(_ index: Int) throws {
        let (method, path, expected) = Self.refusals[index]
        #expect(try host.problem(method, path) == expected)
        #expect(try host.ask(.get, "/topics") == ["topics": [], "next": nil])
    }

    @Test func `the longest topic name, and one with the prefix of the SDKs`() throws {
        let longest = String(repeating: "x", count: 900)
        try host.ask(.put, "/topics/\(longest)/devices/free", status: 204)
        try host.ask(.put, "/topics/%2Ftopics%2Fnews/devices/free", status: 204)
        #expect(try host.ask(.get, "/topics").at("topics").elements.map { $0.at("name").text } == ["news", longest])
    }

    @Test func `a device has at most 2,000 topics, and none without its app`() throws {
        for number in 1...2000 { try host.ask(.put, "/topics/t\(number)/devices/free", status: 204) }
        let bad = TestHost.Problem(status: 400, code: "badTopic", pointer: nil)
        #expect(try host.problem(.put, "/topics/one-more/devices/free") == bad)
        try host.ask(.put, "/topics/t1/devices/free", status: 204)
        try host.ask(.post, "/devices/free/act", ["kind": "uninstall"])
        #expect(try host.ask(.get, "/topics").at("topics") == [])
        #expect(try host.problem(.put, "/topics/news/devices/free") == bad)
        try host.ask(.post, "/devices/bound/tokens", ["op": "delete", "provider": "fcm"])
        #expect(try host.problem(.put, "/topics/news/devices/bound") == bad)
    }
}
