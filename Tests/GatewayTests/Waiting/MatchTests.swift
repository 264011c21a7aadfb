import PushpitTesting
import Testing

/// What `POST /api/v1/expect` decides at once, what its filters match, and wrong questions.
@Suite struct MatchTests {
    static let atOnce: [(TestJSON, Int)] = [
        (["count": 3], 200), (["count": 2], 417), (["count": 0], 417), (["atLeast": 1], 200), (["atLeast": 3], 200),
        (["atLeast": 0], 200), ([:], 200), (["atMost": 2], 417), (["atMost": 0], 417), (["never": true], 417),
        (["never": false], 200), (["count": 3, "never": false], 200),
    ]
    static let atTheEnd: [(TestJSON, Int)] =
        atOnce + [(["count": 4], 417), (["atLeast": 4], 417), (["atMost": 3], 200), (["atMost": 9], 200)]

    @Test func `an expectation that can be decided is answered immediately`() throws {
        try TestGateway.run { gateway in
            for _ in 0..<3 { try gateway.push() }
            for (within, rows) in [("60s", Self.atOnce), ("0s", Self.atTheEnd)] {
                for (demand, status) in rows {
                    let body = demand.merging(["match": ["app": "com.example.app"], "within": TestJSON(within)])
                    let answer = try gateway.api("POST", "/expect", body)
                    #expect(answer.status == status, "\(body)")
                    #expect(answer.json["met"].bool == (status == 200))
                    #expect(answer.json["count"] == 3)
                    #expect(answer.json["messages"] == ["p1", "p2", "p3"])
                    #expect(answer.json.keys.contains("nearest") == (status == 417))
                }
            }
            for demand: TestJSON in [["never": true], ["count": 0], ["atMost": 1]] {
                let body = demand.merging(["match": ["app": "x"], "within": "0s"])
                try #expect(gateway.ask("POST", "/expect", body) == ["met": true, "count": 0, "messages": []])
            }
            try #expect(
                gateway.ask("POST", "/expect", ["match": ["app": "x"], "count": 0, "within": "60s"])["count"] == 0)
        }
    }

    static let body: TestJSON = [
        "aps": ["alert": ["title": "T", "body": "B"], "badge": 1], "list": [1, ["x": nil]], "a/b~c": "odd",
        "big": 9_007_199_254_740_993,
    ]
    static let matches: [(TestJSON, Bool)] = [
        (["body": ["/aps/alert/title": "T", "/aps/badge": 1]], true),
        (["body": ["/aps/alert/title": "T", "/aps/badge": 2]], false), (["body": ["/aps/badge": 1.0]], true),
        (["body": ["/aps/badge": "1"]], false), (["body": ["/aps/badge": true]], false),
        (["body": ["/list/1/x": nil]], true),
        (["body": ["/nothing": nil]], false), (["body": ["/list": [1, ["x": nil]]]], true),
        (["body": ["/list/0": 1]], true),
        (["body": ["/list/-": 1]], false), (["body": ["/a~1b~0c": "odd"]], true),
        (["body": ["/big": 9_007_199_254_740_993]], true), (["body": ["/big": 9_007_199_254_740_992]], false),
        (["body": ["": body]], true), (["body": ["/aps/alert": ["body": "B", "title": "T"]]], true),
        (["body": ["/aps/alert": ["title": "T"]]], false), (["body": [:]], true),
        (["headers": ["apns-topic": "com.example.app"]], true), (["headers": ["APNS-Topic": "com.example.app"]], true),
        (["headers": ["apns-topic": "com"]], false), (["headers": ["x": ""]], false),
        (["headers": ["x-mine": "b"]], true),
        (["headers": ["x-mine": "a", "apns-topic": "com.example.app"]], true), (["status": 200], true),
        (["status": "200"], true), (["status": 400], false), (["text": "t"], true), (["text": "nowhere"], false),
        (["since": 0], true), (["since": 1_000_000_000], false), (["until": "2026-01-01T00:00:00Z"], false),
        (["since": "2026-01-01T00:00:00.000Z"], true), ([:], true),
    ]

    @Test func `a filter matches only these device pushes`() throws {
        try TestGateway.run { gateway in
            try gateway.push(Self.body, fields: ["x-mine": "a", "x-mine": "b"])
            for (match, isMet) in Self.matches {
                let answer = try gateway.api("POST", "/expect", ["match": match, "within": "0s"])
                #expect(answer.status == (isMet ? 200 : 417), "\(match): \(answer.text)")
                #expect(answer.json["count"].int == (isMet ? 1 : 0), "\(match)")
            }
        }
    }

    @Test func `a filter matches a message to FCM`() throws {
        try TestGateway.run { gateway in
            let droid: TestJSON = ["platform": "android", "app": "com.example.droid", "id": "droid", "project": "shop"]
            try gateway.ask("POST", "/devices", droid, status: 201)
            try gateway.ask("PUT", "/topics/news/devices/droid", status: 204)
            let token = try gateway.ask("GET", "/devices/droid")["tokens"]["fcm"]["token"]
            try gateway.sendFCM(body: Array("{message:{'topic':'news',data:{n:'7',},},}".utf8))
            let met: [TestJSON] = [
                ["body": ["/message/data/n": "7"]], ["topic": "news"], ["device": "droid"], ["app": "shop"],
                ["provider": "fcm", "outcome": "accepted", "text": "7"],
            ]
            let notMet: [TestJSON] = [
                ["body": ["/message/data/n": 7]], ["token": token], ["device": "d"], ["app": "com.example.app"],
            ]
            for match in met {
                try #expect(
                    gateway.api("POST", "/expect", ["match": match, "count": 1, "within": "0s"]).status == 200,
                    "\(match)")
            }
            for match in notMet {
                try #expect(gateway.api("POST", "/expect", ["match": match, "within": "0s"]).status == 417, "\(match)")
            }
        }
    }

    static let bad: [(TestJSON, String)] = [
        ([], ""), (["macth": [:]], "/macth"), (["match": 7], "/match"), (["match": ["colour": 1]], "/match/colour"),
        (["match": ["provider": "x"]], "/match/provider"), (["match": ["app": 7]], "/match/app"),
        (["match": ["outcome": "met"]], "/match/outcome"), (["match": ["status": 1.5]], "/match/status"),
        (["match": ["body": []]], "/match/body"), (["match": ["headers": ["a": 1]]], "/match/headers"),
        (["match": ["since": [:]]], "/match/since"), (["count": -1], "/count"), (["count": "1"], "/count"),
        (["count": 1.5], "/count"), (["atLeast": 10_000_000], "/atLeast"), (["atMost": nil, "count": true], "/count"),
        (["never": "yes"], "/never"), (["count": 1, "atMost": 2], ""), (["atLeast": 0, "never": true], ""),
        (["within": 5], "/within"), (["within": "5"], "/within"), (["within": "-1s"], "/within"),
        (["within": "25h"], "/within"),
        (["since": 1], "/since"), (["match": ["app": nil]], "/match/app"), (["match": ["body": nil]], "/match/body"),
        (["match": ["status": "x"]], "/match/status"), (["match": ["since": "yesterday"]], "/match/since"),
        (["match": ["until": "x"]], "/match/until"),
    ]

    @Test func `an invalid query is refused with the place of the error`() throws {
        try TestGateway.run { gateway in
            for (body, pointer) in Self.bad {
                let error = try gateway.ask("POST", "/expect", body, status: 400)["error"]
                #expect(error["code"] == "badField", "\(body)")
                #expect(error["pointer"].string == pointer, "\(body)")
                #expect(error["message"].string?.isEmpty == false)
            }
            for pointer in ["no-pointer", "/a~2"] {
                let error = try gateway.ask(
                    "POST", "/expect", ["match": ["body": TestJSON(members: [(pointer, 1)])]], status: 400)
                #expect(error["error"]["pointer"].string?.hasPrefix("/match/body") == true)
            }
            for raw: [UInt8] in [[], [0x7B], [0xFF]] {
                let answer = try gateway.send("POST", "/api/v1/expect", body: raw)
                #expect(answer.status == 400)
                #expect(answer.json["error"]["code"] == "notJSON")
            }
            try gateway.ask("GET", "/expect", status: 405)
            try #expect(gateway.ask("GET", "/stats")["waiting"] == 0)
        }
    }
}
