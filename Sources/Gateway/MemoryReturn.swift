/// Decides when freed memory is given back to the system: some times after each busy time, because it takes some
/// milliseconds, and because clients may keep their connections open for a while.
struct MemoryReturn {
    /// Loop time of the last check, and the total time of work until then.
    private var checked: UInt64 = 0
    private var workBefore: UInt64 = 0
    /// How often memory is still given back.
    private var left = 0

    /// How often memory is given back after a busy time.
    private static let returns = 4

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
        if isBusy {
            left = Self.returns
            return false
        }
        guard left > 0 else { return false }
        left -= 1
        return true
    }
}
