import PushCore
import Testing

@testable import Faults

/// How the delays of a fault are distributed, and their bounds.
@Suite struct FaultDelayTests {
    private static let count = 400

    /// The delays of pushes under one fault with this seed.
    private func delays(_ delay: String, seed: UInt64) throws -> [Int] {
        let fixture = FaultFixture()
        try fixture.fault(#"{"effect":{"delay":\#(delay)}}"#, seed: seed)
        return try (0..<Self.count).map { _ in
            fixture.push()
            return Int(try #require(fixture.book.faults.first).plan.delay)
        }
    }

    @Test func `uniform delays fill their bounds evenly`() throws {
        let found = try delays(#"{"uniform":["1s","3s"]}"#, seed: 1)
        for part in 0..<8 {
            let bounds = (1000 + 250 * part)..<(1250 + 250 * part)
            let share = found.count { bounds.contains($0) }
            #expect((Self.count / 16...3 * Self.count / 16).contains(share), "\(bounds): \(share)")
        }
    }

    /// A saved fault may have a longer one: only new faults are refused (`FaultMistakeTests`).
    @Test func `no delay is longer than 30 days`() {
        var random = Random(seed: 3)
        let month: UInt64 = 720 * 3_600_000
        for delay in [.fixed(.max), .uniform(month + 1, .max), .logNormal(median: .max, sigma: 0)]
            as [FaultEffect.Delay]
        {
            let milliseconds = delay.milliseconds(using: &random)
            #expect(milliseconds == month)
        }
    }

    /// The share of log-normal delays below the median times e^(-2 sigma), e^(-sigma), 1, e^sigma and e^(2 sigma). Sigma
    /// is one half if the fault does not name it.
    @Test(arguments: [
        (#"{"median":"1s"}"#, [368, 607, 1000, 1649, 2718]),
        (#"{"median":"1s","sigma":1}"#, [135, 368, 1000, 2718, 7389]),
    ]) func `log-normal delays have their median and spread`(delay: String, marks: [Int]) throws {
        let found = try delays(delay, seed: 2)
        for (mark, share) in zip(marks, [0.023, 0.159, 0.5, 0.841, 0.977]) {
            let below = Double(found.count { $0 <= mark }) / Double(Self.count)
            #expect(abs(below - share) < 0.06, "\(mark): \(below)")
        }
    }

    @Test func `the same seed gives the same delays, another one others`() throws {
        let delay = #"{"uniform":["0s","10s"]}"#
        let first = try delays(delay, seed: 7)
        #expect(try delays(delay, seed: 7) == first)
        #expect(try delays(delay, seed: 8) != first)
    }

    @Test func `delays are drawn within their bounds`() throws {
        for (text, range) in [
            (#"{"uniform":["1s","3s"]}"#, 1000...3000), (#"{"median":"1s","sigma":0}"#, 1000...1000),
            (#""250ms""#, 250...250),
        ] {
            let fixture = FaultFixture()
            try fixture.fault(#"{"effect":{"delay":\#(text)}}"#)
            var delays: Set<UInt64> = []
            for _ in 0..<50 {
                fixture.push()
                let fault = try #require(fixture.book.faults.first)
                #expect(range.contains(Int(fault.plan.delay)))
                delays.insert(fault.plan.delay)
            }
            #expect((delays.count > 10) == (range.count > 1))
        }
    }
}
