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

    /// The system's time in milliseconds.
    private let readSystemTime: @Sendable () -> Int64

    /// The system's time, for comparisons with times from outside the gateway. It goes on while this clock is frozen.
    var systemTime: Timestamp { isFrozen ? Timestamp(milliseconds: readSystemTime()) : now + -offset }

    package static var system: Clock { Clock { EventLoop.wallClock } }

    /// A clock that only a test moves. For it, the system's time is always `start`.
    package static func manual(at start: Timestamp) -> Clock {
        var clock = Clock { start.milliseconds }
        clock.freeze()
        return clock
    }

    init(_ readSystemTime: @escaping @Sendable () -> Int64) {
        self.readSystemTime = readSystemTime
        now = Timestamp(milliseconds: readSystemTime())
        isFrozen = false
    }

    /// Reads the system time again, unless the clock is frozen.
    package mutating func tick() {
        if !isFrozen { now = Timestamp(milliseconds: readSystemTime() + offset) }
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

    /// Applies a saved setting to a new clock. False if the result cannot be represented.
    ///
    /// The control API accepts only times in `Timestamp.range`. The limit here is larger, because a clock that is near
    /// the end of that range goes on while the gateway is down.
    mutating func restore(_ setting: ClockSetting) -> Bool {
        switch setting {
        case .ahead(let milliseconds): advance(by: milliseconds)
        case .frozen(let moment):
            set(to: moment)
            freeze()
        }
        return Timestamp.representable.contains(now.milliseconds)
    }

    /// Runs again from the current time, at the speed of the system clock.
    mutating func resume() {
        guard isFrozen else { return }
        isFrozen = false
        offset = now.milliseconds - readSystemTime()
    }
}
