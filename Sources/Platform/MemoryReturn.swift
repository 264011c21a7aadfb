/// Decides when freed memory is given back to the system.
///
/// Giving it back takes some milliseconds, so the gateway does it only after a busy time. It does so several times,
/// because clients may keep their connections open for a while. A connection that times out takes little work but may
/// free much memory, so that counts as a busy time too.
package struct MemoryReturn {
    /// Loop time of the last check, and the total time of work until then.
    private var checked: UInt64 = 0
    private var workBefore: UInt64 = 0
    private var freeBefore = Int.max
    /// How many times memory will still be given back after the last busy time.
    private var left = 0

    /// How many times memory is given back after each busy time.
    private static let returns = 4

    /// Milliseconds between two checks.
    private static let interval: UInt64 = 2000
    /// Nanoseconds of work in an interval that count as busy: a hundredth of the time.
    private static let busyTime: UInt64 = 20_000_000
    /// Bytes freed in an interval that count as busy.
    private static let muchMemory = 1 << 20

    package init() {}

    /// Whether to give memory back now.
    ///
    /// - Parameters:
    ///   - work: nanoseconds that all turns have taken so far.
    ///   - free: the bytes of the budget for bodies and answers that no connection has reserved.
    package mutating func isDue(at now: UInt64, work: UInt64, free: Int) -> Bool {
        guard now - min(now, checked) >= Self.interval else { return false }
        let hasFreed = free > freeBefore && free &- freeBefore > Self.muchMemory
        let isBusy = work - workBefore > Self.busyTime || hasFreed
        (checked, workBefore, freeBefore) = (now, work, free)
        if isBusy {
            left = Self.returns
            return false
        }
        guard left > 0 else { return false }
        left -= 1
        return true
    }
}
