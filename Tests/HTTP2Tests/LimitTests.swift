import HTTP2
import HTTPCore
import Testing

@testable import HTTP2

@Suite struct LimitTests {
    @Test func `a budget is used up and is refilled over time`() {
        var budget = TokenBucket(capacity: 2, perSecond: 10)
        #expect([0, 0, 50, 200].map { budget.spend(at: $0) } == [true, true, false, true])
    }

    @Test(
        arguments: [
            ([1, 3, 5], [nil, nil, nil]), ([5, 3], [nil, .skipped]), ([5, 5], [nil, .closed]),
            ([1, 9, 3, 9], [nil, nil, .skipped, .closed]), ([3, 1], [nil, .skipped]), ([2, 2], [nil, nil]),
        ] as [([Int32], [ClosedStreamTracker.Misuse?])])
    func `an id that was skipped or closed cannot be used later`(ids: [Int32], misuses: [ClosedStreamTracker.Misuse?]) {
        var tracker = ClosedStreamTracker()
        #expect(ids.map { tracker.frameBegan(on: $0, isHeaders: true, isOpen: false) } == misuses)
    }

    @Test func `a preface is late if it is not complete in time after the server was opened`() {
        let server = HTTP2Server(settings: HTTP2Settings()) { _ in RequestPlan(route: RouteTag(0), bodyLimit: 0) }
        server.opened(at: 1_000_000)
        #expect(!server.isFrameLate(at: 1_010_000, after: 10_000))
        #expect(server.isFrameLate(at: 1_010_001, after: 10_000))
    }

    @Test func `64 ranges of skipped ids are remembered, the latest ones`() {
        var tracker = ClosedStreamTracker()
        let opened = (0...64).map { Int32(4 * $0 + 3) }
        for id in opened { #expect(tracker.frameBegan(on: id, isHeaders: true, isOpen: false) == nil) }
        let misuses = opened.map { tracker.frameBegan(on: $0 - 2, isHeaders: true, isOpen: false) }
        #expect(misuses == [.closed] + Array(repeating: .skipped, count: 64))
    }

    @Test func `frames on streams above the last one of a GOAWAY are ignored`() {
        var tracker = ClosedStreamTracker()
        #expect(tracker.frameBegan(on: 1, isHeaders: true, isOpen: false) == nil)
        tracker.lastServed = 1
        #expect(tracker.frameBegan(on: 3, isHeaders: true, isOpen: false) == nil)
        #expect(tracker.frameBegan(on: 3, isHeaders: false, isOpen: false) == nil)
        #expect(tracker.frameBegan(on: 1, isHeaders: false, isOpen: false) == .closed)
    }

    @Test func `late frames on streams that the server ended are allowed, however many there were`() {
        var tracker = ClosedStreamTracker()
        for id in stride(from: Int32(1), to: 20_001, by: 2) {
            #expect(tracker.frameBegan(on: id, isHeaders: true, isOpen: false) == nil)
            tracker.streamEndedEarly(id)
        }
        for id in stride(from: Int32(1), to: 20_001, by: 2) {
            #expect(tracker.frameBegan(on: id, isHeaders: false, isOpen: false) == nil)
        }
        #expect(tracker.frameBegan(on: 20_001, isHeaders: true, isOpen: false) == nil)
        #expect(tracker.frameBegan(on: 20_001, isHeaders: false, isOpen: true) == nil)
        #expect(tracker.frameBegan(on: 20_001, isHeaders: false, isOpen: false) == .closed)
    }
}
