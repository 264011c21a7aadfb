import PushpitTesting
import Testing

@testable import Gateway

/// `POST /api/v1/expect` about events and sequences, while the gateway runs.
@Suite struct EventExpectationTests {
    private func call(_ gateway: TestGateway, _ body: TestJSON, over version: TestConnection.Version = .http2) throws
        -> TestCall
    {
        let body = (["within": "60s"] as TestJSON).merging(body)
        return try gateway.connect(over: version).start("POST", "/api/v1/expect", body: body.bytes)
    }

    @Test(arguments: TestGateway.Kind.allCases, TestConnection.Version.allCases)
    func `an event that comes later meets an expectation`(kind: TestGateway.Kind, version: TestConnection.Version)
        throws
    {
        try TestGateway.run(kind) { gateway in
            let phone = try gateway.phone("ios", ["id": "phone"])
            let opened: TestJSON = ["event": ["kind": "opened", "device": "phone"], "body": ["/aps/alert": "Hello"]]
            let one = try call(gateway, ["match": opened], over: version)
            let row = try call(gateway, ["sequence": [["app": "com.example.app"], opened]], over: version)
            try gateway.push(to: phone.token())
            try gateway.ask("POST", "/devices/phone/act", ["kind": "open", "notification": "n1"])
            for (call, count) in [(one, 1), (row, 2)] {
                let answer = try call.answer()
                #expect(answer.status == 200 && answer.json["count"].int == count)
                #expect(answer.json["messages"] == ["p1"] && answer.json["events"].array.count == count)
            }
        }
    }

    @Test func `an event that does not come ends with what happened instead`() throws {
        try TestGateway.run { gateway in
            let phone = try gateway.phone("android", ["id": "phone", "state": ["permission": "denied"]])
            try gateway.sendFCM(["token": TestJSON(phone.token("fcm")), "notification": ["title": "T"]])
            let match: TestJSON = ["event": ["kind": "presented", "device": "phone"]]
            let late = try call(gateway, ["match": match, "within": "3s"])
            gateway.advanceLoopTime(.milliseconds(3100))
            let answer = try late.answer()
            let nearest = answer.json["nearest"][0]
            #expect(answer.status == 417 && nearest["kind"] == "suppressed" && nearest["why"] == "android.not-allowed")
            #expect(nearest["message"] == "p1" && nearest["device"] == "phone")
        }
    }

    /// A search for this takes a long time in a text of many letters a, and finds nothing.
    private static let slow: TestJSON = ["regex": "(a?){150}a{150}b"]

    @Test func `a slow regular expression takes several turns, and pushes are answered in between`() throws {
        try SlowClock.withSlowClock { gateway, host in
            let other = try gateway.connect()
            let text = String(repeating: "a", count: 800)
            for _ in 0..<3 { try gateway.push(["aps": ["alert": TestJSON(text)]]) }
            let waits = try call(gateway, ["match": ["text": Self.slow], "count": 1, "within": "10ms"])
            host.takesTurnsManually = true
            let late = try other.start(
                "POST", "/api/v1/expect", body: (["match": ["text": Self.slow], "within": "0s"] as TestJSON).bytes)
            let push = try gateway.startPush(["aps": ["alert": TestJSON(text)]])
            var turns = 0
            while try push.answerSoFar() == nil, host.takeTurn() { turns += 1 }
            #expect(try push.answerSoFar()?.status == 200 && turns < 10)
            try #expect(late.answerSoFar() == nil)
            #expect(SlowClock.takeTurns(host) > 20)
            try #expect(late.answer().json["count"] == 0)
            gateway.advanceLoopTime(.milliseconds(20))
            _ = SlowClock.takeTurns(host)
            try #expect(waits.answer().json["count"] == 0)
        }
    }

    @Test func `a stream is about one push or one device`() throws {
        try TestGateway.run { gateway in
            for id in ["one", "two"] { _ = try gateway.phone("ios", ["id": TestJSON(id)]) }
            let follow = { (query: String) in
                try gateway.connect().start(
                    "GET", "/api/v1/events?\(query)", headers: ["accept": "application/x-ndjson"])
            }
            let (push, device) = (try follow("push=p2&limit=3"), try follow("device=two&kind=delivered&limit=1"))
            for id in ["one", "two"] {
                let token = try #require(try gateway.ask("GET", "/devices/\(id)")["tokens"]["apns"]["token"].string)
                try gateway.push(to: token)
            }
            for (call, kinds) in [(push, ["accepted", "delivered", "presented"]), (device, ["delivered"])] {
                let events = try call.answer().text.split(separator: "\n").map { try TestJSON(parsing: Array($0.utf8)) }
                #expect(events.compactMap { $0["kind"].string } == kinds)
                #expect(events.allSatisfy { $0["push"] == "p2" })
            }
            let list = try gateway.ask("GET", "/messages/p2/events?limit=2")
            #expect(list["events"].array.compactMap { $0["kind"].string } == ["accepted", "delivered"])
            #expect(list["next"].string == list["events"][1]["seq"].int.map { String($0) })
        }
    }
}
