import HTTPCore
import PushCore
import Testing

@testable import APNs

/// Values of `apns-expiration` that no sender means.
@Suite struct ExpirationTests {
    /// The value and its finding. The sample's time is 1,800,000,000 s.
    static let values: [(value: String, finding: String?)] = [
        ("0", nil), ("1", "apns.expiration-lifetime"), ("3600", "apns.expiration-lifetime"),
        ("86400000", "apns.expiration-lifetime"), ("99999999", "apns.expiration-lifetime"),
        ("100000000", "apns.expiration-past"), ("1799999999", "apns.expiration-past"),
        ("1800000000", "apns.expiration-past"), ("1800000001", nil), ("1802592001", nil), ("99999999999", nil),
        ("100000000000", "apns.expiration-milliseconds"), ("1800003600000", "apns.expiration-milliseconds"),
        ("9999999999999999999", "apns.expiration-milliseconds"),
    ]

    @Test(arguments: values) func `a value that can't be meant is accepted with a finding`(
        row: (value: String, finding: String?)
    ) {
        let verdict = PushSample { $0.more = [("apns-expiration", row.value)] }.verdict()
        #expect(verdict.refusal == nil)
        #expect(verdict.findings == (row.finding.map { [$0] } ?? []))
    }

    @Test func `the finding names the value, what happens and what to do`() throws {
        let mistake = try #require(ExpirationMistake(3600, at: PushSample.now))
        let finding = mistake.finding(3600)
        #expect(finding.path == "headers/apns-expiration" && finding.severity == .warning)
        #expect(
            finding.message
                == "apns-expiration 3600 is before the year 1974, so it looks like a time to live. The push has expired: a device gets it only if it is reachable now."
        )
    }

    @Test func `a clock before 1970 finds no value in the past`() {
        #expect(ExpirationMistake(1_800_000_000, at: Timestamp(milliseconds: -5)) == nil)
    }
}
