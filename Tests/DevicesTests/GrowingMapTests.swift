import PushCore
import Testing

@testable import Devices

@Suite struct GrowingMapTests {
    @Test func `it has the same values as a dictionary`() {
        var generator = Random(seed: 11)
        var (map, expected) = (GrowingMap<String, Int>(), [String: Int]())
        for number in 0..<5000 {
            let key = "\(generator.next() % 700)"
            switch generator.next() % 4 {
            case 0:
                map[key] = nil
                expected[key] = nil
            case 1: #expect(map.removeValue(forKey: key) == expected.removeValue(forKey: key))
            default:
                map[key] = number
                expected[key] = number
            }
            #expect(map.total == expected.count)
        }
        for key in (0..<700).map({ "\($0)" }) + ["", "é"] { #expect(map[key] == expected[key]) }
    }

    @Test func `a map that has become empty takes no memory`() {
        var map = GrowingMap<String, Int>()
        for number in 0..<5000 { map["\(number)"] = number }
        for number in 0..<5000 { map["\(number)"] = nil }
        #expect(map.parts.allSatisfy { $0.capacity == 0 })
    }

    @Test func `keys of devices are spread over its parts`() {
        var generator = Random(seed: 2)
        let tokens = (0..<1000).map { _ in DeviceToken(using: &generator).spread & 63 }
        let names = (0..<1000).map { _ in FCMTokens.make(for: .ios, using: &generator).spread & 63 }
        let ids = (0..<1000).map { DeviceID("crowd-\($0)").spread & 63 }
        for parts in [tokens, names, ids] { #expect(Set(parts).count >= 40) }
    }
}
