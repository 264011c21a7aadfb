package import HTTPCore
package import PushCore

/// How an accepted push gets to its device.
extension APNsDraft {
    /// The longest that Apple keeps a push, and a broadcast (facts/apns.md §6 and §7.1, documented), in milliseconds.
    private static let longest: Int64 = 30 * 24 * 3_600_000
    static let longestBroadcast: Int64 = 8 * 3_600_000

    package func traits(_ headers: HeaderBlock, at now: Timestamp) -> PushTraits {
        PushTraits(
            priority: priority, expires: Self.expires(expiration, longest: Self.longest, at: now),
            isVisible: (kind == nil || kind == .alert) && !wakesApp,
            collapseID: fields.collapseID.map { Array(headers.storage[$0]) } ?? [])
    }

    /// Nil: never stored. A moment that is past stays past.
    static func expires(_ seconds: UInt64?, longest: Int64, at now: Timestamp) -> Timestamp? {
        let latest = now + longest
        guard let seconds else { return latest }
        if seconds == 0 { return nil }
        return min(
            latest,
            Timestamp(
                milliseconds: Int64(
                    clamping: seconds.multipliedReportingOverflow(by: 1000).overflow ? .max : seconds * 1000)))
    }
}
