import PushpitTesting
import Testing

@testable import Gateway

/// `GET /api/v1/events`: the log as a stream.
@Suite struct EventStreamTests {
    static let lines: TestFields = ["accept": "application/x-ndjson"]

    private func follow(
        _ gateway: TestGateway, _ query: String = "", over version: TestConnection.Version = .http2,
        _ fields: TestFields = lines
    ) throws -> TestCall {
        try gateway.connect(over: version).start("GET", "/api/v1/events?\(query)", headers: fields)
    }

    private func objects(_ text: String) throws -> [TestJSON] {
        try text.split(separator: "\n").map { try TestJSON(parsing: Array($0.utf8)) }
    }

    private func kinds(_ gateway: TestGateway, _ query: String) throws -> [String] {
        let answer = try gateway.send("GET", "/api/v1/events?follow=false&\(query)", headers: Self.lines)
        #expect(answer["content-type"] == "application/x-ndjson")
        return try objects(answer.text).compactMap { $0["kind"].string }
    }

    private func device(_ gateway: TestGateway, _ app: String = "a", id: String? = nil) throws {
        var spec: TestJSON = ["platform": "web", "app": TestJSON(app)]
        if let id { spec = spec.merging(["id": TestJSON(id)]) }
        try gateway.ask("POST", "/devices", spec, status: 201)
    }

