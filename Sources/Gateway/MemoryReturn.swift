/// Decides when freed memory is given back to the system: once after each busy time, because it takes some milliseconds.
struct MemoryReturn {
    /// Loop time of the last check, and the total time of work until then.
    private var checked: UInt64 = 0
    private var workBefore: UInt64 = 0
    /// Whether the gateway was busy since memory was given back.
    private var wasBusy = false

    /// Milliseconds between two checks.
    private static let interval: UInt64 = 2000
    /// Nanoseconds of work in an interval that count as busy: a hundredth of the time.
    private static let busyTime: UInt64 = 20_000_000

    /// Whether to give memory back now.
    ///
    /// - Parameter work: nanoseconds that all turns have taken so far.
    mutating func isDue(at now: UInt64, work: UInt64) -> Bool {
        guard now - min(now, checked) >= Self.interval else { return false }
        let isBusy = work - workBefore > Self.busyTime
        (checked, workBefore) = (now, work)
        defer { wasBusy = isBusy }
        return wasBusy && !isBusy
    }
}
