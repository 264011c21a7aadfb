import Testing

@testable import Platform

@Suite struct MemoryReturnTests {
    @Test func `memory is given back four times after each busy time`() {
        var memory = MemoryReturn()
        var results: [Bool] = []
        var work: UInt64 = 0
        let busySeconds = [4, 6, 12]
        for second in stride(from: 2, through: 24, by: 2) {
            let isBusy = busySeconds.contains(second)
            if isBusy { work += 21_000_000 }
            results.append(memory.isDue(at: UInt64(second) * 1000, work: work, free: 0))
        }
        #expect(
            results == [false, false, false, true, true, false] + Array(repeating: true, count: 4) + [false, false])
    }

    @Test func `a check between two intervals does nothing`() {
        var memory = MemoryReturn()
        let first = memory.isDue(at: 2000, work: 21_000_000, free: 0)
        let early = memory.isDue(at: 3999, work: 21_000_000, free: 0)
        let due = memory.isDue(at: 4000, work: 21_000_000, free: 0)
        #expect(!first && !early && due)
    }

    @Test(arguments: [(1 << 20, false), (1 << 20 + 1, true)])
    func `memory that connections free while the gateway is idle is given back`(freed: Int, isDue: Bool) {
        var memory = MemoryReturn()
        let results = [(2000, 1000), (4000, 1000 + freed), (6000, 1000)].map { time, free in
            memory.isDue(at: UInt64(time), work: 0, free: free)
        }
        #expect(results == [false, false, isDue])
    }
}
