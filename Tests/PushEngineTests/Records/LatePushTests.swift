import Devices
import PushCore
import Testing

@testable import PushEngine

/// Pushes that faults deliver later, saved and restored before they are due and while they are delivered.
@Suite struct LatePushTests {
    private static let late = #"{"effect":{"deliverAfter":"1h"}}"#

    /// The devices that got something since the last call, in order.
    private static func receivers(_ fixture: EngineFixture) -> [String] {
        fixture.takeEvents().filter { $0.kind == .delivered }.map { $0.device?.description ?? "" }
    }

    private static func fixture() throws -> EngineFixture {
        let fixture = EngineFixture.saving()
        fixture.make("i")
        for id in ["a1", "a2", "a3"] {
            fixture.make(id, .android, #""project":"demo""#)
            fixture.subscribe(id, to: "news")
        }
        return fixture
    }

    /// What is sent, and who gets it.
    private static let sends: [(what: String, receivers: [String])] = [
        ("push", ["i"]), ("token", ["a1"]), ("topic", ["a1", "a2", "a3"]), ("broadcast", ["i"]),
    ]

    private static func send(_ what: String, _ fixture: EngineFixture) throws {
        switch what {
        case "push": fixture.push(to: "i", ["apns-collapse-id": "c"], body: #"{"aps":{"alert":"late"}}"#)
        case "token": fixture.message(to: "a1", #""data":{"n":"1"},"android":{"ttl":"7200s"}"#)
        case "topic": fixture.message(#""topic":"news","notification":{"title":"late"}"#)
        default:
            let path = "/1/apps/\(EngineFixture.app)/channels"
            let made = fixture.call(
                "POST", path, body: #"{"message-storage-policy":1,"push-type":"LiveActivity"}"#)
            let channel = try #require(made.headers["apns-channel-id"])
            fixture.perform(.setChannel(channel, isSubscribed: true), on: "i")
            let fields = ["apns-channel-id": channel, "apns-push-type": "LiveActivity", "apns-expiration": "0"]
            _ = fixture.call(
                "POST", "/4/broadcasts/apps/\(EngineFixture.app)", fields,
                body: #"{"aps":{"timestamp":1800000000,"event":"update","content-state":{}}}"#)
        }
    }

    @Test(arguments: sends.indices) func `a push that was held back arrives after a restart, once`(index: Int) throws {
        let row = Self.sends[index]
        var (saved, fixture) = (SavedRecords(), try Self.fixture())
        if row.what != "broadcast" { try fixture.fault(Self.late) }
        // The channel is made before the fault, which would hit that call.
        if row.what == "broadcast" {
            try fixture.fault(#"{"effect":{"deliverAfter":"1h"},"match":{"pushType":"LiveActivity"}}"#)
        }
        try Self.send(row.what, fixture)
        fixture.advance(1_800_000)
        for _ in 0..<2 { fixture = try saved.restart(fixture) }
        fixture.silently {}
        fixture.advance(1_799_999)
        #expect(Self.receivers(fixture) == [])
        fixture.advance(1)
        #expect(Self.receivers(fixture) == row.receivers)
        fixture = try saved.restart(fixture)
        fixture.silently {}
        fixture.advance(7_200_000)
        #expect(Self.receivers(fixture) == [])
        #expect(saved.keys(.latePush) + saved.keys(.latePushProgress) == [])
    }

    @Test func `an app gets the same push as without a restart`() throws {
        func shown(restarts: Bool) throws -> [String] {
            var (saved, fixture) = (SavedRecords(), try Self.fixture())
            try fixture.fault(Self.late)
            for what in ["push", "token", "topic"] { try Self.send(what, fixture) }
            if restarts { fixture = try saved.restart(fixture) }
            fixture.advance(3_600_000)
            return fixture.device("i").phone.shade.entries.map(\.key) + fixture.takeShown()
        }
        #expect(try shown(restarts: true) == shown(restarts: false))
    }

    @Test func `every copy of a push that is delivered several times arrives`() throws {
        var (saved, fixture) = (SavedRecords(), try Self.fixture())
        try fixture.fault(#"{"effect":[{"deliver":3},{"deliverAfter":"1h"}]}"#)
        fixture.push(to: "i")
        fixture = try saved.restart(fixture)
        #expect(saved.keys(.latePush) == ["1.0", "1.1", "1.2"])
        fixture.silently {}
        fixture.advance(3_600_000)
        #expect(Self.receivers(fixture) == ["i", "i", "i"])
    }

    @Test func `after a restart in the middle, each device has got it once`() throws {
        for done in 0...3 {
            var (saved, fixture) = (SavedRecords(), try Self.fixture())
            try fixture.fault(Self.late)
            try Self.send("topic", fixture)
            saved.save(fixture)
            fixture.now = fixture.now + 3_600_000
            fixture.engine.startLatePush("1.0")
            fixture.engine.continueFanOuts(done, at: fixture.now)
            var received = Self.receivers(fixture)
            fixture = try saved.restart(fixture)
            // A second restart, because the record has changed at the first.
            fixture = try saved.restart(fixture)
            fixture.silently {}
            fixture.advance(0)
            received += Self.receivers(fixture)
            #expect(received == ["a1", "a2", "a3"], "\(done) before")
            saved.save(fixture)
            #expect(saved.keys(.latePush) + saved.keys(.latePushProgress) == [])
        }
    }

    @Test func `a device that was deleted meanwhile is left out`() throws {
        var (saved, fixture) = (SavedRecords(), try Self.fixture())
        try fixture.fault(Self.late)
        try Self.send("topic", fixture)
        fixture.delete("a1")
        fixture.make("new", .android, #""project":"demo""#)
        fixture = try saved.restart(fixture)
        fixture.delete("a2")
        fixture = try saved.restart(fixture)
        fixture.silently {}
        fixture.advance(3_600_000)
        #expect(Self.receivers(fixture) == ["a3"])
    }

    @Test func `pushes that are due at the same time arrive in the order in which they were sent`() throws {
        var (saved, fixture) = (SavedRecords(), try Self.fixture())
        try fixture.fault(Self.late)
        for number in 0..<12 { fixture.push(to: "i", ["apns-collapse-id": "\(number)"]) }
        fixture = try saved.restart(fixture)
        fixture.silently {}
        fixture.advance(3_600_000)
        let delivered = fixture.takeEvents().filter { $0.kind == .delivered }.map { $0.push?.number }
        #expect(delivered == (1...12).map { $0 })
    }
}
