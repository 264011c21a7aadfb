import Devices
import PushCore
import Testing

/// After any sequence of events, the waiting pushes are within the vendors' limits, their bytes add up, and every push
/// has exactly one outcome.
@Suite struct StoragePropertyTests {
    private static let states = [
        #"{"online":false}"#, #"{"online":false}"#, #"{"online":true}"#, #"{"lowPower":true}"#, #"{"lowPower":false}"#,
        #"{"doze":true}"#, #"{"doze":false}"#,
        #"{"forceStopped":true}"#, #"{"forceStopped":false}"#, #"{"permission":"denied"}"#,
        #"{"permission":"authorized"}"#, #"{"locked":true}"#, #"{"locked":false}"#,
    ]

    @Test(arguments: 0..<60, [Device.Platform.ios, .android, .web])
    func `storage stays consistent after any sequence of events`(
        seed: Int, platform: Device.Platform
    ) throws {
        var random = Random(seed: UInt64(seed))
        func pick(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
        var phone = try PhoneSample(platform)
        var tokenGenerator = Random(seed: 1)
        var waiting: Set<PushID> = []
        var ended: Set<PushID> = []
        func end(_ push: PushID) {
            #expect(waiting.remove(push) != nil || ended.insert(push).inserted, "\(push) ends twice")
            ended.insert(push)
        }
        var number: UInt64 = 0
        for _ in 0..<600 {
            switch pick(12) {
            case 0...7:
                number += 1
                let isFCM = platform != .ios || pick(3) == 0
                let expires = [nil, phone.now + Int64(pick(60_000)), phone.now + 40_000_000_000][pick(3)]
                let key = Array([UInt8(ascii: "a") + UInt8(pick(6))])
                let replacementKey: StoredPush.Key =
                    isFCM
                    ? pick(4) == 0 ? .collapseKey(key) : .pending(PushID(number))
                    : [.app, .channel("c"), .channel("d")][pick(3)]
                let traits = PushTraits(
                    provider: isFCM ? .fcm : .apns, priority: [10, 5][pick(2)], expires: expires,
                    onlyShowsNotification: pick(2) == 0)
                let outcome = phone.registry.outcome(of: traits, at: 0, phone.now)
                let obstacle = isFCM ? phone.registry.obstacle(to: traits, at: 0) : nil
                guard outcome.isStorage else {
                    ended.insert(PushID(number))
                    continue
                }
                #expect(expires.map { $0 > phone.now } == true)
                waiting.insert(PushID(number))
                let push = TransitTests.push(number, traits, key: replacementKey, body: pick(100), obstacle: obstacle)
                if isFCM {
                    for old in phone.registry.storeGoogle(push, for: 0) { end(old.push.id) }
                } else if let old = phone.registry.store(push, for: 0) {
                    end(old.id)
                }
            case 8...9: try phone.set(Self.states[pick(Self.states.count)])
            case 10: phone.now = phone.now + Int64(pick(50_000))
            default:
                if pick(4) > 0 { continue }
                if phone.registry[0].isAppRemoved {
                    for old in phone.registry.dropWaiting(0) { end(old.id) }
                    _ = phone.registry.install(0, at: phone.now, using: &tokenGenerator)
                } else {
                    phone.registry.uninstall(0)
                }
            }
            for released in phone.registry.release(0, at: phone.now) {
                end(released.push.id)
                #expect(
                    !released.outcome.isDelivery || phone.registry[0].state.online && !phone.registry[0].isAppRemoved,
                    "\(released.outcome)")
            }
            let kept = phone.registry[0].waitingPushes
            #expect(Set(kept.map(\.id)) == waiting)
            #expect(Set(kept.map(\.key)).count == kept.count)
            #expect(kept.count { if case .pending = $0.key { true } else { false } } <= 100)
            #expect(kept.count { if case .collapseKey = $0.key { true } else { false } } <= 4)
            #expect(phone.registry.waitingBytes == kept.reduce(0) { $0 + $1.size })
        }
        for old in phone.registry.dropWaiting(0) { end(old.id) }
        #expect(phone.registry.waitingBytes == 0)
        #expect(waiting.isEmpty)
        #expect(ended.count == Int(number))
    }
}
