package import HTTPCore
package import PushCore

/// The delivery properties of an accepted push.
extension APNsDraft {
    /// The longest times in milliseconds for which Apple stores a push and a broadcast (docs/evidence/apns.md §6 and
    /// §7.1, documented).
    private static let maxLifetime: Int64 = 30 * 24 * 3_600_000
    static let maxBroadcastLifetime: Int64 = 8 * 3_600_000

    package func traits(_ headers: HeaderBlock, at now: Timestamp) -> PushTraits {
        PushTraits(
            sent: now, priority: priority, expires: Self.expires(expiration, longest: Self.maxLifetime, at: now),
            onlyShowsNotification: (kind == nil || kind == .alert) && !wakesApp,
            collapseID: fields[.collapseID].map { Array(headers.storage[$0]) } ?? [], kind: kind?.tokenKind)
    }

    /// When a push with this `apns-expiration` expires. Nil if it is never stored. A time in the past is returned
    /// unchanged.
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
