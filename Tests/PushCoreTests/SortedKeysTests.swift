import PushCore
import TestSupport
import Testing

@Suite struct SortedKeysTests {
    @Test(arguments: [1, 2, 3] as [UInt64])
    func `the keys are the same as those of a sorted array, after any additions and removals`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var (keys, model) = (SortedKeys<Int>(), [Int]())
        for _ in 0..<6000 {
            let key = Int.random(in: 0..<4000, using: &random)
            if let index = model.firstIndex(of: key) {
                model.remove(at: index)
                keys.remove(key)
            } else {
                model.append(key)
                keys.insert(key)
            }
        }
        model.sort()
        #expect(keys.count == model.count)
        #expect(keys.all == model)
        for start in [0, 1, 511, 512, 513, 1000, model.count - 1, model.count, model.count + 1] {
            #expect(keys.keys(from: start, atMost: 700) == Array(model.dropFirst(start).prefix(700)))
        }
        keys.removeAll(from: 2000)
        model.removeAll { $0 >= 2000 }
        #expect(keys.all == model && keys.count == model.count)
        for key in model.prefix(700) { #expect(keys.popFirst() == key) }
        for key in model.dropFirst(700) { keys.remove(key) }
        #expect(keys.count == 0 && keys.all.isEmpty)
    }

    @Test func `a key that is missing is not removed`() {
        var keys = SortedKeys<Int>()
        keys.remove(1)
        keys.insert(2)
        keys.remove(1)
        keys.remove(3)
        #expect(keys.count == 1 && keys.all == [2])
    }
}
