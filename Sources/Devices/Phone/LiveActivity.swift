internal import PushCore

/// A Live Activity of an app (docs/evidence/device.md §2.3(14), documented). There is at most one for each attributes
/// type (ours).
struct LiveActivity: Sendable {
    /// The timestamp of the newest event.
    var timestamp: Int64
    var hasEnded = false
    /// When its content becomes stale. Nil without a date, and after the date was reported.
    var staleDate: Timestamp?
    /// When an ended activity leaves the screen. Nil before its end, and after it has left.
    var dismissalDate: Timestamp?
    /// The token for pushes to this activity; nil after it has ended.
    var token: DeviceToken?

    /// The milliseconds that it stays on the screen after its end: both the maximum and the default.
    static let stayAfterEnd: Int64 = 4 * 3_600_000

    /// The latest stale or dismissal date, in milliseconds. Later ones in payloads become this one.
    static let latestDate: Int64 = (1 << 40) * 1000

    init(timestamp: Int64) { self.timestamp = timestamp }
}
