import Devices
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

    @Test func `a device for an unknown token is found again by token, id and place`() {
        var registry = DeviceRegistry(capacity: 10)
        let place = registry.makeImplicit(apnsToken: token(7), app: "a", environment: .production)
        #expect(registry.binding(of: token(7), at: now, UnregisterRule())?.place == place)
        #expect(registry.place(of: registry.id(at: place)) == place)
        #expect(registry[place].isImplicit)
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
            _ = registry.makeImplicit(apnsToken: token(number), app: "a", environment: .production)
        }
        #expect(forgotten == ["d2", "d3", "d4"])
        #expect(registry.count == 3)
        #expect(
            (1...6).map { registry.binding(of: token($0), at: now, UnregisterRule()) != nil } == [
                true, false, false, false, true, true,
            ])
    }

    @Test func `there is no room if all devices must be kept`() {
        var registry = DeviceRegistry(capacity: 1)
        _ = registry.makeImplicit(apnsToken: token(1), app: "a", environment: .production)
        let (hasRoom, gone) = registry.makeRoom { _ in true }
        #expect(!hasRoom)
        #expect(gone == nil)
    }

    @Test(arguments: [64, 66, 200]) func `every digit of a token counts, and case does not`(count: Int) throws {
        let digits = (0..<count).map { _ in "0123456789abcdef".randomElement()! }
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
            let place = registry.makeImplicit(apnsToken: token(1), app: "a", environment: .production)
            #expect(registry.binding(of: token(1), at: now, rule)?.unregistered == nil)
            registry.uninstall(place)
            _ = registry.release(place, at: now)
            registry.uninstall(place)
            _ = registry.release(place, at: now + 1_000_000)
            let push = PushTraits(priority: 10, expires: nil, isVisible: true)
            for _ in 0..<lost {
                #expect(registry.outcome(of: push, at: place, now) == .discardedUnregistered)
                registry.losePush(place)
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
