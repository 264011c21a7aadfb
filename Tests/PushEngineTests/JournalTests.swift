import Devices
import HTTPCore
import JSON
import PushCore
import Testing

@testable import PushEngine

/// The pushes that were received, as lists and filters show them.
@Suite struct JournalTests {
    /// Seven pushes: p1 to p3 and p7 to Apple, p4 to p6 to Google, one a second.
    private static func fixture() -> EngineFixture {
        let fixture = EngineFixture()
        fixture.make("i")
        fixture.make("a", .android)
        fixture.subscribe("a", to: "news")
        fixture.push(to: "i", ["apns-priority": "5"], body: #"{"aps":{"alert":{"title":"Goal"},"badge":7}}"#)
        fixture.advance(1000)
        fixture.push(
            to: "i", ["apns-push-type": "background", "apns-priority": "5"], body: #"{"aps":{"content-available":1}}"#)
        fixture.advance(1000)
        fixture.push(["apns-collapse-id": "score"], topic: "com.example.other")
        fixture.advance(1000)
        fixture.message(to: "a", #""data":{"a":"7"}"#)
        fixture.advance(1000)
        fixture.message(#""topic":"news","notification":{"title":"GOAL"}"#)
        fixture.finish()
        fixture.advance(1000)
        fixture.message(#""token":"abc""#)
        fixture.advance(1000)
        fixture.push("abc", topic: "com.example.other")
        return fixture
    }

    @Test(arguments: [(255, 255), (256, 0)])
    func `a name of an app is recorded if it has at most 255 bytes`(length: Int, recorded: Int) {
        let fixture = EngineFixture()
        fixture.push(topic: String(repeating: "a", count: length))
        #expect(fixture.takeEvents().first { $0.push != nil }?.app.utf8.count == recorded)
    }

    private static func ids(_ messages: [Message]) -> [String] { messages.map(\.record.id.description) }

    private static func ids(_ fixture: EngineFixture, _ query: String) throws -> [String] {
        let filter = try MessageFilter(QueryReader(fixture.request(path: "/?" + query)))
        return ids(fixture.engine.messages(filter, before: nil, limit: 100).messages)
    }

    /// A query, and the pushes that match it.
    static let queries: [(query: String, ids: [Int])] = [
        ("", [7, 6, 5, 4, 3, 2, 1]), ("provider=apns", [7, 3, 2, 1]), ("provider=fcm", [6, 5, 4]),
        ("app=com.example.app", [4, 2, 1]), ("app=demo", [6, 5, 4]), ("app=com.example.other", [7, 3]), ("app=x", []),
        ("outcome=accepted", [5, 4, 3, 2, 1]), ("outcome=refused", [7, 6]), ("status=200", [5, 4, 3, 2, 1]),
        ("status=400", [7, 6]), ("reason=BadDeviceToken", [7]), ("reason=INVALID_ARGUMENT", [6]),
        ("rule=apns.BadDeviceToken", [7]), ("rule=fcm.token-malformed", [6]), ("rule=apns.received", [3, 2, 1]),
        ("rule=auth.unknown-bearer", [6, 5, 4]), ("token=IOS", [2, 1]), ("token=IOSUPPER", [2, 1]),
        ("token=abc", [7, 6]),
        ("token=ANDROID", [4]), ("device=i", [2, 1]), ("device=a", [5, 4]), ("device=x", []), ("topic=news", [5]),
        ("topic=com.example.app", [2, 1]), ("pushType=background", [2]), ("text=goal", [5, 1]), ("text=GOA", [5, 1]),
        ("text=abc", [6]), ("/aps/badge=7", [1]), ("/message/data/a=7", [4]), ("/message/data/a=8", []),
        ("/aps/alert/title=Goal", [1]), ("/aps/alert/title=GOAL", []), ("since=2027-01-15T08:00:04Z", [7, 6, 5]),
        ("until=2027-01-15T08:00:01Z", [2, 1]), ("since=2027-01-15T08:00:01Z&until=2027-01-15T08:00:02Z", [3, 2]),
        ("provider=apns&outcome=refused", [7]), ("device=i&pushType=background", [2]), ("device=i&provider=fcm", []),
    ]

    @Test(arguments: queries.indices) func `a filter's fields are all true of a match`(index: Int) throws {
        let (query, expected) = Self.queries[index]
        let fixture = Self.fixture()
        let text = query.replacing("IOSUPPER", with: fixture.apnsToken("i").uppercased())
            .replacing("IOS", with: fixture.apnsToken("i")).replacing("ANDROID", with: fixture.fcmToken("a"))
            .replacing(":", with: "%3A")
        #expect(try Self.ids(fixture, text) == expected.map { "p\($0)" }, "\(query)")
    }

    @Test(arguments: queries.indices) func `the same filter in a body matches the same`(index: Int) throws {
        let (query, expected) = Self.queries[index]
        let fixture = Self.fixture()
        var members: [String] = []
        for pair in query.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
            let text = parts[1].replacing("IOSUPPER", with: fixture.apnsToken("i").uppercased())
                .replacing("IOS", with: fixture.apnsToken("i")).replacing("ANDROID", with: fixture.fcmToken("a"))
            members.append(
                parts[0].hasPrefix("/") ? #""bodyText":{"\#(parts[0])":"\#(text)"}"# : #""\#(parts[0])":"\#(text)""#)
        }
        let filter = try MessageFilter(EngineFixture.json("{\(members.joined(separator: ","))}"), at: "/match")
        let found = Self.ids(fixture.engine.messages(filter, before: nil, limit: 100).messages)
        #expect(found == expected.map { "p\($0)" }, "\(query)")
    }

    @Test(
        arguments: [
            (#"{"headers":{"apns-collapse-id":"score"}}"#, [3]), (#"{"headers":{"Apns-Priority":"5"}}"#, [2, 1]),
            (#"{"headers":{"apns-priority":"10"}}"#, []), (#"{"status":400}"#, [7, 6]),
            (#"{"body":{"/aps/badge":7}}"#, [1]),
            (#"{"body":{"/aps/badge":"7"}}"#, []), (#"{"body":{"/message/data":{"a":"7"}}}"#, [4]),
            (#"{"body":{"/aps/badge":7.0}}"#, [1]),
        ] as [(String, [Int])])
    func `headers and values of the body match too`(text: String, expected: [Int]) throws {
        let fixture = Self.fixture()
        let filter = try MessageFilter(EngineFixture.json(text), at: "/match")
        let found = Self.ids(fixture.engine.messages(filter, before: nil, limit: 100).messages)
        #expect(found == expected.map { "p\($0)" }, "\(text)")
    }

    @Test(arguments: [1, 2, 3, 7, 8]) func `pages follow each other without a gap or a repetition`(limit: Int) {
        let fixture = Self.fixture()
        var found: [String] = []
        var cursor: UInt64?
        var pages = 0
        repeat {
            let (messages, next) = fixture.engine.messages(MessageFilter(), before: cursor, limit: limit)
            #expect(messages.count <= limit)
            found += Self.ids(messages)
            cursor = next
            pages += 1
            // A push that comes meanwhile is on none of the later pages.
            fixture.push()
        } while cursor != nil && pages < 10
        #expect(found == ["p7", "p6", "p5", "p4", "p3", "p2", "p1"])
        #expect(pages == (7 + limit - 1) / limit)
    }

    @Test func `the pages of a device's messages follow each other too`() throws {
        let fixture = Self.fixture()
        var filter = MessageFilter()
        try filter.add(.device, "i")
        let (first, next) = fixture.engine.messages(filter, before: nil, limit: 1)
        #expect(Self.ids(first) == ["p2"])
        #expect(next != nil)
        let (second, end) = fixture.engine.messages(filter, before: next, limit: 1)
        #expect(Self.ids(second) == ["p1"])
        #expect(end == nil)
    }

    @Test(arguments: [
        ("p1", true), ("p7", true), ("p8", false), ("p0", false), ("1", false), ("px", false), ("", false),
    ])
    func `a message is found by its id`(id: String, exists: Bool) {
        let fixture = Self.fixture()
        #expect(fixture.logged(id)?.record.id.description == (exists ? id : nil))
    }

    @Test func `what lets a sender in is shown as a fingerprint`() throws {
        let fixture = EngineFixture()
        fixture.push()
        let shown = try #require(fixture.logged("p1")).shownHeaders
        let authorization = shown.first { $0.name == "authorization" }?.value ?? ""
        #expect(authorization.hasPrefix("bearer sha256:"))
        #expect(authorization.count == "bearer sha256:".count + 16)
        #expect(!shown.contains { $0.name.hasPrefix(":") })
        fixture.google(
            "POST", "/v1/projects/demo/messages:send?access_token=secret&alt=json", ["authorization": ""], body: "{}")
        let target = try #require(fixture.logged("p2")).shownTarget
        #expect(!target.contains("secret"))
        #expect(target.hasPrefix("/v1/projects/demo/messages:send?access_token=sha256:"))
        #expect(target.hasSuffix("&alt=json"))
    }

    @Test func `a message is shown with its outcome, its devices and its request`() throws {
        let fixture = Self.fixture()
        var json = JSONWriter()
        try #require(fixture.logged("p5")).write(to: &json)
        let shown = EngineFixture.json(String(decoding: json.finish(), as: UTF8.self))
        #expect(shown["provider"]?.string == "fcm")
        #expect(shown["project"]?.string == "demo")
        #expect(shown["target"]?["topic"]?.string == "news")
        #expect(shown["devices"]?.elements.map(\.string) == ["a"])
        #expect(shown["outcome"]?.string == "accepted")
        #expect(shown["request"]?["body"]?["message"]?["notification"]?["title"]?.string == "GOAL")
        #expect(shown["findings"]?[0]?["rule"]?.string == "auth.unknown-bearer")
    }

    @Test func `the log forgets the oldest messages, and the journal with it`() throws {
        let fixture = EngineFixture { $0.logCapacity = 20 }
        fixture.make("i")
        for _ in 0..<200 { fixture.push(to: "i") }
        let found = Self.ids(fixture.engine.messages(MessageFilter(), before: nil, limit: 1000).messages)
        #expect(found.first == "p200")
        #expect(found == (0..<found.count).map { "p\(200 - $0)" })
        #expect(5...20 ~= found.count)
        #expect(fixture.logged("p1") == nil)
        #expect(fixture.engine.journal.rows.count < 100)
        var filter = MessageFilter()
        try filter.add(.device, "i")
        #expect(Self.ids(fixture.engine.messages(filter, before: nil, limit: 1000).messages) == found)
    }

    @Test func `the journal reads on while nothing else is to be done`() {
        let fixture = EngineFixture()
        fixture.push()
        fixture.engine.updateJournalWhileIdle()
        // The log has grown since the last look.
        #expect(fixture.engine.journal.rows.isEmpty)
        fixture.engine.updateJournalWhileIdle()
        #expect(fixture.engine.journal.rows.count == 1)
    }

    /// Queries that can't be.
    @Test(
        arguments: [
            "provider=x", "outcome=x", "status=x", "status=1000", "since=yesterday", "until=x", "/a~2=1",
        ])
    func `a filter that makes no sense is refused`(query: String) {
        let fixture = EngineFixture()
        #expect(throws: ControlProblem.self) { try Self.ids(fixture, query) }
    }

    @Test(
        arguments: [
            (#"{"app":null}"#, "/match/app"), (#"{"unknown":"a"}"#, "/match/unknown"), (#"{"app":1}"#, "/match/app"),
            (#"{"status":"x"}"#, "/match/status"), (#"{"status":1000}"#, "/match/status"),
            (#"{"headers":1}"#, "/match/headers"),
            (#"{"headers":{"a":1}}"#, "/match/headers"), (#"{"body":{"a":1}}"#, "/match/body"), (#"[]"#, "/match"),
            (#"{"body":1}"#, "/match/body"), (#"{"bodyText":["/a"]}"#, "/match/bodyText"),
            (#"{"bodyText":{"/a":1}}"#, "/match/bodyText"), (#"{"since":true}"#, "/match/since"),
            (#"{"since":"x"}"#, "/match/since"),
        ])
    func `a filter in a body that makes no sense is refused, with the place`(text: String, pointer: String) {
        let error = #expect(throws: ControlProblem.self) { try MessageFilter(EngineFixture.json(text), at: "/match") }
        #expect(error?.pointer == pointer)
    }
}
