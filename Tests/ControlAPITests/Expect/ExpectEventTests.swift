import HTTPCore
import JSON
import PushCore
import PushEngine
import Testing

@testable import ControlAPI

/// `POST /expect` with `event`: what happens to pushes on devices.
struct ExpectEventTests {
    private let host = TestHost()

    private func expect(_ status: Int, _ event: JSONValue, _ rest: JSONValue = [:], _ demand: JSONValue = [:]) throws
        -> JSONValue
    {
        let match = (["event": event] as JSONValue).merging(rest)
        return try host.ask(
            .post, "/expect", (["match": match, "within": "0s"] as JSONValue).merging(demand), status: status)
    }

    /// A push that a phone shows, one that it does not, one to another app, and a topic message to two phones.
    private func prepare() throws {
        let phone = try host.makeDevice("ios", ["id": "phone"])
        try host.makeDevice("ios", ["id": "shy", "state": ["permission": "denied"]])
        try host.makeDevice("ios", app: TestHost.otherApp, ["id": "other"])
        for id in ["one", "two"] {
            try host.makeDevice("android", ["id": .string(id), "project": "shop"])
            try host.ask(.put, "/topics/news/devices/\(id)", status: 204)
        }
        host.push(to: token(of: phone), body: ["aps": ["alert": ["title": "Order 7", "body": "It is on its way"]]])
        host.push(to: token(of: try host.ask(.get, "/devices/shy")), body: ["aps": ["alert": "Order 8"]])
        host.push(to: token(of: try host.ask(.get, "/devices/other")), topic: TestHost.otherApp)
        host.send(["topic": "news", "notification": ["title": "News"]])
        try host.ask(.post, "/devices/phone/act", ["kind": "open", "notification": "n1"])
    }

    /// Events, other filters, how many match, and the pushes behind them.
    static let rows: [(JSONValue, JSONValue, Int64, [String])] = [
        (["kind": "presented"], [:], 4, ["p1", "p3", "p4"]),
        (["kind": "presented"], ["app": .string(TestHost.app)], 3, ["p1", "p4"]),
        (["kind": "presented"], ["app": "shop"], 2, ["p4"]),
        (["kind": "presented", "device": "phone"], [:], 1, ["p1"]),
        (["kind": "presented"], ["device": "phone"], 1, ["p1"]), (["kind": "presented", "device": "shy"], [:], 0, []),
        (["kind": "dropped", "why": "apns.discarded-disabled"], [:], 1, ["p2"]),
        (["kind": "dropped", "why": "ios.shown"], [:], 0, []),
        (["kind": "presented", "data": ["/title": "Order 7"]], [:], 1, ["p1"]),
        (["kind": "presented", "data": ["/title": ["regex": "^Order \\d$"]]], [:], 1, ["p1"]),
        (["kind": "presented", "data": ["/title": ["prefix": "New"]]], [:], 2, ["p4"]),
        (["kind": "presented", "data": ["/title": "Order"]], [:], 0, []),
        (["kind": "presented", "data": ["/nothing": 1]], [:], 0, []),
        (["kind": "presented"], ["body": ["/aps/alert/title": "Order 7"]], 1, ["p1"]),
        (["kind": "presented"], ["text": "on its way"], 1, ["p1"]),
        (["kind": "presented"], ["topic": "news"], 2, ["p4"]),
        (["kind": "presented"], ["outcome": "refused"], 0, []), (["kind": "presented"], ["since": 1_000_000], 0, []),
        (["kind": "opened"], [:], 1, ["p1"]), (["kind": "opened"], ["provider": "fcm"], 0, []),
        (["kind": ["regex": "^(opened|dropped)$"]], [:], 2, ["p2", "p1"]),
        (["kind": ["prefix": "pres"]], [:], 4, ["p1", "p3", "p4"]),
        (["kind": "accepted"], [:], 4, ["p1", "p2", "p3", "p4"]),
        (["kind": "accepted", "data": ["/provider": "fcm"]], [:], 1, ["p4"]),
        (["kind": "registered"], [:], 5, []), (["kind": "registered", "device": "phone"], [:], 1, []),
        (["kind": "registered"], ["app": .string(TestHost.otherApp)], 1, []),
        (["kind": "registered"], ["device": "one"], 1, []),
        (["kind": "registered"], ["provider": "apns"], 0, []), (["kind": "registered"], ["topic": "news"], 0, []),
        (["kind": "clock"], [:], 0, []), (["kind": "delivered", "device": ["regex": "^(one|two)$"]], [:], 2, ["p4"]),
    ]

