internal import PushCore

/// A Live Activity of an app (facts/device.md §2.3(14), documented). There is one of each type of attributes: ours.
struct LiveActivity: Sendable {
    /// Of the newest event.
    var timestamp: Int64
    var isOver = false
    /// When what it shows is out of date; nil where that was told, or does not come.
    var stale: Timestamp?
    /// When it leaves the screen, where it has ended and is still there.
    var dismissal: Timestamp?
    /// What its own pushes are sent to; nil once it has ended.
    var token: DeviceToken?

    /// How long it stays after its end where nothing else is said.
    static let stay: Int64 = 4 * 3_600_000

    init(timestamp: Int64) { self.timestamp = timestamp }
}
