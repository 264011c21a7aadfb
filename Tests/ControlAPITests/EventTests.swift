import HTTPCore
import JSON
import PushCore
import PushEngine
import Testing

@testable import ControlAPI

/// `GET /events`: which stream a call opens, and how events are written to it. That streams go on over a connection is
/// tested with real clients.
struct EventTests {
    private let host = TestHost()

    private func open(_ query: String, _ fields: [(String, String)] = []) throws -> EventStream {
        guard case .deferred(.events(let stream)) = host.reply(.get, "/events?\(query)", raw: [], fields) else {
            throw Unexpected("/events?\(query) is no stream")
        }
        return stream
    }

    /// An event for each app.
    private func make(_ apps: String...) throws {
        for app in apps { try host.makeDevice("web", app: app) }
    }

    @Test func `an event has all members`() throws {
        let phone = try host.makeDevice("ios", ["id": "phone"])
        host.push(to: token(of: phone))
        let push = try host.newest()
        let events = try host.events()
        #expect(events.map { $0.at("kind") } == ["registered", "accepted", "delivered", "presented"])
        let app = JSONValue.string(TestHost.app)
        #expect(
            events[0] == [
                "seq": 1, "time": "2027-01-15T08:00:00.000Z", "kind": "registered", "app": app, "device": "phone",
                "data": [:],
            ])
        #expect(
            events[1] == [
                "seq": push.at("seq"), "time": push.at("time"), "kind": "accepted", "app": app, "device": "phone",
                "push": push.at("id"), "why": "apns.received",
                "data": ["outcome": "Received by APNs", "provider": "apns", "status": 200],
            ])
        #expect(events[2].at("push") == push.at("id") && events[2].at("data") == ["outcome": "Delivered to Device"])
        #expect(events[3].at("why") == "ios.shown" && events[3].at("data", "body") == "Hello")
        host.push(to: "x")
        let refused = try host.events("kind=refused")[0]
        #expect(refused.at("data") == ["provider": "apns", "status": 400, "reason": "BadDeviceToken"])
        #expect(refused.at("why") == "apns.BadDeviceToken" && !refused.keys.contains("device"))
    }

    @Test func `a stream has one of two formats`() throws {
        try make(TestHost.app)
        let line = try host.events()[0]
        let rows: [(String?, String)] = [
            (nil, "text/event-stream"), ("text/event-stream", "text/event-stream"), ("*/*", "text/event-stream"),
            ("application/x-ndjson", "application/x-ndjson"), ("application/ndjson, */*", "application/x-ndjson"),
        ]
        for (accept, type) in rows {
            let stream = try open("since=0", accept.map { [("accept", $0)] } ?? [])
            #expect(stream.contentType == type)
            let text = String(decoding: host.read(stream).joined(), as: UTF8.self)
            let missed = String(decoding: stream.missed(7), as: UTF8.self)
            if type == "text/event-stream" {
                #expect(text.hasPrefix("id: 1\nevent: registered\ndata: {") && text.hasSuffix("}\n\n"))
                #expect(try JSONValue(parsing: Array(text.split(separator: "data: ")[1].utf8)) == line)
                #expect(missed == "event: missed\ndata: {\"kind\":\"missed\",\"count\":7}\n\n")
            } else {
                #expect(text.hasSuffix("}\n") && text.split(separator: "\n").count == 1)
                #expect(try JSONValue(parsing: Array(text.utf8)) == line)
                #expect(missed == "{\"kind\":\"missed\",\"count\":7}\n")
            }
        }
    }

    /// The query, `Last-Event-ID`, and the event after which the stream begins, of five.
    static let positions: [(String, String?, UInt64)] = [
        ("", nil, 5), ("since=0", nil, 0), ("since=3", nil, 3), ("since=5", nil, 5), ("since=9007199254740992", nil, 5),
        ("", "2", 2), ("", "0", 0), ("since=3", "1", 3), ("", "", 5), ("", "x", 5), ("", "-1", 5),
        ("", "999999999999999999999999999999", 5), ("follow=false", nil, 0), ("follow=false&since=2", nil, 2),
        ("follow=true", nil, 5), ("follow=false", "4", 4),
    ]

    @Test(arguments: positions)
    func `a stream begins after the event that is asked for`(_ query: String, _ last: String?, _ position: UInt64)
        throws
    {
        try make("a", "a", "a", "a", "a")
        let stream = try open(query, last.map { [("last-event-id", $0)] } ?? [])
        #expect(stream.position == position && stream.end.follows == !query.contains("follow=false"))
    }

    @Test func `a stream can be limited to kinds and apps`() throws {
        let phone = try host.makeDevice("ios", ["id": "phone"])
        try make(TestHost.otherApp)
        host.push(to: token(of: phone))
        host.push(to: "x")
        host.send(["topic": "t"])
        let all = "registered registered accepted delivered presented refused accepted"
        let rows = [
            ("", all), ("kind=", all), ("kind=accepted", "accepted accepted"),
            ("kind=refused,presented", "presented refused"),
            ("app=\(TestHost.app)", "registered accepted delivered presented refused"),
            ("app=\(TestHost.otherApp)", "registered"),
            ("app=shop", "accepted"), ("app=none", ""),
            ("app=\(TestHost.app)&kind=accepted,refused", "accepted refused"),
        ]
        for (query, kinds) in rows {
            let found = try host.events(query).compactMap { $0.at("kind").text }
            #expect(found.joined(separator: " ") == kinds, "\(query)")
        }
        // The gateway knows the project of an event.
        let stream = try open("since=0&app=p")
        let event = try #require(host.box.engine.events.event(1))
        for (project, passes) in [("p", true), ("q", false), (nil, false)] as [(String?, Bool)] {
            #expect(stream.filter.matches(event, project: { project }, message: { _ in nil }) == passes)
        }
    }

    static let refusals = [
        "since=x", "since=-1", "since=1.5", "since=", "kind=dance", "kind=accepted,dance", "kind=Accepted",
        "follow=maybe",
        "follow=", "follow=1", "limit=0", "limit=x", "limit=1000001",
    ]

    @Test(arguments: refusals)
    func `a bad question is refused`(_ query: String) throws {
        #expect(try host.problem(.get, "/events?\(query)") == .init(status: 400, code: "badQuery", pointer: nil))
    }

    @Test func `the number of streams is limited`() throws {
        host.eventStreamCount = 1
        _ = try open("")
        host.eventStreamCount = 2
        #expect(try host.stat("readers") == 2)
        #expect(try host.problem(.get, "/events") == .init(status: 409, code: "tooMany", pointer: nil))
    }
}
