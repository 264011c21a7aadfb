import PushpitTesting
import Testing

/// What a device socket says about a push on its way: when it is stored, delivered later, or dropped.
@Suite struct TransitFrameTests {
    typealias Kind = TestGateway.Kind

    static let offline: TestJSON = ["online": false]
    static let online: TestJSON = ["online": true, "lowPower": false, "locked": false]
    static let background: TestFields = ["apns-push-type": "background", "apns-priority": "5"]

    struct Way: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var state: TestJSON?
        var fields: TestFields = [:]
        var payload: TestJSON = ["aps": ["alert": "x"]]
        var atOnce: [String]
        /// After the device is online, unlocked and has power.
        var later: [String]?
    }

    static let delivered = ["delivered", "apns.delivered", "Delivered to Device"]
    static let expired = ["dropped", "apns.discarded-expired", "Discarded - Expired"]
    static let stored = ["stored", "apns.stored-offline", "Stored - Device Offline"]
    static let storedForPower = ["stored", "apns.stored-power", "Stored - Power Considerations"]
    static let fromStorage = ["delivered", "apns.delivered-from-storage", "Delivered to Device (From Storage)"]
    static let disabled = ["dropped", "apns.discarded-disabled", "Discarded - Disabled"]

    static let ways = [
        Way(testDescription: "online", atOnce: delivered),
        Way(testDescription: "online, not to be stored", fields: ["apns-expiration": "0"], atOnce: delivered),
        Way(testDescription: "online, too late", fields: ["apns-expiration": "1789996400"], atOnce: delivered),
        Way(
            testDescription: "offline, too late", state: offline, fields: ["apns-expiration": "1789996400"],
            atOnce: expired),
        Way(testDescription: "offline", state: offline, atOnce: stored, later: fromStorage),
        Way(
            testDescription: "offline, with time", state: offline, fields: ["apns-expiration": "1790003600"],
            atOnce: stored, later: fromStorage),
        Way(
            testDescription: "offline, not to be stored", state: offline, fields: ["apns-expiration": "0"],
            atOnce: expired),
        Way(
            testDescription: "low power", state: ["lowPower": true], fields: ["apns-priority": "5"],
            atOnce: storedForPower, later: fromStorage),
        Way(testDescription: "low power, at once", state: ["lowPower": true], atOnce: delivered),
        Way(
            testDescription: "locked, lowest priority", state: ["locked": true], fields: ["apns-priority": "1"],
            atOnce: storedForPower, later: fromStorage),
        Way(testDescription: "not allowed", state: ["permission": "denied"], atOnce: disabled),
        Way(
            testDescription: "not allowed, in the background", state: ["permission": "denied"], fields: background,
            payload: ["aps": ["content-available": 1]], atOnce: delivered),
    ]

    private func said(_ event: TestJSON) -> [String] {
        [event["kind"], event["why"], event["data"]["outcome"]].map { $0.string ?? "" }
    }

    /// Changes the state and takes the event about it.
    private func set(_ phone: TestPhone, _ state: TestJSON) throws {
        try #expect(phone.ask("state", ["set": state])["type"] == "ok")
        try #expect(phone.nextEvent("state")["data"] == state)
    }

    @Test(arguments: ways) func `each state of the device has its outcome`(way: Way) throws {
        try TestGateway.run { gateway in
            let phone = try gateway.phone(hello: ["wants": ["event"]])
            if let state = way.state { try set(phone, state) }
            try #expect(gateway.push(way.payload, to: phone.token(), fields: way.fields).status == 200)
            let isTransit = { (event: TestJSON) in ["stored", "delivered", "dropped"].contains(event["kind"].string) }
            try #expect(phone.events().filter(isTransit).map(said) == [way.atOnce])
            try set(phone, Self.online)
            try #expect(phone.events().filter(isTransit).map(said) == (way.later.map { [$0] } ?? []))
        }
    }

    @Test func `the newest push waits, and its frames say for how long`() throws {
        try TestGateway.run { gateway in
            let phone = try gateway.phone("ios", ["state": Self.offline])
            for number in 0..<3 { try gateway.push(["aps": ["alert": "\(number)"]], to: phone.token()) }
            let events = try phone.events()
            #expect(
                events.map { [$0["kind"].string, $0["push"].string] } == [
                    ["stored", "p1"], ["stored", "p2"], ["dropped", "p1"], ["stored", "p3"], ["dropped", "p2"],
                ])
            #expect(events[2]["why"] == "apns.overwritten" && events[2]["data"] == ["by": "p2"])
            gateway.advanceClock(by: .seconds(90))
            try set(phone, Self.online)
            let (push, event) = (try phone.next("push"), try phone.nextEvent("delivered"))
            #expect(push["payload"] == ["aps": ["alert": "2"]])
            #expect(push["storedFor"] == 90_000 && event["data"]["storedFor"] == 90_000)
            #expect(said(event) == Self.fromStorage)
            #expect(event["seq"] == push["seq"])
        }
    }

    @Test func `a push with the same collapse id is collapsed`() throws {
        try TestGateway.run { gateway in
            let phone = try gateway.phone("ios", ["state": Self.offline])
            for _ in 0..<2 { try gateway.push(to: phone.token(), fields: ["apns-collapse-id": "score"]) }
            let events = try phone.events()
            #expect(events.map { $0["kind"] } == ["stored", "stored", "collapsed"])
            #expect(events.last?["why"] == "apns.collapsed")
        }
    }

    @Test(arguments: Kind.allCases)
    func `a socket can be the phone itself, so the device is offline without it`(kind: Kind) throws {
        try TestGateway.run(kind) { gateway in
            let wish: TestJSON = ["offlineWhenDisconnected": true]
            let first = try gateway.phone(hello: wish)
            try first.close()
            try gateway.push(to: first.token())
            let second = try gateway.phone(watching: first, hello: wish)
            #expect(second.device["state"]["online"] == true)
            let frames = try (0..<3).map { _ in try second.next() }
            #expect(
                frames.map { [$0["type"].string, $0["kind"].string] }
                    == [["event", "state"], ["push", nil], ["event", "delivered"]])
            let welcome = try #require(second.welcome["seq"].int)
            #expect(frames.allSatisfy { $0["seq"].int ?? 0 > welcome }, "everything is newer than the welcome")
        }
    }

    static let badMessages: [(String, TestJSON, String)] = [
        ("state", [:], "/set"), ("state", ["set": ["x": 1]], "/set/x"), ("channel", [:], "/op"),
        ("channel", ["op": "subscribe"], "/id"), ("channel", ["op": "subscribe", "id": "none"], "/id"),
        ("channel", ["op": "unsubscribe", "id": "none"], "/id"),
    ]

    @Test func `a wrong message is an error with a pointer`() throws {
        try TestGateway.run { gateway in
            let phone = try gateway.phone()
            for (type, fields, pointer) in Self.badMessages {
                let answer = try phone.ask(type, fields)
                #expect(answer["type"] == "error" && answer["pointer"].string == pointer, "\(type) \(fields)")
            }
        }
    }
}
