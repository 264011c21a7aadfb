import PushCore
import Testing

@testable import FCM

/// Google's rates, where they are asked for.
@Suite struct FCMQuotasTests {
    static let start = Timestamp(milliseconds: 1_000_000)

    @Test func `a device gets 240 a minute, and a share of that as time passes`() {
        var quotas = FCMQuotas()
        for _ in 0..<240 { #expect(quotas.take(for: 1, at: Self.start)) }
        #expect(!quotas.take(for: 1, at: Self.start))
        #expect(quotas.take(for: 2, at: Self.start))
        #expect(!quotas.take(for: 1, at: Self.start + 200))
        #expect(quotas.take(for: 1, at: Self.start + 300))
        #expect(!quotas.take(for: 1, at: Self.start + 300))
    }

    @Test func `a device gets 5,000 an hour`() {
        var (quotas, taken) = (FCMQuotas(), 0)
        for second in 0..<3600 {
            for _ in 0..<4 where quotas.take(for: 1, at: Self.start + Int64(second) * 1000) { taken += 1 }
        }
        // A bucket of 5,000 that runs empty meanwhile: never more than twice as many.
        #expect(5_000...10_000 ~= taken)
        #expect(!quotas.take(for: 1, at: Self.start + 3_599_000))
    }

    @Test func `a project has 600,000 a minute`() {
        var (quotas, taken) = (FCMQuotas(), 0)
        for _ in 0..<700_000 where quotas.take(from: "p", at: Self.start) { taken += 1 }
        #expect(taken == 600_000)
        #expect(quotas.take(from: "q", at: Self.start))
        #expect(quotas.take(from: "p", at: Self.start + 1))
    }

    @Test func `a clock that goes back empties nothing`() {
        var quotas = FCMQuotas()
        for _ in 0..<240 { _ = quotas.take(for: 1, at: Self.start) }
        #expect(!quotas.take(for: 1, at: Self.start + -500_000))
    }
}
