import PushpitTesting
import Testing

/// Broadcast channels as device sockets see them.
@Suite struct ChannelTests {
    typealias Kind = TestGateway.Kind

    private func subscribe(_ phone: TestPhone, _ channel: String, op: String = "subscribe") throws {
        try #expect(phone.ask("channel", ["op": TestJSON(op), "id": TestJSON(channel)])["type"] == "ok")
        try #expect(phone.nextEvent(op + "d")["data"] == ["channel": TestJSON(channel)])
    }

    @Test(arguments: Kind.allCases) func `a broadcast reaches its subscribers with the channel's id`(kind: Kind) throws
    {
        try TestGateway.run(kind) { gateway in
            let (channel, other) = (try gateway.makeChannel(), try gateway.makeChannel())
            let phones = try [channel, channel, other].map { name in
                let phone = try gateway.phone()
                try subscribe(phone, name)
                return phone
            }
            try #expect(gateway.broadcast(["n": 1], to: channel).status == 200)
            for phone in phones.prefix(2) {
                let push = try phone.next("push")
                #expect(push["payload"]["aps"]["content-state"] == ["n": 1])
                #expect(push["headers"]["apns-channel-id"].string == channel)
                try #expect(phone.nextEvent("delivered")["why"] == "apns.delivered")
            }
            try #expect(phones[2].received() == [])
            try subscribe(phones[0], channel, op: "unsubscribe")
            try #expect(gateway.broadcast(["n": 2], to: channel).status == 200)
            try #expect(phones[1].next("push")["payload"]["aps"]["content-state"] == ["n": 2])
            try #expect(phones[0].pushes() == [])
        }
    }

    /// The channel's policy, the hours until the broadcast expires, the hours until the device is back, and the rules of
    /// the events about the two broadcasts.
    static let waits: [(policy: Int, hours: Int, back: Int, rules: [String])] = [
        (0, 0, 1, ["apns.discarded-expired", "apns.discarded-expired"]),
        (1, 0, 1, ["apns.discarded-expired", "apns.discarded-expired"]),
        (1, 24, 7, ["apns.stored-offline", "apns.stored-offline", "apns.overwritten", "apns.delivered-from-storage"]),
        (1, 24, 9, ["apns.stored-offline", "apns.stored-offline", "apns.overwritten", "apns.discarded-expired"]),
    ]

    @Test(arguments: waits.indices) func `the newest broadcast of a channel that stores waits eight hours`(index: Int)
        throws
    {
        let row = Self.waits[index]
        try TestGateway.run { gateway in
            let phone = try gateway.phone()
            let channel = try gateway.makeChannel(policy: row.policy)
            try subscribe(phone, channel)
            try phone.ask("state", ["set": ["online": false]])
            let expiration = row.hours == 0 ? 0 : gateway.milliseconds / 1000 + Int64(row.hours) * 3600
            for number in 1...2 {
                try gateway.broadcast(["n": TestJSON(number)], to: channel, expiration: "\(expiration)")
            }
            gateway.advanceClock(by: .seconds(row.back * 3600))
            try phone.ask("state", ["set": ["online": true]])
            let frames = try phone.received()
            let transit = frames.filter { ["stored", "dropped", "delivered"].contains($0["kind"].string) }
            #expect(transit.map { $0["why"].string } == row.rules)
            let isDelivered = row.rules.last == "apns.delivered-from-storage"
            let states = frames.filter { $0["type"] == "push" }.map { $0["payload"]["aps"]["content-state"] }
            #expect(states == (isDelivered ? [["n": 2]] : []))
        }
    }
}
