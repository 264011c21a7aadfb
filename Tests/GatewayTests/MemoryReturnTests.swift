import Testing

@testable import Gateway

@Suite struct MemoryReturnTests {
    @Test func `memory is given back once after each busy time`() {
        var memory = MemoryReturn()
        var results: [Bool] = []
        var work: UInt64 = 0
        for (second, isBusy) in [(2, false), (4, true), (6, true), (8, false), (10, false), (12, true), (14, false)] {
            if isBusy { work += 21_000_000 }
            results.append(memory.isDue(at: UInt64(second) * 1000, work: work))
        }
        #expect(results == [false, false, false, true, false, false, true])
    }

    @Test func `a check between two intervals does nothing`() {
        var memory = MemoryReturn()
        let first = memory.isDue(at: 2000, work: 21_000_000)
        let early = memory.isDue(at: 3999, work: 21_000_000)
        let due = memory.isDue(at: 4000, work: 21_000_000)
        #expect(!first && !early && due)
    }
}
