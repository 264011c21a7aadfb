import HTTP2
import Testing

@testable import HTTP2

@Suite struct LimitTests {
    @Test func `a budget is spent and comes back with time`() {
        var budget = Budget(capacity: 2, perSecond: 10)
        #expect([0, 0, 50, 200].map { budget.spend(at: $0) } == [true, true, false, true])
    }

    @Test(arguments: [
        ([1, 3, 5], [false, false, false]), ([5, 3], [false, true]), ([5, 5], [false, false]),
        ([1, 9, 3, 9], [false, false, true, false]), ([3, 1], [false, true]),
    ] as [([Int32], [Bool])])
    func `an id that was passed over can't be used later`(ids: [Int32], misuses: [Bool]) {
        var skipped = SkippedIDs()
        #expect(ids.map { skipped.isMisuse(of: $0) } == misuses)
    }
}
