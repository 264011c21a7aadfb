import PushpitTesting
import Testing

/// Pushes that are answered now and delivered later: at their time, in another order, to what the device is by then.
@Suite struct LateDeliveryTests {
    static let refusal: TestJSON = ["answer": ["status": 503, "reason": "UNAVAILABLE"]]

    private func tags(_ phone: TestPhone) throws -> [Int] { try phone.pushes().compactMap { $0["payload"]["tag"].int } }

    @Test func `a push arrives later than it is answered`() throws {
        try TestGateway.run { gateway in
            let phone = try gateway.phone()
            let sent = gateway.milliseconds
            try gateway.setFault(["deliverAfter": "1h"])
            try #expect(gateway.push(to: phone.token()).status == 200)
            for step: Int64 in [1, 3_599_998, 1] {
                try #expect(phone.received() == [])
                try #expect(gateway.ask("GET", "/devices/\(phone.id)/shade")["shade"] == [])
                gateway.advanceClock(by: .milliseconds(step))
            }
            let (push, event) = (try phone.next("push"), try phone.nextEvent("delivered"))
            #expect(event["why"] == "apns.delivered" && push["id"] == "p1")
            #expect(gateway.events().first { $0.kind == "delivered" }?.time == sent + 3_600_000)
            #expect(gateway.events().first { $0.kind == "accepted" }?.time == sent)
            try #expect(gateway.ask("GET", "/messages/p1")["outcome"] == "accepted")
            try #expect(gateway.ask("GET", "/devices/\(phone.id)/shade")["shade"].array.count == 1)
        }
    }

    @Test func `random delays change the order of pushes, and the same seed gives the same order`() throws {
        try TestGateway.run { gateway in
            let phone = try gateway.phone(hello: ["wants": ["push"]])
            let orders = try [1, 1, 2].map { (seed: Int) -> [[Int]] in
                try gateway.setFault(["deliverAfter": ["uniform": ["0s", "10s"]]], ["seed": TestJSON(seed)])
                for number in 0..<20 { try gateway.push(["aps": [:], "tag": TestJSON(number)], to: phone.token()) }
                try gateway.ask("DELETE", "/faults", status: 204)
                return try (0..<2).map { _ in
                    gateway.advanceClock(by: .seconds(5))
                    return try tags(phone)
                }
            }
            let first = orders[0]
            #expect(!first[0].isEmpty && !first[1].isEmpty)
            #expect((first[0] + first[1]).sorted() == Array(0..<20))
            #expect(first[0] + first[1] != Array(0..<20))
            #expect(orders[1] == first && orders[2] != first)
        }
    }

    /// Effects beside the late delivery, the status of the answer, and how often the message arrives.
    static let effects: [(others: [TestJSON], status: Int, times: Int)] = [
        ([], 200, 1), ([refusal], 503, 1), ([["deliver": 2]], 200, 2), ([["deliver": 0]], 200, 0),
    ]

    @Test(arguments: effects.indices) func `messages to a token and to a topic arrive late, too`(index: Int) throws {
        let row = Self.effects[index]
        try TestGateway.run { gateway in
            let phone = try gateway.phone("android", hello: ["wants": ["push"]])
            try phone.ask("topic", ["op": "subscribe", "name": "t"])
            for target: TestJSON in [["token": TestJSON(phone.token("fcm"))], ["topic": "t"]] {
                func send(_ tag: String) throws -> Int {
                    try gateway.sendFCM(target.merging(["data": ["tag": TestJSON(tag)]])).status
                }
                try gateway.setFault(TestJSON([["deliverAfter": "5s"]] + row.others), ["times": 1])
                try #expect(send("late") == row.status)
                try #expect(send("at once") == 200)
                try #expect(phone.pushes().map { $0["payload"]["data"] } == [["tag": "at once"]])
                gateway.advanceClock(by: .milliseconds(4999))
                try #expect(phone.pushes() == [])
                gateway.advanceClock(by: .milliseconds(1))
                let late = try phone.pushes().map { $0["payload"]["data"] }
                #expect(late == Array(repeating: ["tag": "late"], count: row.times))
            }
        }
    }

    @Test func `a broadcast arrives late, too`() throws {
        try TestGateway.run { gateway in
            let phone = try gateway.phone(hello: ["wants": ["push"]])
            let channel = try gateway.makeChannel()
            try phone.ask("channel", ["op": "subscribe", "id": TestJSON(channel)])
            try gateway.setFault(["deliverAfter": "1m"], ["times": 1])
            for number in 1...2 { try gateway.broadcast(["n": TestJSON(number)], to: channel) }
            func states() throws -> [TestJSON] { try phone.pushes().map { $0["payload"]["aps"]["content-state"] } }
            try #expect(states() == [["n": 2]])
            gateway.advanceClock(by: .seconds(60))
            try #expect(states() == [["n": 1]])
        }
    }

    @Test func `the state of the device when the push arrives decides`() throws {
        try TestGateway.run { gateway in
            let phone = try gateway.phone(hello: ["wants": ["event"]])
            let rows: [(seconds: Int64, state: TestJSON?, rules: [String])] = [
                (60, nil, ["apns.delivered"]), (2, nil, ["apns.discarded-expired"]),
                (60, ["online": false], ["apns.stored-offline"]),
                (60, ["online": true], ["apns.delivered-from-storage", "apns.delivered"]),
            ]
            for row in rows {
                try gateway.setFault(["deliverAfter": "5s"], ["times": 1])
                let expiration = "\(gateway.milliseconds / 1000 + row.seconds)"
                try gateway.push(to: phone.token(), fields: ["apns-expiration": expiration])
                if let state = row.state { try phone.ask("state", ["set": state]) }
                gateway.advanceClock(by: .seconds(5))
                let transit = try phone.events().filter {
                    ["delivered", "dropped", "stored"].contains($0["kind"].string)
                }
                #expect(transit.map { $0["why"].string } == row.rules, "\(row)")
            }
        }
    }

    /// How the device goes before the push arrives.
    static let ends = ["/devices/old", "/reset"]

    @Test(arguments: ends)
    func `a device that is removed before the push arrives gets nothing, nor does the next one at its index`(
        path: String
    ) throws {
        try TestGateway.run { gateway in
            func make(_ id: String) throws -> TestJSON {
                let spec: TestJSON = ["platform": "ios", "app": "com.example.app", "id": TestJSON(id)]
                return try gateway.ask("POST", "/devices", spec, status: 201)["devices"][0]
            }
            let old = try make("old")
            try gateway.setFault(["deliverAfter": "5s"], ["times": 1])
            try gateway.push(to: old["tokens"]["apns"]["token"].string ?? "")
            if path == "/reset" {
                try gateway.api("POST", path, [:])
            } else {
                try gateway.ask("DELETE", path, status: 204)
            }
            let new = try make("new")
            gateway.advanceClock(by: .seconds(5))
            try #expect(gateway.ask("GET", "/devices/new/shade")["shade"] == [])
            try gateway.push(to: new["tokens"]["apns"]["token"].string ?? "")
            try #expect(gateway.ask("GET", "/devices/new/shade")["shade"].array.count == 1)
        }
    }
}
