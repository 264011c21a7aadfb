import PushpitTesting
import Testing

/// Pushes and messages that wait for a device while hours and weeks pass on the gateway's clock.
@Suite struct LongWaitTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let platform: String
        /// Hours that the push may wait; nil sets no limit.
        let limit: Int?
        /// The hour in which the device is back.
        let back: Int
        /// The outcome of the last event about the push.
        let outcome: String

        init(_ platform: String, _ limit: Int?, _ back: Int, _ outcome: String) {
            (self.platform, self.limit, self.back, self.outcome) = (platform, limit, back, outcome)
        }

        var testDescription: String { "\(platform), \(limit.map { "\($0) h" } ?? "no limit"), back after \(back) h" }
    }

    static let stored = "Delivered to Device (From Storage)"
    static let expired = "Discarded - Expired"
    static let delayed = "delayedDeviceOffline"
    static let dropped = "droppedTtlExpired"
    static let rows = [
        Row("ios", nil, 23, stored), Row("ios", 6, 5, stored), Row("ios", 6, 7, expired), Row("ios", 24, 23, stored),
        Row("ios", 1, 24, expired), Row("ios", 0, 1, expired), Row("android", nil, 24, delayed),
        Row("android", 6, 5, delayed), Row("android", 6, 7, dropped), Row("android", 0, 1, dropped),
        Row("android", 24, 23, delayed), Row("web", 6, 5, delayed), Row("web", 6, 7, dropped),
        Row("web", nil, 24, delayed), Row("android", nil, 27 * 24, delayed), Row("android", nil, 29 * 24, dropped),
        Row("android", 28 * 24, 27 * 24, delayed), Row("android", 28 * 24, 29 * 24, dropped),
        Row("android", 14 * 24, 13 * 24, delayed), Row("android", 14 * 24, 15 * 24, dropped),
    ]

    private func send(_ row: Row, to phone: TestPhone, _ gateway: TestGateway) throws -> Int {
        let message: TestJSON = ["token": TestJSON(phone.token("fcm")), "data": ["k": "v"]]
        switch (row.platform, row.limit) {
        case ("ios", let limit):
            let expiration = limit.map { $0 == 0 ? 0 : gateway.milliseconds / 1000 + Int64($0) * 3600 }
            let fields: TestFields = expiration.map { ["apns-expiration": "\($0)"] } ?? [:]
            return try gateway.push(to: phone.token(), fields: fields).status
        case (_, nil): return try gateway.sendFCM(message).status
        case ("web", let limit?):
            let web: TestJSON = ["headers": ["TTL": "\(3600 * limit)"]]
            return try gateway.sendFCM(message.merging(["webpush": web])).status
        case (_, let limit?):
            return try gateway.sendFCM(message.merging(["android": ["ttl": "\(3600 * limit)s"]])).status
        }
    }

    @Test(arguments: rows) func `a push waits until it expires`(row: Row) throws {
        try TestGateway.run { gateway in
            let phone = try gateway.phone(row.platform, ["state": ["online": false]], hello: ["wants": ["event"]])
            try #expect(send(row, to: phone, gateway) == 200)
            for _ in 0..<row.back { gateway.advanceClock(by: .seconds(3600)) }
            try phone.ask("state", ["set": ["online": true]])
            let transit = try phone.events().filter { ["stored", "delivered", "dropped"].contains($0["kind"].string) }
            #expect(transit.last?["data"]["outcome"].string == row.outcome)
        }
    }

    @Test func `a message may not wait for more than four weeks`() throws {
        try TestGateway.run { gateway in
            let phone = try gateway.phone("android")
            let message: TestJSON = ["token": TestJSON(phone.token("fcm")), "android": ["ttl": "\(5 * 7 * 86_400)s"]]
            try #expect(gateway.sendFCM(message).status == 400)
        }
    }

    @Test func `with real quotas, messages that replace each other go every three minutes after twenty`() throws {
        var configuration = TestConfiguration()
        configuration.enforcesQuotas = true
        try TestGateway.run(.embedded, configuration) { gateway in
            let phone = try gateway.phone("android", hello: ["wants": ["push"]])
            func numbers() throws -> [String?] { try phone.pushes().map { $0["payload"]["data"]["n"].string } }
            for number in 0..<22 {
                try gateway.sendFCM([
                    "token": TestJSON(phone.token("fcm")), "data": ["n": "\(number)"],
                    "android": ["collapse_key": "k"],
                ])
            }
            try #expect(numbers() == (0..<20).map { "\($0)" })
            for step in [60, 119] {
                gateway.advanceClock(by: .seconds(step))
                try #expect(numbers() == [])
            }
            gateway.advanceClock(by: .seconds(1))
            try #expect(numbers() == ["21"])
        }
    }
}
