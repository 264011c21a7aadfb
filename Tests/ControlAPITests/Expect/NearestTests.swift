import HTTPCore
import JSON
import Testing

@testable import ControlAPI

/// What an expectation that is not met reports: the messages that came nearest, and how they differ.
struct NearestTests {
    private let host = TestHost()

    private func nearest(_ match: JSONValue) throws -> [(message: String, differs: JSONValue)] {
        let verdict = try host.ask(.post, "/expect", ["match": match, "within": "0s"], status: 417)
        return verdict.at("nearest").elements.map { ($0.at("message").text ?? "", $0.at("differs")) }
    }

    private func difference(_ at: String, _ expected: JSONValue, _ got: JSONValue) -> JSONValue {
        ["at": .string(at), "expected": expected, "got": got]
    }

    @Test func `the nearest messages come first and say how they differ`() throws {
        let other = JSONValue.string(TestHost.otherApp)
        let app = JSONValue.string(TestHost.app)
        host.push(["apns-push-type": "alert"], body: ["aps": ["alert": "Lunch"]])
        host.push(to: String(repeating: "5", count: 64), topic: TestHost.otherApp, body: ["aps": ["alert": "Tea"]])
        host.push(body: ["aps": ["badge": "x"]])
        host.send(["topic": "news", "data": ["k": "v"]])
        let ids = try host.ids()
        let (fcm, wrong, tea, lunch) = (ids[0], ids[1], ids[2], ids[3])
        let title = "/aps/alert"
        var found = try nearest(["provider": "apns", "app": app, "body": ["/aps/alert": "Breakfast"]])
        #expect(found.map(\.message) == [lunch, wrong, tea], "a wrong value is nearer than a missing one")
        #expect(
            found.map(\.differs) == [
                [difference(title, "Breakfast", "Lunch")], [difference(title, "Breakfast", nil)],
                [difference("app", app, other), difference(title, "Breakfast", "Tea")],
            ])
        found = try nearest(["pushType": "voip", "outcome": "accepted", "app": app])
        #expect(found[0].message == lunch && found[0].differs == [difference("pushType", "voip", "alert")])
        found = try nearest(["topic": "new", "provider": "fcm"])
        #expect(found.map(\.message) == [fcm, wrong, tea])
        let provider = difference("provider", "fcm", "apns")
        #expect(
            found.map(\.differs) == [
                [difference("topic", "new", "news")], [provider, difference("topic", "new", app)],
                [provider, difference("topic", "new", other)],
            ])
        found = try nearest(["headers": ["Apns-Priority": "5"], "app": other])
        #expect(found[0].message == tea && found[0].differs == [difference("headers/apns-priority", "5", nil)])
        #expect(try nearest(["text": "Supper"]).map(\.message) == [fcm, wrong, tea])
    }

    @Test func `an earlier message is a near miss only if nothing else is wrong with it`() throws {
        host.push(body: ["aps": ["alert": "Lunch"]])
        let since = try host.ask(.get, "/stats").at("events")
        #expect(try nearest(["since": since, "body": ["/aps/alert": "Tea"]]).isEmpty)
        let found = try nearest(["since": since, "body": ["/aps/alert": "Lunch"]])
        #expect(try found.map(\.message) == host.ids())
        #expect(found[0].differs.elements.map { $0.at("at").text } == ["since"])
    }

    @Test func `a device that was not reached is named`() throws {
        let phone = try host.makeDevice("ios", ["id": "phone"])
        host.push(to: token(of: phone))
        let found = try nearest(["device": "other"])
        #expect(try found.map(\.message) == host.ids())
        #expect(found[0].differs == [difference("device", "other", "phone")])
    }

    @Test func `a device that was made for an unknown token is explained`() throws {
        host.push(to: String(repeating: "5", count: 64))
        host.push(to: String(repeating: "5", count: 64))
        let notes = try nearest(["device": "ann"]).map { $0.differs.at(0, "note").text }
        #expect(notes == Array(repeating: "That device was made for a token that no device had.", count: 2))
    }

    @Test func `surplus pushes are named, and no others`() throws {
        host.push(to: String(repeating: "5", count: 64), topic: TestHost.otherApp)
        for _ in 1...2 { host.push() }
        let body: JSONValue = ["match": ["app": .string(TestHost.app)], "never": true, "within": "0s"]
        let verdict = try host.ask(.post, "/expect", body, status: 417)
        #expect(verdict.at("count") == 2 && verdict.at("nearest") == [])
        #expect(try verdict.at("messages") == .texts(host.ids().prefix(2).reversed()))
        let exact = try host.ask(
            .post, "/expect", ["match": ["app": .string(TestHost.app)], "count": 1, "within": "0s"], status: 417)
        #expect(exact.at("count") == 2 && exact.at("nearest") == [])
    }

    @Test func `an app that is also the project is named once`() throws {
        host.send(["topic": "t"])
        #expect(try nearest(["app": "x"])[0].differs == [difference("app", "x", "shop")])
    }

    @Test func `of two bounds only the violated one is named`() throws {
        host.push()
        let message = try host.newest()
        let found = try nearest(["since": 0, "until": 0])
        #expect(found.map(\.message) == [message.at("id").text])
        #expect(found[0].differs == [difference("until", 0, message.at("seq"))])
        let time = JSONValue.string("2100-01-01T00:00:00.000Z")
        #expect(try nearest(["since": time])[0].differs == [difference("since", time, message.at("time"))])
    }
}
