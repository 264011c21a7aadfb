import HTTPCore
import JSON
import Testing

@testable import ControlAPI

/// The list of messages: its pages, deleting, and what must not be shown.
struct MessageListTests {
    private let host = TestHost()

    /// Newest first.
    private func push(_ count: Int, _ app: String = TestHost.app) throws -> [String] {
        for _ in 0..<count {
            host.push(to: String(repeating: app == TestHost.app ? "5" : "6", count: 64), topic: app)
        }
        return try host.ids("limit=\(count)&app=\(app)")
    }

    @Test func `pages stay the same while new pushes arrive`() throws {
        let made = try push(10)
        var (found, cursor): ([String], String?) = ([], nil)
        for length in [3, 3, 3, 1] {
            let from = cursor.map { "&cursor=\($0)" } ?? ""
            let page = try host.ask(.get, "/messages?app=\(TestHost.app)&limit=3\(from)")
            #expect(page.at("messages").elements.count == length)
            found += page.at("messages").elements.compactMap { $0.at("id").text }
            cursor = page.at("next").text
            _ = try (push(2), push(1, TestHost.otherApp))
        }
        #expect(found == made && cursor == nil)
    }

    @Test func `a page that holds all is the last`() throws {
        _ = try push(3)
        #expect(try host.ask(.get, "/messages?limit=3").at("next") == .null)
        #expect(try host.ask(.get, "/messages?limit=2").at("next") != .null)
        _ = try push(50)
        #expect(try host.ids().count == 50)
        #expect(try host.ids("limit=1000").count == 53)
    }

    @Test func `deleted messages are gone, with everything that was recorded about them`() throws {
        let (first, other) = try (push(2), push(1, TestHost.otherApp))
        #expect(try host.events().contains { $0.at("push").text == other[0] })
        #expect(try host.ask(.delete, "/messages?app=\(TestHost.otherApp)") == ["deleted": 1])
        #expect(try host.problem(.get, "/messages/\(other[0])") == .init(status: 404, code: "notFound", pointer: nil))
        #expect(try host.ids() == first)
        #expect(try !host.events().contains { $0.at("push").text == other[0] })
        let never: JSONValue = ["never": true, "match": ["app": .string(TestHost.otherApp)], "within": "0s"]
        #expect(try host.ask(.post, "/expect", never).at("met") == true)
        #expect(try host.ask(.delete, "/messages?/aps/alert=Hello&outcome=refused") == ["deleted": 0])
        #expect(try host.ask(.delete, "/messages") == ["deleted": 2])
        #expect(try host.ask(.get, "/messages") == ["messages": [], "next": nil])
    }

    /// Everything that the API says about messages, in all forms.
    private func everything() throws -> String {
        let match: JSONValue = ["app": "x", "headers": ["authorization": "x"]]
        var texts = [
            try host.call(.get, "/messages").text,
            try host.events().map { String(decoding: $0.bytes, as: UTF8.self) }.joined(),
            try host.call(.post, "/expect", ["match": match, "within": "0s"]).text,
        ]
        for id in try host.ids() {
            for path in ["", "/raw", "/export?as=curl", "/export?as=fcm"] {
                texts.append(try host.call(.get, "/messages/\(id)\(path)").text)
            }
        }
        return texts.joined(separator: "\n")
    }

    private static let message = Array(#"{"message":{"topic":"t"}}"#.utf8)

    @Test func `no secret is shown, and the same secret has the same fingerprint`() throws {
        for bearer in ["Bearer s3cret", "bearer s3cret", "Basic s3cret", "s3cret"] {
            host.send(
                raw: Self.message,
                fields: [
                    ("authorization", bearer), ("cookie", "a=s3cret"), ("proxy-authorization", "s3cret"),
                    ("x-goog-api-key", "s3cret"),
                ])
        }
        for query in [
            "?access_token=s3cret", "?prettyPrint=true&oauth_token=s3cret", "?key=s3cret", "?%61ccess_token=s3cret",
            "?$key=s3cret",
        ] {
            host.send(raw: Self.message, query: query, fields: [])
        }
        let shown = try everything()
        #expect(shown.contains("sha256:") && !shown.contains("s3cret"))
        let fields = try host.messages().flatMap { $0.at("request", "headers").elements }
        let secrets = fields.filter { $0.at(0) == "authorization" }
        let prints = Set(secrets.compactMap { $0.at(1).text?.split(separator: " ").last })
        #expect(secrets.count == 4 && prints.count == 1)
        #expect(prints.first?.wholeMatch(of: #/sha256:[0-9a-f]{16}/#) != nil)
        let targets = try host.messages().compactMap { $0.at("request", "path").text }.filter { $0.contains("?") }
        #expect(targets.map { $0.split(separator: "sha256:").count } == [2, 2, 2, 2, 2])
    }
}
