import PushCore
import Testing

@testable import FCM

/// Google's quotas for projects and devices.
@Suite struct FCMQuotasTests {
    static let start = Timestamp(milliseconds: 1_000_000)

    @Test func `a device gets 240 messages per minute, and the quota refills gradually`() {
        var quotas = FCMQuotas()
        func take(_ slot: Int, _ passed: Int64) -> Bool { quotas.take(for: slot, at: Self.start + passed) }
        for _ in 0..<240 { #expect(take(1, 0)) }
        let later = [take(1, 0), take(2, 0), take(1, 200), take(1, 300), take(1, 300)]
        #expect(later == [false, true, false, true, false])
    }

    @Test func `a device gets 5,000 messages per hour`() {
        var (quotas, taken) = (FCMQuotas(), 0)
        for second in 0..<3600 {
            for _ in 0..<4 where quotas.take(for: 1, at: Self.start + Int64(second) * 1000) { taken += 1 }
        }
        // The bucket of 5,000 drains during the hour, so at most twice as many fit in.
        #expect(5_000...10_000 ~= taken)
        let last = quotas.take(for: 1, at: Self.start + 3_599_000)
        #expect(!last)
    }

    @Test func `a project can send 600,000 requests per minute`() {
        var (quotas, taken) = (FCMQuotas(), 0)
        for _ in 0..<700_000 where quotas.take(from: "p", at: Self.start) { taken += 1 }
        #expect(taken == 600_000)
        let others = [quotas.take(from: "q", at: Self.start), quotas.take(from: "p", at: Self.start + 1)]
        #expect(others == [true, true])
    }

    @Test func `a clock that goes backwards does not refill a quota`() {
        var quotas = FCMQuotas()
        for _ in 0..<240 { _ = quotas.take(for: 1, at: Self.start) }
        let back = quotas.take(for: 1, at: Self.start + -500_000)
        #expect(!back)
    }
}

extension FCMQuotasTests {
    @Test func `20 collapsible messages go at once, then one every three minutes`() {
        var quotas = FCMQuotas()
        var waits: [Int64?] = []
        for _ in 0..<21 {
            waits.append(
                quotas.takeCollapsible(for: 1, at: Self.start).map { $0.milliseconds - Self.start.milliseconds })
        }
        #expect(waits == Array(repeating: nil, count: 20) + [180_000])
        let later = [
            quotas.takeCollapsible(for: 1, at: Self.start + 180_000),
            quotas.takeCollapsible(for: 1, at: Self.start + 180_000),
            quotas.takeCollapsible(for: 2, at: Self.start),
        ]
        #expect(later == [nil, Self.start + 360_000, nil])
    }

    @Test func `a device that takes over an index starts with empty quotas`() {
        var quotas = FCMQuotas()
        for _ in 0..<240 { _ = quotas.take(for: 1, at: Self.start) }
        for _ in 0..<20 { _ = quotas.takeCollapsible(for: 1, at: Self.start) }
        let before = (quotas.take(for: 1, at: Self.start), quotas.takeCollapsible(for: 1, at: Self.start) == nil)
        quotas.forget(1)
        let after = (quotas.take(for: 1, at: Self.start), quotas.takeCollapsible(for: 1, at: Self.start) == nil)
        #expect(before == (false, false))
        #expect(after == (true, true))
    }

    @Test func `a project can change 3,000 topics per second`() {
        var (quotas, taken) = (FCMQuotas(), 0)
        for _ in 0..<4_000 where quotas.takeTopicChange(from: "p", at: Self.start) { taken += 1 }
        #expect(taken == 3_000)
    }
}