    @Test func `an event has its members`() throws {
        try TestGateway.run { gateway in
            let phone = try gateway.phone("ios", ["id": "phone"])
            let id = try #require(gateway.push(to: phone.token())["apns-id"])
            let answer = try gateway.send("GET", "/api/v1/events?since=0&follow=false", headers: Self.lines)
            let events = try objects(answer.text)
            let time: TestJSON = "2026-09-21T14:13:20.000Z"
            #expect(Set(events[0].keys) == ["seq", "time", "kind", "app", "device", "data"])
            #expect(
                events[1] == [
                    "seq": 2, "time": time, "kind": "accepted", "app": "com.example.app", "device": "phone",
                    "push": "p1",
                    "why": "apns.received",
                    "data": [
                        "outcome": "Received by APNs", "provider": "apns", "status": 200, "apnsId": TestJSON(id),
                    ],
                ])
            #expect(events[2]["data"] == ["outcome": "Delivered to Device"])
            #expect(events[3]["kind"] == "presented" && events[3]["why"] == "ios.shown")
        }
    }

    @Test(arguments: TestGateway.Kind.allCases, TestConnection.Version.allCases)
    func `new events come as they happen`(kind: TestGateway.Kind, version: TestConnection.Version) throws {
        try TestGateway.run(kind) { gateway in
            try device(gateway)
            let lines = try follow(gateway, "since=1", over: version)
            let blocks = try follow(gateway, "since=1", over: version, [:])
            try device(gateway, id: "second")
            let line = try lines.body(containing: "\n")
            let event = try objects(line)[0]
            #expect(event["device"] == "second" && event["seq"] == 2)
            try #expect(blocks.body(containing: "data: ") == ":\n\nid: 2\nevent: registered\ndata: \(line)\n")
            try device(gateway, id: "third")
            try #expect(objects(lines.body(containing: "third")).map { $0["seq"].int } == [2, 3])
        }
    }

    @Test(arguments: TestConnection.Version.allCases)
    func `a stream with a limit ends after so many events`(version: TestConnection.Version) throws {
        try TestGateway.run { gateway in
            for app in ["a", "b", "a"] { try device(gateway, app) }
            let call = try follow(gateway, "since=0&app=a&limit=3", over: version)
            try #expect(objects(call.bodySoFar()).map { $0["seq"].int } == [1, 3])
            for app in ["b", "a", "a"] { try device(gateway, app) }
            try #expect(objects(call.answer().text).map { $0["seq"].int } == [1, 3, 5])
            try #expect(kinds(gateway, "limit=2").count == 2)
            try #expect(kinds(gateway, "limit=9").count == 6)
        }
    }

    @Test func `a stream without a start number has only new events`() throws {
        try TestGateway.run { gateway in
            try device(gateway)
            let call = try follow(gateway)
            try #expect(call.bodySoFar() == "")
            try device(gateway)
            try #expect(objects(call.bodySoFar()).map { $0["seq"].int } == [2])
        }
    }

    @Test func `a stream continues after a number from the query or, without one, from Last-Event-ID`() throws {
        try TestGateway.run { gateway in
            for _ in 0..<5 { try device(gateway) }
            let rows: [(String, TestFields, [Int])] = [
                ("since=2", Self.lines, [3, 4, 5]), ("", Self.lines.appending(["last-event-id": "3"]), [4, 5]),
                ("since=4", Self.lines.appending(["last-event-id": "1"]), [5]),
                ("since=9007199254740992", Self.lines, []), ("", Self.lines.appending(["last-event-id": "x"]), []),
                ("", Self.lines.appending(["last-event-id": "-1"]), []),
                ("", Self.lines.appending(["last-event-id": String(repeating: "9", count: 30)]), []),
            ]
            let calls = try rows.map { try follow(gateway, $0.0, $0.1) }
            try device(gateway)
            for (call, row) in zip(calls, rows) {
                try #expect(objects(call.bodySoFar()).map { $0["seq"].int } == row.2 + [6], "\(row.0)")
            }
        }
    }

    @Test func `a stream can be limited to kinds and apps`() throws {
        try TestGateway.run { gateway in
            let phone = try gateway.phone("ios")
            try device(gateway, "other")
            try gateway.push(to: phone.token())
            try gateway.push(to: "x")
            try gateway.sendFCM(["topic": "t"])
            let all = ["registered", "registered", "accepted", "delivered", "presented", "refused", "accepted"]
            let rows: [(String, [String])] = [
                ("", all), ("&kind=", all), ("&kind=accepted", ["accepted", "accepted"]),
                ("&kind=refused,presented", ["presented", "refused"]),
                ("&app=com.example.app", ["registered", "accepted", "delivered", "presented", "refused"]),
                ("&app=other", ["registered"]), ("&app=shop", ["accepted"]), ("&app=nothing", []),
                ("&app=com.example.app&kind=accepted,refused", ["accepted", "refused"]),
            ]
            for (query, expected) in rows { try #expect(kinds(gateway, "since=0\(query)") == expected, "\(query)") }
            let call = try follow(gateway, "app=other&kind=registered")
            try device(gateway, "third")
            try device(gateway, "other")
            try #expect(objects(call.bodySoFar()).map { $0["app"] } == ["other"])
        }
    }

    @Test func `a project is an app as well`() throws {
        try TestGateway.run { gateway in
            let droid = try gateway.phone("android", app: "com.example.droid", ["project": "shop"])
            try gateway.sendFCM(["token": TestJSON(droid.token("fcm")), "data": ["k": "v"]])
            try #expect(kinds(gateway, "since=0&app=shop").contains("accepted"))
        }
    }

    @Test(arguments: TestConnection.Version.allCases)
    func `a stream that does not follow ends after the existing events`(version: TestConnection.Version) throws {
        try TestGateway.run { gateway in
            for _ in 0..<3 { try device(gateway) }
            let connection = try gateway.connect(over: version)
            let answer = try connection.send("GET", "/api/v1/events?since=1&follow=false", headers: Self.lines)
            #expect(answer["cache-control"] == "no-store")
            try #expect(objects(answer.text).map { $0["seq"].int } == [2, 3])
            try #expect(connection.send("GET", "/api/v1/events?since=3&follow=false").text == "")
            try #expect(gateway.ask("GET", "/stats")["readers"] == 0)
        }
    }

    @Test func `an invalid query is refused`() throws {
        try TestGateway.run { gateway in
            for query in [
                "since=x", "since=-1", "since=1.5", "kind=dance", "kind=accepted,dance", "follow=maybe", "colour=red",
                "limit=0",
            ] {
                try #expect(
                    gateway.ask("GET", "/events?\(query)", status: 400)["error"]["code"] == "badQuery", "\(query)")
            }
            try gateway.ask("POST", "/events", status: 405)
        }
    }
}
