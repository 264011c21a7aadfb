/// Limits how long one turn of the loop may take, so that no connection and no query holds up the others.
///
/// First the sockets are read, for the time `share`. Then each kind of waiting work gets a third of that. What does not
/// fit waits for the next turn. A unit of work that has begun is always finished, so a turn may take a little longer.
package final class Turn {
    /// Nanoseconds of monotonic time. The default stands still: without a loop, no turn is ever over.
    package var readTime: () -> UInt64 = { 0 }
    /// When the turn began; nil before its first callback. The time in which the loop waits does not count.
    private var began: UInt64?
    private var deadline: UInt64 = 0
    /// The longest turn so far, in nanoseconds.
    package private(set) var longest: UInt64 = 0
    /// How many turns took over 10 ms.
    package private(set) var long = 0
    /// What all turns took together, in nanoseconds.
    package private(set) var total: UInt64 = 0

    /// Nanoseconds for which sockets are read in one turn. Each kind of waiting work gets a third of that.
    let share: UInt64
    /// The time at the last look. `received` and `continueInput` of a connection are called right after a look.
    private(set) var lastLook: UInt64 = 0

    init(milliseconds: UInt64) { share = min(milliseconds, 1 << 30) * 1_000_000 }

    /// Begins the turn unless it has begun. The loop calls this before the first callback of a turn, so that the time
    /// of that callback is measured too.
    package func begin() {
        if began == nil { begin(at: look()) }
    }

    /// Whether the time for reading sockets, or for the current kind of waiting work, is up. The first call begins the
    /// turn.
    package var isOver: Bool {
        let now = look()
        guard began != nil else {
            begin(at: now)
            return false
        }
        return now >= deadline
    }

    /// Looks at the time.
    @discardableResult func look() -> UInt64 {
        lastLook = readTime()
        return lastLook
    }

    /// Begins the time for one kind of waiting work.
    func beginWork() {
        let now = look()
        if began == nil { begin(at: now) }
        deadline = now + share / 3
    }

    /// The loop is about to wait for input.
    package func end() {
        guard let began else { return }
        let time = readTime() - began
        longest = max(longest, time)
        if time > 10_000_000 { long += 1 }
        total &+= time
        self.began = nil
    }

    private func begin(at now: UInt64) {
        began = now
        deadline = now + share
    }
}

@available(*, unavailable) extension Turn: Sendable {}