    @Test(arguments: rows.indices) func `events are counted, with the pushes behind them`(_ index: Int) throws {
        let (event, rest, count, pushes) = Self.rows[index]
        try prepare()
        let verdict = try expect(count == 0 ? 417 : 200, event, rest, ["atLeast": 1])
        #expect(verdict.at("count") == .int(count) && verdict.at("messages") == .texts(pushes), "\(event) \(verdict)")
        #expect(verdict.at("events").elements.count == Int(count))
        #expect(try expect(200, event, rest, ["count": .int(count)]).at("count") == .int(count))
        #expect(try expect(417, event, rest, ["count": .int(count + 1)]).at("missing") == .null)
        // A call that waits finds the same events, in the log or later.
        let body: JSONValue = [
            "match": (["event": event] as JSONValue).merging(rest), "count": .int(count + 1), "within": "1h",
        ]
        guard case .deferred(.expect(let expectation)) = host.reply(.post, "/expect", raw: body.bytes) else {
            throw Unexpected("it is decided")
        }
        #expect(expectation.count == Int(count))
    }

    @Test(arguments: rows.indices) func `events that happen later count in the same way`(_ index: Int) throws {
        let (event, rest, count, pushes) = Self.rows[index]
        let match = (["event": event] as JSONValue).merging(rest)
        let body: JSONValue = ["match": match, "atMost": 9, "within": "10ms"]
        guard case .deferred(.expect(let expectation)) = host.reply(.post, "/expect", raw: body.bytes) else {
            throw Unexpected("it is decided")
        }
        host.box.engine.expectations.add(
            expectation, .init(connection: .init(slot: 1, generation: 1), stream: nil), at: 0)
        try prepare()
        host.evaluateExpectations()
        host.loopNow = 10
        host.evaluateExpectations()
        let verdict = try #require(host.decided.map { TestHost.Answer($0) }.first).json()
        #expect(verdict.at("count") == .int(count) && verdict.at("messages") == .texts(pushes), "\(event) \(verdict)")
        #expect(Schema.named("Verdict").mismatch(verdict) == nil)
    }

    @Test func `the verdict speaks of events`() throws {
        try prepare()
        #expect(
            try expect(417, ["kind": "opened"], [:], ["count": 3]).at("why")
                == "1 event matches, but exactly 3 were expected.")
        #expect(
            try expect(417, ["kind": "presented"], [:], ["never": true]).at("why")
                == "4 events match, but none was expected.")
    }

    @Test func `the nearest events say what happened instead`() throws {
        try prepare()
        let shy = try expect(417, ["kind": "presented", "device": "shy"]).at("nearest")
        #expect(
            shy.at(0) == [
                "message": "p2", "event": shy.at(0, "event"), "kind": "dropped", "device": "shy",
                "why": "apns.discarded-disabled",
                "differs": [["at": "event/kind", "expected": "presented", "got": "dropped"]],
            ])
        let title = try expect(
            417, ["kind": "presented", "data": ["/title": "Order 9"]], ["app": .string(TestHost.app)])
        #expect(
            title.at("nearest").elements.contains { miss in
                miss.at("message") == "p1" && miss.at("kind") == "presented"
                    && miss.at("differs") == [["at": "event/data/title", "expected": "Order 9", "got": "Order 7"]]
            })
        let regex = try expect(417, ["kind": "opened", "device": ["regex": "^pad"]]).at("nearest", 0)
        #expect(regex.at("differs") == [["at": "event/device", "expected": ["regex": "^pad"], "got": "phone"]])
        #expect(regex.at("kind") == "opened" && regex.at("message") == "p1")
    }

    @Test func `an event of a deleted push is not found, and one that was counted stays counted`() throws {
        try prepare()
        let body: JSONValue = ["match": ["event": ["kind": "presented"]], "count": 5, "within": "1h"]
        guard case .deferred(.expect(let expectation)) = host.reply(.post, "/expect", raw: body.bytes) else {
            throw Unexpected("it is decided")
        }
        host.box.engine.expectations.add(
            expectation, .init(connection: .init(slot: 1, generation: 1), stream: nil), at: 0)
        try host.ask(.delete, "/messages?topic=news")
        #expect(try expect(200, ["kind": "presented"], [:], ["count": 2]).at("messages") == ["p1", "p3"])
        host.push(to: token(of: try host.ask(.get, "/devices/phone")))
        #expect(try TestHost.Answer(#require(host.decided.first)).json().at("count") == 5)
    }

    static let refusals: [(JSONValue, String)] = [
        (7, "/match/event"), ([:], "/match/event/kind"), (["kind": nil], "/match/event/kind"),
        (["kind": 7], "/match/event/kind"),
        (["kind": "shown"], "/match/event/kind"), (["kind": "opened", "device": nil], "/match/event/device"),
        (["kind": "opened", "device": 7], "/match/event/device"), (["kind": "opened", "why": []], "/match/event/why"),
        (["kind": "opened", "data": []], "/match/event/data"),
        (["kind": "opened", "data": ["a": 1]], "/match/event/data"),
        (["kind": "opened", "push": "p1"], "/match/event/push"),
        (["kind": ["regex": "("]], "/match/event/kind/regex"),
    ]

    @Test(arguments: refusals)
    func `a bad event is refused with the place of the error`(_ event: JSONValue, _ pointer: String) throws {
        let body: JSONValue = ["match": ["event": event]]
        #expect(try host.problem(.post, "/expect", body) == .init(status: 400, code: "badField", pointer: pointer))
    }
}
