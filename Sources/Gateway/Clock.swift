internal import EventLoop
package import PushCore
internal import PushEngine

/// The gateway's time: the system time plus an offset, or a frozen time.
package struct Clock: Sendable {
    /// The current time. It stays the same until the next `tick()`.
    package private(set) var now: Timestamp
    package private(set) var isFrozen: Bool
    /// How many milliseconds this clock is ahead of the system clock.
    private var offset: Int64 = 0

    /// The time without the offset, for comparisons with times from outside the gateway. This is the system's time,
    /// except that it stands still while the clock is frozen.
    var systemTime: Timestamp { now + -offset }

    package static var system: Clock {
        Clock(now: Timestamp(milliseconds: EventLoop.wallClock), isFrozen: false)
    }

    package static func manual(at start: Timestamp) -> Clock { Clock(now: start, isFrozen: true) }

    private init(now: Timestamp, isFrozen: Bool) {
        self.now = now
        self.isFrozen = isFrozen
    }

    /// Reads the system time again, unless the clock is frozen.
    package mutating func tick() {
        if !isFrozen { now = Timestamp(milliseconds: EventLoop.wallClock + offset) }
    }

    package mutating func advance(by milliseconds: Int64) {
        now = now + milliseconds
        offset += milliseconds
    }

    mutating func set(to moment: Timestamp) { advance(by: moment.milliseconds - now.milliseconds) }

    mutating func freeze() { isFrozen = true }

    /// How a test has changed this clock, as a sentence for the log; nil if none has.
    var changes: String? {
        guard offset != 0 else { return isFrozen ? "a test froze the gateway's clock" : nil }
        let distance = DurationText.readable(offset.magnitude)
        return "a test moved the gateway's clock \(distance) \(offset < 0 ? "back" : "ahead")"
            + (isFrozen ? " and froze it" : "")
    }

    /// How this clock differs from the system's; nil if it does not.
    var setting: ClockSetting? {
        isFrozen ? .frozen(at: now) : offset == 0 ? nil : .ahead(milliseconds: offset)
    }

    /// Applies a saved setting to a new clock. False if the result is outside `Timestamp.range`.
    mutating func restore(_ setting: ClockSetting) -> Bool {
        switch setting {
        case .ahead(let milliseconds): advance(by: milliseconds)
        case .frozen(let moment):
            set(to: moment)
            freeze()
        }
        return Timestamp.range.contains(now)
    }

    /// Runs again from the current time, at the speed of the system clock.
    mutating func resume() {
        guard isFrozen else { return }
        isFrozen = false
        offset = now.milliseconds - EventLoop.wallClock
    }
}
