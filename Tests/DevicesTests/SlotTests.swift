import Devices
import PushCore
import Testing

/// Slots of removed devices, and what still refers to them.
@Suite struct SlotTests {
    private let now = Timestamp(milliseconds: 1_800_000_000_000)

    private func token(_ number: Int) -> DeviceToken {
        let digits = Array((String(repeating: "0", count: 64) + String(number, radix: 16)).utf8.suffix(64))
        return DeviceToken(hex: digits.span)!
    }

    @Test func `a reference does not find the next device at its slot`() {
        var registry = DeviceRegistry(capacity: 3)
        let slot = registry.makeImplicitDevice(apnsToken: token(1), app: "a", environment: .production)
        let first = registry.reference(to: slot)
        #expect(registry.slot(of: first) == slot)
        _ = registry.remove(slot)
        #expect(registry.slot(of: first) == nil)
        #expect(registry.makeImplicitDevice(apnsToken: token(2), app: "a", environment: .production) == slot)
        #expect(registry.slot(of: first) == nil)
        #expect(registry.slot(of: registry.reference(to: slot)) == slot)
    }

    @Test func `old tokens of a removed device are unknown, and do not find the next device at its slot`() {
        var registry = DeviceRegistry(capacity: 2)
        var generator = Random(seed: 5)
        var old: [(apns: DeviceToken?, fcm: String)] = []
        for number in 0..<2 {
            let slot = registry.makeImplicitDevice(
                fcmToken: "installation\(number):a", platform: .ios, app: "a", environment: .production,
                using: &generator)
            old.append((registry[slot].apnsToken, registry[slot].fcmToken))
            for provider in Provider.allCases { _ = registry.rotate(provider, slot, at: now, using: &generator) }
        }
        _ = registry.remove(0)
        #expect(registry.makeImplicitDevice(apnsToken: token(1), app: "b", environment: .production) == 0)
        for (tokens, slot) in zip(old, [nil, 1]) {
            #expect(tokens.apns.flatMap { registry.binding(of: $0, at: now, UnregisterRule()) }?.slot == slot)
            let registration = registry.registration(ofFCM: tokens.fcm, at: now)
            #expect(registration?.slot == slot)
        }
    }

    @Test func `when most devices are removed, their slots are given back, and references to them find nothing`() {
        var registry = DeviceRegistry(capacity: 10_000)
        for number in 0..<9000 {
            _ = registry.makeImplicitDevice(apnsToken: token(number), app: "a", environment: .production)
        }
        let isTrimmed = registry.trim(atMost: 9000)
        #expect(!isTrimmed)
        let (last, generation) = (registry.reference(to: 8999), registry.generation)
        for slot in (0..<9000) where slot != 5 && slot != 7 { _ = registry.remove(slot) }
        // The lowest slot is used first.
        #expect(registry.makeImplicitDevice(apnsToken: token(1), app: "a", environment: .production) == 0)
        var steps = 0
        while registry.trim(atMost: 1000) { steps += 1 }
        #expect(steps == 5 && registry.slots == 0..<4096 && registry.count == 3)
        #expect(registry.slot(of: last) == nil && !registry.existed(8999, atGeneration: generation))
        #expect(!registry.existed(6, atGeneration: generation) && registry.existed(7, atGeneration: generation))
        #expect(registry.oldestFirst == [5, 7, 0])
        let slots = (2...6).map {
            registry.makeImplicitDevice(apnsToken: token($0), app: "a", environment: .production)
        }
        #expect(slots == [1, 2, 3, 4, 6])
        for number in 9000..<13_090 {
            _ = registry.makeImplicitDevice(apnsToken: token(number), app: "a", environment: .production)
        }
        #expect(registry.slots == 0..<4098)
        let isTrimmedAgain = registry.trim(atMost: 1000)
        #expect(!isTrimmedAgain)
        #expect(registry.binding(of: token(7), at: now, UnregisterRule())?.slot == 7)
        #expect(registry.binding(of: token(8999), at: now, UnregisterRule()) == nil)
    }

    @Test func `no token, topic or id of a removed device leads to a slot that was given back`() {
        var registry = DeviceRegistry(capacity: 10_000)
        var generator = Random(seed: 6)
        var old: [(apns: [DeviceToken], fcm: [String], id: DeviceID)] = []
        for number in 0..<9000 {
            let slot = registry.makeImplicitDevice(
                fcmToken: "installation\(number):a", platform: .ios, app: "a", environment: .production,
                using: &generator)
            _ = registry.install(slot, at: now, using: &generator)
            _ = registry.subscribe(slot, to: "news", at: now)
            var names = (apns: [DeviceToken](), fcm: [String](), id: registry.id(at: slot))
            // The current tokens, and the retired ones.
            for _ in 0..<2 {
                let device = registry[slot]
                names.apns += device.activityTokens.map { $0.token } + device.otherTokens.values
                names.apns += device.apnsToken.map { [$0] } ?? []
                names.fcm += [device.fcmToken, device.fid]
                for provider in Provider.allCases { _ = registry.rotate(provider, slot, at: now, using: &generator) }
                for kind in TokenKind.allCases { _ = registry.rotate(kind, slot, at: now, using: &generator) }
            }
            old.append(names)
        }
        for slot in (0..<9000) where slot != 5 { _ = registry.remove(slot) }
        while registry.trim(atMost: 1000) {}
        #expect(registry.slots == 0..<4096)
        for (number, names) in old.enumerated() where number != 5 {
            #expect(registry.slot(of: names.id) == nil)
            for token in names.apns { #expect(registry.binding(of: token, at: now, UnregisterRule()) == nil) }
            for token in names.fcm { #expect(registry.registration(ofFCM: token, at: now) == nil) }
        }
        #expect(registry.subscribers(of: "news", in: registry[5].project ?? "") == DeviceSet([5]))
        let kept = registry[5]
        let tokens =
            kept.activityTokens.map { $0.token } + kept.otherTokens.values + [kept.apnsToken].compactMap(\.self)
        #expect(tokens.count == 8)
        #expect(tokens.allSatisfy { registry.binding(of: $0, at: now, UnregisterRule())?.slot == 5 })
        #expect(registry.registration(ofFCM: kept.fcmToken, at: now)?.slot == 5)
    }
}
