import Devices
import JSON
import PushCore
import Testing

@Suite struct DeviceRegistryTests {
    private let now = Timestamp(milliseconds: 1_800_000_000_000)

    private func read(_ digits: some StringProtocol) -> DeviceToken? {
        let bytes = Array(digits.utf8)
        return DeviceToken(hex: bytes.span)
    }

    private func token(_ number: Int) -> DeviceToken {
        let digits = String(number, radix: 16)
        return read(String(repeating: "0", count: 64 - digits.count) + digits)!
    }

    @Test func `a device for an unknown token is found again by token, id and slot`() {
        var registry = DeviceRegistry(capacity: 10)
        let slot = registry.makeImplicitDevice(apnsToken: token(7), app: "a", environment: .production)
        #expect(registry.binding(of: token(7), at: now, UnregisterRule())?.slot == slot)
        #expect(registry.slot(of: registry.id(at: slot)) == slot)
        #expect(registry[slot].isImplicit)
        #expect(registry.binding(of: token(8), at: now, UnregisterRule()) == nil)
    }

    @Test func `a full registry removes the oldest device that may be removed`() {
        var registry = DeviceRegistry(capacity: 3)
        var forgotten: [String] = []
        for number in 1...6 {
            // The first device must be kept.
            let (hasRoom, gone) = registry.makeRoom { $0 == 0 }
            #expect(hasRoom)
            if let gone { forgotten.append(gone.id.description) }
            _ = registry.makeImplicitDevice(apnsToken: token(number), app: "a", environment: .production)
        }
        #expect(forgotten == ["d2", "d3", "d4"])
        #expect(registry.count == 3)
        #expect(
            (1...6).map { registry.binding(of: token($0), at: now, UnregisterRule()) != nil } == [
                true, false, false, false, true, true,
            ])
    }

    @Test func `a full registry never removes a device that a client created`() throws {
        var registry = DeviceRegistry(capacity: 2)
        var generator = Random(seed: 1)
        let json = try JSONDocument(parsing: Array(#"{"platform":"ios","app":"a"}"#.utf8)).root
        let spec = try DeviceSpec(json, at: "")
        for _ in 0..<2 { #expect(registry.make(spec, in: .production, at: now, using: &generator) != nil) }
        #expect(registry.room == 0)
        let (hasRoom, gone) = registry.makeRoom { _ in false }
        #expect(!hasRoom)
        #expect(gone == nil)
        _ = registry.remove(0)
        #expect(registry.room == 1)
    }

    @Test func `after many resets the oldest device is still removed first`() {
        var registry = DeviceRegistry(capacity: 3)
        for round in 0..<1000 {
            for number in 1...3 {
                _ = registry.makeImplicitDevice(apnsToken: token(number), app: "a", environment: .production)
            }
            if round < 999 { for slot in 0..<3 { _ = registry.remove(slot) } }
        }
        // Slots were used again in the opposite order, so that a slot says nothing about age.
        #expect(registry.makeRoom { _ in false }.removed?.apnsToken == token(1))
    }

    @Test func `devices are found in the order of their age, whatever is removed in between`() throws {
        var registry = DeviceRegistry(capacity: 10_000)
        var generator = Random(seed: 3)
        var alive: [Int: Int] = [:]
        for number in 1...6000 {
            if !alive.isEmpty, generator.next() % 5 < 2, let gone = alive.randomElement(using: &generator) {
                _ = registry.remove(gone.value)
                alive[gone.key] = nil
            }
            let slot = registry.makeImplicitDevice(apnsToken: token(number), app: "a", environment: .production)
            alive[registry.reference(to: slot).generation] = slot
            // Most are removed, so that the entries of removed devices are dropped.
            if number % 2000 == 0 {
                for (generation, slot) in alive where generation % 50 != 0 {
                    _ = registry.remove(slot)
                    alive[generation] = nil
                }
            }
        }
        let expected = alive.sorted { $0.key < $1.key }
        #expect(registry.oldestFirst == expected.map(\.value))
        var found: [Int] = []
        var next = 0
        while let slot = registry.oldest(from: next) {
            found.append(slot)
            next = registry.reference(to: slot).generation + 1
        }
        #expect(found == expected.map(\.value))
        let middle = expected[expected.count / 2]
        #expect(registry.oldest(from: middle.key) == middle.value)
        #expect(registry.oldest(from: middle.key + 1) == expected[expected.count / 2 + 1].value)
        #expect(registry.oldest(from: .max) == nil)
    }

    @Test func `there is no room if all devices must be kept`() {
        var registry = DeviceRegistry(capacity: 1)
        _ = registry.makeImplicitDevice(apnsToken: token(1), app: "a", environment: .production)
        let (hasRoom, gone) = registry.makeRoom { _ in true }
        #expect(!hasRoom)
        #expect(gone == nil)
    }

    @Test(arguments: [64, 66, 200]) func `every digit of a token counts, and case does not`(count: Int) throws {
        var generator = Random(seed: UInt64(count))
        let digits = (0..<count).map { _ in "0123456789abcdef".randomElement(using: &generator)! }
        let token = try #require(read(String(digits)))
        #expect(token.hex == String(digits))
        #expect(read(String(digits).uppercased()) == token)
        for index in digits.indices {
            var other = digits
            other[index] = other[index] == "0" ? "1" : "0"
            #expect(read(String(other)) != token)
        }
    }

    @Test func `a token becomes unregistered at the time that the rule gives`() {
        func unregistered(_ rule: UnregisterRule, lost: Int, after milliseconds: Int64) -> Timestamp? {
            var registry = DeviceRegistry(capacity: 10)
            let slot = registry.makeImplicitDevice(apnsToken: token(1), app: "a", environment: .production)
            #expect(registry.binding(of: token(1), at: now, rule)?.unregistered == nil)
            registry.uninstall(slot)
            _ = registry.release(slot, at: now)
            registry.uninstall(slot)
            _ = registry.release(slot, at: now + 1_000_000)
            let push = PushTraits(priority: 10, expires: nil, onlyShowsNotification: true)
            for _ in 0..<lost {
                #expect(registry.outcome(of: push, at: slot, now) == .discardedUnregistered)
                registry.countLostPush(slot)
            }
            return registry.binding(of: token(1), at: now + milliseconds, rule)?.unregistered
        }
        #expect(unregistered(UnregisterRule(), lost: 0, after: 0) == now)
        #expect(unregistered(UnregisterRule(delay: 5000), lost: 0, after: 4999) == nil)
        #expect(unregistered(UnregisterRule(delay: 5000), lost: 0, after: 9000) == now + 5000)
        #expect(unregistered(UnregisterRule(pushes: 2), lost: 1, after: 9000) == nil)
        #expect(unregistered(UnregisterRule(pushes: 2), lost: 2, after: 9000) == now)
    }
}
