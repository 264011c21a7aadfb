import HTTP2
import Testing

@testable import HTTP2

@Suite struct LimitTests {
    @Test func `a budget is spent and comes back with time`() {
        var budget = Budget(capacity: 2, perSecond: 10)
        #expect([0, 0, 50, 200].map { budget.spend(at: $0) } == [true, true, false, true])
    }

    @Test(
        arguments: [
            ([1, 3, 5], [nil, nil, nil]), ([5, 3], [nil, .passedOver]), ([5, 5], [nil, .closed]),
            ([1, 9, 3, 9], [nil, nil, .passedOver, .closed]), ([3, 1], [nil, .passedOver]), ([2, 2], [nil, nil]),
        ] as [([Int32], [StreamHistory.Misuse?])])
    func `an id that was passed over or closed can't be used later`(ids: [Int32], misuses: [StreamHistory.Misuse?]) {
        var history = StreamHistory()
        #expect(ids.map { history.began($0, isHeaders: true, isOpen: false) } == misuses)
    }

    @Test func `what comes above the last stream of a GOAWAY is passed over`() {
        var history = StreamHistory()
        #expect(history.began(1, isHeaders: true, isOpen: false) == nil)
        history.lastServed = 1
        #expect(history.began(3, isHeaders: true, isOpen: false) == nil)
        #expect(history.began(3, isHeaders: false, isOpen: false) == nil)
        #expect(history.began(1, isHeaders: false, isOpen: false) == .closed)
    }

    @Test func `what comes late on a stream that we ended is no misuse, however many there were`() {
        var history = StreamHistory()
        for id in stride(from: Int32(1), to: 20_001, by: 2) {
            #expect(history.began(id, isHeaders: true, isOpen: false) == nil)
            history.wasCut(id)
        }
        for id in stride(from: Int32(1), to: 20_001, by: 2) {
            #expect(history.began(id, isHeaders: false, isOpen: false) == nil)
        }
        #expect(history.began(20_001, isHeaders: true, isOpen: false) == nil)
        #expect(history.began(20_001, isHeaders: false, isOpen: true) == nil)
        #expect(history.began(20_001, isHeaders: false, isOpen: false) == .closed)
    }
}
