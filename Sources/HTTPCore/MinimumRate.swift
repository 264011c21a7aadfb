/// The slowest that a peer may send a body or take an answer. All times are in milliseconds.
package enum MinimumRate {
    package static let bytesPerSecond: UInt64 = 500
    /// How long a body may take before its rate counts.
    package static let grace: UInt64 = 5000

    /// Whether a transfer that has moved `count` bytes since `began` is too slow.
    package static func isMissed(_ count: Int, since began: UInt64, at now: UInt64, grace: UInt64 = grace) -> Bool {
        let time = now - min(now, began)
        guard time > grace else { return false }
        return UInt64(max(0, count)) < (time - grace) / 1000 &* bytesPerSecond
    }
}
