import Devices
import HTTPCore
import JSON
import PushCore
import Testing

/// The outcomes of APNs pushes (docs/evidence/apns.md §6 and §8), one row for each.
@Suite struct TransitTests {
    struct Row: CustomTestStringConvertible {
        let state: String
        var priority = 10
        /// Milliseconds from now; nil if it is never stored.
        var expires: Int64? = 1000
        var onlyShowsNotification = true
        let outcome: TransitOutcome
        /// The outcome after 500 ms, with the device online, unlocked and not in low power mode. Nil if nothing waits.
        var later: TransitOutcome?

        var testDescription: String { "\(state), priority \(priority), expires \(expires ?? 0): \(outcome)" }
    }

    static let now = Timestamp(milliseconds: 1_800_000_000_000)
    static let offline = #"{"online":false}"#
    static let rows = [
        Row(state: "{}", outcome: .delivered),
        Row(state: "{}", expires: nil, outcome: .delivered),
        Row(state: "{}", expires: -1, outcome: .discardedExpired),
        Row(state: "{}", expires: 0, outcome: .discardedExpired),
        Row(state: "{}", expires: 1, outcome: .delivered),
        Row(state: "{}", priority: 5, outcome: .delivered),
        Row(state: "{}", priority: 1, outcome: .delivered),
        Row(state: #"{"app":"forceQuit","locked":true,"doze":true}"#, outcome: .delivered),
        Row(state: offline, outcome: .storedOffline, later: .deliveredFromStorage),
        Row(state: offline, priority: 1, outcome: .storedOffline, later: .deliveredFromStorage),
        Row(state: offline, expires: 499, outcome: .storedOffline, later: .discardedExpired),
        Row(state: offline, expires: nil, outcome: .discardedExpired),
        Row(state: offline, expires: 0, outcome: .discardedExpired),
        Row(state: #"{"lowPower":true}"#, outcome: .delivered),
        Row(state: #"{"lowPower":true}"#, priority: 5, outcome: .storedForPower, later: .deliveredFromStorage),
        Row(state: #"{"lowPower":true}"#, priority: 1, outcome: .storedForPower, later: .deliveredFromStorage),
        Row(state: #"{"lowPower":true}"#, priority: 5, expires: nil, outcome: .discardedExpired),
        Row(state: #"{"locked":true}"#, priority: 5, outcome: .delivered),
        Row(state: #"{"locked":true}"#, priority: 1, outcome: .storedForPower, later: .deliveredFromStorage),
        Row(state: #"{"permission":"denied"}"#, outcome: .discardedDisabled),
        Row(state: #"{"permission":"denied"}"#, onlyShowsNotification: false, outcome: .delivered),
        Row(state: #"{"permission":"denied","online":false}"#, outcome: .discardedDisabled),
        Row(state: #"{"permission":"notDetermined"}"#, outcome: .delivered),
    ]

    static func registry(_ count: Int = 1) -> DeviceRegistry {
        var registry = DeviceRegistry(capacity: count)
        var random = Random(seed: 7)
        for _ in 0..<count {
            let token = DeviceToken(using: &random)
            _ = registry.makeImplicitDevice(apnsToken: token, app: "a", environment: .production)
        }
        return registry
    }

    static func set(_ registry: inout DeviceRegistry, _ state: String, _ slot: Int = 0) throws {
        try registry.patchState(slot, JSONDocument(parsing: Array(state.utf8)).root, at: "", now)
    }

    static func push(
        _ number: UInt64, _ traits: PushTraits, key: StoredPush.Key = .app, body: Int = 0,
        obstacle: Device.Obstacle? = nil
    ) -> StoredPush {
        var request = Request(version: .http2)
        request.body = Array(repeating: 0, count: body)
        return StoredPush(
            id: PushID(number), request: request, traits: traits, key: key, since: now, obstacle: obstacle)
    }

    @Test(arguments: rows) func `the device's state decides the outcome, at once and later`(row: Row) throws {
        var registry = Self.registry()
        try Self.set(&registry, row.state)
        let traits = PushTraits(
            priority: row.priority, expires: row.expires.map { Self.now + $0 },
            onlyShowsNotification: row.onlyShowsNotification)
        #expect(registry.outcome(of: traits, at: 0, Self.now) == row.outcome)
        #expect(row.outcome.isStorage == (row.later != nil))
        guard let later = row.later else { return }
        #expect(registry.store(Self.push(1, traits), for: 0) == nil)
        #expect(registry.release(0, at: Self.now).isEmpty)
        try Self.set(&registry, #"{"online":true,"locked":false,"lowPower":false}"#)
        #expect(registry.release(0, at: Self.now + 500).map(\.outcome) == [later])
        #expect(registry.release(0, at: Self.now + 500).isEmpty)
        #expect(registry.waitingBytes == 0)
    }

    @Test func `waiting pushes are dropped if notifications were disabled or the app was uninstalled meanwhile`() throws
    {
        let traits = PushTraits(priority: 10, expires: Self.now + 1000, onlyShowsNotification: true)
        for (change, outcome) in [
            (#"{"permission":"denied"}"#, TransitOutcome.discardedDisabledFromStorage),
            ("", .discardedUnregisteredFromStorage),
        ] {
            var registry = Self.registry()
            try Self.set(&registry, Self.offline)
            _ = registry.store(Self.push(1, traits), for: 0)
            if change.isEmpty { registry.uninstall(0) } else { try Self.set(&registry, change) }
            // The service does not learn of it before the device is back.
            #expect(registry.release(0, at: Self.now).isEmpty)
            #expect(registry[0].unregisteredSince == nil)
            try Self.set(&registry, #"{"online":true}"#)
            #expect(registry.release(0, at: Self.now + 1).map(\.outcome) == [outcome])
            #expect(registry[0].unregisteredSince == (change.isEmpty ? Self.now + 1 : nil))
        }
    }

    @Test func `one push waits in each key, and the bytes of all are counted`() throws {
        var registry = Self.registry()
        let traits = PushTraits(priority: 10, expires: Self.now + 1000, onlyShowsNotification: true)
        try Self.set(&registry, Self.offline)
        #expect(registry.store(Self.push(1, traits, body: 1000), for: 0) == nil)
        let one = registry.waitingBytes
        #expect(registry.store(Self.push(2, traits, body: 3000), for: 0)?.id == PushID(1))
        #expect(registry.waitingBytes == one + 2000)
        #expect(registry.store(Self.push(3, traits, key: .channel("x")), for: 0) == nil)
        #expect(registry.store(Self.push(4, traits, key: .channel("x")), for: 0)?.id == PushID(3))
        #expect(registry[0].waitingPushes.map(\.id.number) == [2, 4])
        try Self.set(&registry, #"{"online":true}"#)
        #expect(registry.release(0, at: Self.now).map(\.push.id.number) == [2, 4])
        #expect(registry.waitingBytes == 0)
    }

    @Test func `the request of a broadcast is not counted`() {
        let traits = PushTraits(priority: 10, expires: Self.now + 1000, onlyShowsNotification: true)
        let empty = Self.push(1, traits).size
        #expect(Self.push(1, traits, key: .channel("x"), body: 1000).size == empty)
        #expect(Self.push(1, traits, body: 1000).size == empty + 1000)
    }

    @Test func `removing a device releases its memory`() throws {
        var registry = Self.registry()
        let traits = PushTraits(priority: 10, expires: Self.now, onlyShowsNotification: true)
        _ = registry.store(Self.push(1, traits), for: 0)
        #expect(registry.remove(0).waitingPushes.count == 1)
        #expect(registry.waitingBytes == 0)
    }

    @Test(arguments: [
        ("[]", ""), (#"{"online":1}"#, "/online"), (#"{"app":"dead"}"#, "/app"), (#"{"colour":"red"}"#, "/colour"),
        (#"{"permission":null}"#, "/permission"), (#"{"locale":""}"#, "/locale"),
        (#"{"locked":true,"focus":"yes"}"#, "/focus"),
    ]) func `an invalid patch changes nothing and names the place`(patch: String, pointer: String) throws {
        var state = DeviceState()
        let json = try JSONDocument(parsing: Array(patch.utf8)).root
        let problem = #expect(throws: DeviceProblem.self) { try state.patch(json, at: "") }
        #expect(problem?.pointer == pointer)
        #expect(state == DeviceState())
    }

    @Test func `a state is written in the form in which it is read`() throws {
        var state = DeviceState()
        let patch =
            #"{"app":"suspended","permission":"provisional","online":false,"locked":true,"focus":true,"doze":true,"lowPower":true,"backgroundRefresh":false,"forceStopped":true,"directBoot":true,"locale":"de-DE"}"#
        try state.patch(JSONDocument(parsing: Array(patch.utf8)).root, at: "")
        var json = JSONWriter()
        state.write(to: &json)
        #expect(String(decoding: json.finish(), as: UTF8.self) == patch)
    }
}
