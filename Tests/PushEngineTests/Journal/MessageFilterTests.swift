import Devices
import JSON
import PushCore
import Testing

@testable import PushEngine

/// Which messages a filter in a query or a body matches.
@Suite struct MessageFilterTests {
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

    @Test(arguments: queries.indices) func `a match meets all fields of the filter`(index: Int) throws {
        let (query, expected) = Self.queries[index]
        let fixture = JournalSample.make()
        let text = query.replacing("IOSUPPER", with: fixture.apnsToken("i").uppercased())
            .replacing("IOS", with: fixture.apnsToken("i")).replacing("ANDROID", with: fixture.fcmToken("a"))
            .replacing(":", with: "%3A")
        #expect(try JournalSample.ids(fixture, text) == expected.map { "p\($0)" }, "\(query)")
    }

    @Test(arguments: queries.indices) func `the same filter in a body matches the same`(index: Int) throws {
        let (query, expected) = Self.queries[index]
        let fixture = JournalSample.make()
        var members: [String] = []
        for pair in query.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
            let text = parts[1].replacing("IOSUPPER", with: fixture.apnsToken("i").uppercased())
                .replacing("IOS", with: fixture.apnsToken("i")).replacing("ANDROID", with: fixture.fcmToken("a"))
            members.append(
                parts[0].hasPrefix("/") ? #""bodyText":{"\#(parts[0])":"\#(text)"}"# : #""\#(parts[0])":"\#(text)""#)
        }
        let filter = try MessageFilter(EngineFixture.json("{\(members.joined(separator: ","))}"), at: "/match")
        let found = JournalSample.ids(fixture.engine.messages(filter, before: nil, limit: 100).messages)
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
        let fixture = JournalSample.make()
        let filter = try MessageFilter(EngineFixture.json(text), at: "/match")
        let found = JournalSample.ids(fixture.engine.messages(filter, before: nil, limit: 100).messages)
        #expect(found == expected.map { "p\($0)" }, "\(text)")
    }

    /// Queries that can't be.
    @Test(
        arguments: [
            "provider=x", "outcome=x", "status=x", "status=1000", "since=yesterday", "until=x", "/a~2=1",
        ])
    func `an invalid filter is refused`(query: String) {
        let fixture = EngineFixture()
        #expect(throws: ControlProblem.self) { try JournalSample.ids(fixture, query) }
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
    func `an invalid filter in a body is refused with the place of the error`(text: String, pointer: String) {
        let error = #expect(throws: ControlProblem.self) { try MessageFilter(EngineFixture.json(text), at: "/match") }
        #expect(error?.pointer == pointer)
    }

    @Test func `a pointer beside 'body' is refused with where it belongs`() {
        let error = #expect(throws: ControlProblem.self) {
            try MessageFilter(EngineFixture.json(#"{"/aps/alert":"Tea"}"#), at: "/match")
        }
        #expect(error?.pointer == "/match/~1aps~1alert")
        #expect(error?.message.contains(#"{"body":{"/aps/alert":…}}"#) == true)
    }
}
