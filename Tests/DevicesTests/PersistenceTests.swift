import HTTPCore
import JSON
import PushCore
import Testing

@testable import Devices

/// Devices that were stored on disk are restored unchanged.
@Suite struct PersistenceTests {
    private static let specs = [
        #"{"platform":"ios","app":"a"}"#,
        #"{"platform":"android","app":"b","id":"x","name":"N","project":"p","state":{"online":false,"locale":"de"},"channels":[{"id":"c","importance":"low"}]}"#,
        #"{"platform":"web","app":"https://e.example","environment":"sandbox"}"#,
        ##"""
        {"platform":"ios","app":"a","backgroundBudget":3,"texts":{"en":{"K":"\"T\" %@"}},"tracking":{"profile":"adobe","ecid":"7"},
        "extension":{"script":"adobe","seconds":3,"titleSuffix":"!","imageKey":"/image~1url"},
        "categories":[{"id":"c","customDismissAction":true,"actions":[{"id":"a","title":"A","foreground":true,"text":true}]}]}
        """##,
    ]

    private static func made(_ spec: String) throws -> DeviceRegistry {
        var registry = DeviceRegistry(capacity: 10)
        var random = Random(seed: 7)
        let device = try DeviceSpec(try PhoneSample.json(spec), at: "")
        _ = registry.make(device, in: .production, at: Timestamp(milliseconds: 0), using: &random)
        return registry
    }

    @Test(arguments: specs) func `a device is restored as it was stored`(spec: String) throws {
        var before = try Self.made(spec)
        let payload =
            #"{"aps":{"alert":{"title":"T","body":"B"},"badge":7,"category":"c"},"notification":{"title":"T"}}"#
        let content = PushContent(try PhoneSample.document(payload), for: before.platform(at: 0))
        let now = Timestamp(milliseconds: 1_800_000_000_000)
        for number in 1...3 {
            _ = before.handle(
                .push(Arrival(push: PushID(UInt64(number)), content: content, collapseID: number == 2 ? [65] : [])),
                at: 0, now)
        }
        _ = before.subscribe(0, to: "news", at: now)
        let kept = before.encoded(0)
        var after = DeviceRegistry(capacity: 10)
        let isRestored = after.restore(kept) { _, _ in content }
        #expect(isRestored)
        #expect(String(decoding: after.encoded(0), as: UTF8.self) == String(decoding: kept, as: UTF8.self))
        #expect(after.slot(of: before.id(at: 0)) == 0)
        #expect(after.topics.keys.all.map(\.topic) == ["news"])
    }

    @Test(arguments: specs) func `every property of a device is stored`(spec: String) throws {
        var before = try Self.made(spec)
        let now = Timestamp(milliseconds: 1_800_000_000_000)
        let content = PushContent(
            try PhoneSample.document(#"{"aps":{"alert":"B","badge":7}}"#), for: before.platform(at: 0))
        _ = before.handle(.push(Arrival(push: PushID(1), content: content)), at: 0, now)
        _ = before.subscribe(0, to: "news", at: now)
        before.uninstall(0)
        _ = before.release(0, at: now)
        before.countLostPush(0)
        var after = DeviceRegistry(capacity: 10)
        let isRestored = after.restore(before.encoded(0)) { _, _ in content }
        #expect(isRestored)
        let (old, new) = (before[0], after[0])
        #expect((new.id, new.platform, new.app, new.name) == (old.id, old.platform, old.app, old.name))
        #expect((new.apnsToken, new.activityToken, new.fcmToken) == (old.apnsToken, old.activityToken, old.fcmToken))
        #expect(new.otherTokens == old.otherTokens)
        #expect((new.fid, new.project, new.environment) == (old.fid, old.project, old.environment))
        #expect((new.state, new.offlineSince, new.isAppRemoved) == (old.state, old.offlineSince, old.isAppRemoved))
        #expect((new.unregisteredSince, new.lostPushes) == (old.unregisteredSince, old.lostPushes))
        #expect((new.deletedMessages, new.isImplicit) == (old.deletedMessages, old.isImplicit))
        #expect((new.topics, new.channels) == (old.topics, old.channels))
        #expect((new.phone.badge, new.phone.shownCount) == (old.phone.badge, old.phone.shownCount))
        #expect(new.phone.recentMessages == old.phone.recentMessages)
    }

    @Test(arguments: [
        (#""lostPushes":0"#, Int64.max), (#""deletedMessages":0"#, .max), (#""offlineSince":0"#, .min),
        (#""uninstalled":null"#, .max),
    ])
    func `a number that would overflow later is refused`(member: String, value: Int64) throws {
        let before = try Self.made(Self.specs[1])
        let text = String(decoding: before.encoded(0), as: UTF8.self)
        let key = member.prefix { $0 != ":" }
        try #require(text.contains(member))
        var after = DeviceRegistry(capacity: 10)
        let isRestored = after.restore(Array(text.replacing(member, with: "\(key):\(value)").utf8)) { _, _ in nil }
        #expect(!isRestored)
    }

    @Test(
        arguments: [
            (#"["critical"]"#, #"["badge"]"#, ["a.caf"], ["SHOP"]), ("[]", "[]", [], []),
        ] as [(String, String, [String], [String])])
    func `an app's configuration is stored`(
        entitlements: String, presentation: String, sounds: [String], actions: [String]
    ) throws {
        let before = try Self.made(
            ##"""
            {"platform":"android","app":"a","appConfig":{"entitlements":\##(entitlements),"willPresent":\##(presentation),
            "allowsHTTP":true,"sounds":\##(sounds),"defaultChannel":"news","icon":"bell","color":"#ff8800",
            "clickActions":\##(actions)}}
            """##)
        var after = DeviceRegistry(capacity: 10)
        let isRestored = after.restore(before.encoded(0)) { _, _ in nil }
        #expect(isRestored)
        let app = after[0].phone.spec.app
        #expect(app.entitlements == (entitlements == "[]" ? [] : [.critical]))
        #expect(app.willPresent == (presentation == "[]" ? [] : [.badge]))
        #expect(app.allowsHTTP)
        #expect((app.sounds, app.clickActions) == (sounds, actions))
        #expect((app.defaultChannel, app.icon, app.color) == ("news", "bell", "#ff8800"))
    }

    @Test func `waiting pushes are restored with their keys and obstacles`() throws {
        let now = TransitTests.now
        let rows: [(StoredPush.Key, Device.Obstacle?)] = [
            (.app, nil), (.channel("c"), .offline), (.collapseKey([1]), .directBoot), (.collapseKey([2]), .stopped),
            (.pending(PushID(8)), .doze), (.pending(PushID(9)), .throttled(until: now + 5)),
            (.kind(.voip), nil),
        ]
        let traits = [
            PushTraits(priority: 5, expires: now + 9, onlyShowsNotification: true, collapseID: [65]),
            PushTraits(
                provider: .fcm, name: "n", sent: now + 1, priority: 10, expires: nil, onlyShowsNotification: false,
                worksInDirectBoot: true),
        ]
        var before = try Self.made(Self.specs[1])
        for (index, row) in rows.enumerated() {
            let voip = PushTraits(priority: 10, expires: now + 9, onlyShowsNotification: false, kind: .voip)
            let push = TransitTests.push(
                UInt64(index + 1), index == 6 ? voip : traits[index % 2], key: row.0, body: index, obstacle: row.1)
            let displaced = before.store(push, for: 0)
            #expect(displaced == nil)
        }
        var after = DeviceRegistry(capacity: 10)
        let isRestored = after.restore(before.encoded(0)) { _, _ in nil }
        #expect(isRestored)
        let (old, new) = (before[0].waitingPushes, after[0].waitingPushes)
        #expect(new.map(\.key) == rows.map(\.0))
        #expect(new.map(\.obstacle) == rows.map(\.1))
        #expect(new.map(\.id) == old.map(\.id))
        #expect(new.map(\.since) == old.map(\.since))
        #expect(new.map(\.request.body.count) == Array(0..<7))
        #expect(new.map { String(describing: $0.traits) } == old.map { String(describing: $0.traits) })
        #expect(after.waitingBytes == before.waitingBytes)
    }

    @Test func `a notification is dropped if its push is no longer known`() throws {
        var before = try Self.made(Self.specs[0])
        let content = PushContent(try PhoneSample.document(#"{"aps":{"alert":"B"}}"#), for: .ios)
        for number in 1...2 {
            _ = before.handle(
                .push(Arrival(push: PushID(UInt64(number)), content: content)), at: 0, Timestamp(milliseconds: 5))
        }
        var after = DeviceRegistry(capacity: 10)
        let isRestored = after.restore(before.encoded(0)) { push, _ in push.number == 2 ? content : nil }
        #expect(isRestored)
        #expect(after[0].phone.shade.entries.map(\.push.number) == [2])
    }

    @Test func `truncated or corrupted data never crashes`() throws {
        let kept = try Self.made(Self.specs[3]).encoded(0)
        var random = Random(seed: 3)
        for _ in 0..<2000 {
            var broken = kept
            if random.next() & 1 == 0 { broken.removeLast(Int(random.next() % UInt64(broken.count))) }
            for _ in 0..<3 where !broken.isEmpty {
                broken[Int(random.next() % UInt64(broken.count))] = UInt8(truncatingIfNeeded: random.next())
            }
            var registry = DeviceRegistry(capacity: 10)
            _ = registry.restore(broken) { _, _ in nil }
        }
    }

    @Test func `a device with the id of another is not restored`() throws {
        let kept = try Self.made(Self.specs[0]).encoded(0)
        var registry = DeviceRegistry(capacity: 10)
        let (first, second) = (registry.restore(kept) { _, _ in nil }, registry.restore(kept) { _, _ in nil })
        #expect(first && !second)
    }
}
