import HTTPCore
import JSON
import PushCore
import PushEngine
import Testing

@testable import ControlAPI

/// `GET /messages/{id}/events`, and the events of one push or one device in a stream.
struct EventListTests {
    private let host = TestHost()

    private func kinds(_ events: [JSONValue]) -> [String] { events.compactMap { $0.at("kind").text } }

    private func prepare() throws {
        for id in ["one", "two"] {
            try host.makeDevice("android", ["id": .string(id), "project": "shop"])
            try host.ask(.put, "/topics/news/devices/\(id)", status: 204)
        }
        host.push()
        host.send(["topic": "news", "notification": ["title": "News"]])
        host.push(to: "x")
        try host.ask(.post, "/devices/two/act", ["kind": "open", "notification": "n1"])
        // Its event belongs to no push.
        try host.makeDevice()
    }

    @Test func `the events of a push are listed, oldest first`() throws {
        try prepare()
        let events = try host.ask(.get, "/messages/p2/events").at("events").elements
        #expect(
            kinds(events) == [
                "accepted", "delivered", "presented", "delivered", "presented", "opened", "state", "callback",
            ])
        #expect(events.allSatisfy { $0.at("push") == "p2" })
        #expect(try host.events("push=p2").map { $0.at("seq") } == events.map { $0.at("seq") })
        #expect(events[0].at("data", "name").text?.hasPrefix("projects/shop/messages/") == true)
        #expect(try kinds(host.ask(.get, "/messages/p3/events").at("events").elements) == ["refused"])
    }

    @Test func `all events are listed in pages for clients that accept JSON`() throws {
        try prepare()
        func page(_ query: String) throws -> JSONValue {
            try host.call(.get, "/events?\(query)", raw: [], [("accept", "application/json")]).json()
        }
        let all = try page("limit=1000")
        #expect(all.at("next") == .null && all.at("devices") == .null)
        let first = try page("limit=2")
        #expect(first.at("events").elements == Array(all.at("events").elements.prefix(2)))
        let rest = try page("limit=1000&since=\(first.at("next").text ?? "")")
        #expect(rest.at("events").elements == Array(all.at("events").elements.dropFirst(2)))
        #expect(try page("push=p2").at("events") == host.ask(.get, "/messages/p2/events").at("events"))
        let twoPushes = try page("push=p2,p3").at("events").elements
        #expect(Set(twoPushes.map { $0.at("push") }) == ["p2", "p3"])
        #expect(try twoPushes.count == page("push=p2").at("events").elements.count + 1)
        let opened = try page("device=two&kind=opened&app=shop").at("events").elements
        #expect(opened.map { $0.at("push") } == ["p2"])
        #expect(try page("since=\(host.box.engine.events.newest)").at("events").elements.isEmpty)
    }

    @Test func `what each device did is listed in words`() throws {
        let slow: JSONValue = ["script": "slow", "seconds": 9]
        let phone = try host.makeDevice("ios", ["id": "phone", "name": "Anna's", "extension": slow])
        let droid = try host.makeDevice(
            "android", ["id": "away", "state": ["online": false], "tracking": ["profile": "adobe"]])
        #expect(droid.at("tracking") == ["profile": "adobe"])
        func devices(_ push: String) throws -> [JSONValue] {
            try host.ask(.get, "/messages/\(push)/events").at("devices").elements
        }
        let image: JSONValue = ["aps": ["alert": "Hello"], "image": "https://e.com/a.png"]
        host.push(to: token(of: phone), body: image)
        let shown = try devices("p1")
        #expect(shown.count == 1)
        let told = ["device", "name", "platform", "did"].map { shown[0].at(.key($0)).text ?? "" }
        #expect(told == ["phone", "Anna's", "ios", "presented"])
        #expect(shown[0].at("missingImage", "rule") == "ios.not-mutable")
        #expect(shown[0].at("missingImage", "reason") == "mutable-content is not 1")
        #expect(shown[0].at("missingImage", "remedy").text?.isEmpty == false && shown[0].at("isWorking") == .null)
        host.push(to: token(of: phone), body: ["aps": ["alert": ["title": "T"], "mutable-content": 1]])
        #expect(try devices("p2").map { $0.at("isWorking") } == [true])
        host.send(["token": .string(token(of: droid, "fcm")), "data": ["a": "b"]])
        let waiting = try devices("p3")
        #expect(waiting.map { $0.at("isTracking") } == [true] && shown[0].at("isTracking") == .null)
        #expect(waiting[0].at("did").text?.hasPrefix("waiting: the message can't reach the device now") == true)
        #expect(waiting[0].at("remedy").text?.hasPrefix("Change the state") == true)
        host.push(to: "x")
        #expect(try devices("p4") == [])
    }

    @Test func `pages end after the limit and go on at the cursor`() throws {
        try prepare()
        var (found, cursor): ([JSONValue], String) = ([], "")
        repeat {
            let page = try host.ask(.get, "/messages/p2/events?limit=3\(cursor)")
            #expect(page.at("events").elements.count <= 3)
            found += page.at("events").elements
            cursor = page.at("next").text.map { "&cursor=\($0)" } ?? ""
        } while !cursor.isEmpty
        #expect(try found == host.ask(.get, "/messages/p2/events").at("events").elements)
        let last = try host.ask(.get, "/messages/p2/events?limit=8")
        #expect(last.at("events").elements.count == 8 && last.at("next") == .null)
    }

    @Test func `a message that does not exist has no events`() throws {
        try prepare()
        try host.ask(.delete, "/messages?app=shop")
        for id in ["p2", "p9", "x", "p+1", "p"] {
            #expect(
                try host.problem(.get, "/messages/\(id)/events") == .init(status: 404, code: "notFound", pointer: nil),
                "\(id)")
        }
    }

    @Test func `many events are read in several turns`() throws {
        try prepare()
        for _ in 1...500 { host.push() }
        host.looksPerTurn = 1
        let request = TestHost.request(.get, "/api/v1/messages/p2/events", [], [])
        let call = ControlAPI.Call(request: request, pathValues: ["p2"], host: host, query: QueryReader(request))
        let list = try EventList(call)
        var turns = 1
        while list.advance(host) == nil { turns += 1 }
        #expect(turns > 5)
    }

    @Test func `a stream can be about one push or one device`() throws {
        try prepare()
        let rows = [
            ("push=p1", "accepted delivered presented"), ("push=p3", "refused"), ("push=p9", ""), ("device=none", ""),
            ("device=two&kind=presented,opened", "presented opened"), ("push=p2&device=one", "delivered presented"),
            ("push=p1&device=one", ""), ("device=one", "registered subscribed delivered presented"),
        ]
        for (query, expected) in rows {
            let found = try kinds(host.events(query)).filter { $0 != "token" }.joined(separator: " ")
            #expect(found == expected, "\(query)")
        }
        let many = (1...500).map { "p\($0)" }.joined(separator: ",")
        #expect(try !host.events("push=\(many)").isEmpty)
        for text in ["", "1", "px", "p-1", "p", "p99999999999999999999", "p1,", ",p1", "p1,,p2", "\(many),p501"] {
            #expect(
                try host.problem(.get, "/events?push=\(text)") == .init(status: 400, code: "badQuery", pointer: nil),
                "\(text)")
        }
    }
}
