import PushpitTesting
import Testing

/// What an expectation that is not met says of the messages that came nearest.
@Suite struct NearestTests {
    /// Of each message, in order: what differs.
    private func misses(_ gateway: TestGateway, _ match: TestJSON) throws -> [TestJSON] {
        let said = try gateway.ask("POST", "/expect", ["match": match, "within": "0s"], status: 417)
        return said["nearest"].array
    }

    private func miss(_ message: String, _ differs: [(String, TestJSON, TestJSON)]) -> TestJSON {
        let rows = differs.map { ["at": TestJSON($0.0), "expected": $0.1, "got": $0.2] as TestJSON }
        return ["message": TestJSON(message), "differs": TestJSON(rows)]
    }

    @Test func `the nearest messages come first and say how they differ`() throws {
        try TestGateway.run { gateway in
            try gateway.push(["aps": ["alert": "Lunch"]], fields: ["apns-push-type": "alert"])
            try gateway.push(
                ["aps": ["alert": "Tea"]], to: String(repeating: "5", count: 64), topic: "com.example.other")
            try gateway.push(["aps": ["badge": "x"]])
            try gateway.sendFCM(["topic": "news", "data": ["k": "v"]])
            let (lunch, tea, wrong, fcm) = ("p1", "p2", "p3", "p4")
            let title = "/aps/alert"
            try #expect(
                misses(gateway, ["provider": "apns", "app": "com.example.app", "body": ["/aps/alert": "Breakfast"]])
                    == [
                        miss(lunch, [(title, "Breakfast", "Lunch")]), miss(wrong, [(title, "Breakfast", nil)]),
                        miss(tea, [("app", "com.example.app", "com.example.other"), (title, "Breakfast", "Tea")]),
                    ])
            try #expect(
                misses(gateway, ["pushType": "voip", "outcome": "accepted", "app": "com.example.app"]).first
                    == miss(lunch, [("pushType", "voip", "alert")]))
            try #expect(
                misses(gateway, ["topic": "new", "provider": "fcm"]) == [
                    miss(fcm, [("topic", "new", "news")]),
                    miss(wrong, [("provider", "fcm", "apns"), ("topic", "new", "com.example.app")]),
                    miss(tea, [("provider", "fcm", "apns"), ("topic", "new", "com.example.other")]),
                ])
            try #expect(
                misses(gateway, ["headers": ["Apns-Priority": "5"], "app": "com.example.other"]).first
                    == miss(tea, [("headers/apns-priority", "5", nil)]))
            try #expect(misses(gateway, ["text": "Supper"]).map { $0["message"].string } == [fcm, wrong, tea])
        }
    }

    @Test func `a device that was not reached, a bound, and a value are named once`() throws {
        try TestGateway.run { gateway in
            try gateway.ask(
                "POST", "/devices", ["platform": "ios", "app": "com.example.app", "id": "phone"], status: 201)
            let token = try #require(try gateway.ask("GET", "/devices/phone")["tokens"]["apns"]["token"].string)
            try gateway.push(to: token)
            try gateway.push(to: "x")
            let refused = try misses(gateway, ["device": "phone", "status": 400])[1]["differs"].array
            #expect(refused.count == 1 && refused[0]["at"] == "device" && refused[0]["got"] == nil)
            #expect(
                refused[0]["note"].string
                    == "The push reached no device, for example because it was refused: find it with 'token'.")
            try gateway.ask("DELETE", "/messages?outcome=refused")
            let seq = try gateway.ask("GET", "/messages")["messages"][0]["seq"]
            try #expect(misses(gateway, ["device": "other"]) == [miss("p1", [("device", "other", "phone")])])
            try #expect(misses(gateway, ["since": 0, "until": 0]) == [miss("p1", [("until", 0, seq)])])
            try gateway.sendFCM(["topic": "t"])
            try #expect(
                misses(gateway, ["app": "x"]).first?["differs"] == [["at": "app", "expected": "x", "got": "shop"]])
        }
    }

    @Test func `surplus pushes are named`() throws {
        try TestGateway.run { gateway in
            for _ in 0..<2 { try gateway.push() }
            let said = try gateway.ask("POST", "/expect", ["never": true, "within": "0s"], status: 417)
            #expect(
                said == [
                    "met": false, "count": 2, "messages": ["p1", "p2"], "nearest": [],
                    "why": "2 pushes match, but none was expected.",
                ])
        }
    }
}
