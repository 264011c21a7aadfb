internal import EventLoop
package import PushCore

/// The gateway's time: the system's, moved by as much as somebody asked for, or one that stands still.
package struct Clock: Sendable {
    /// Read once for all that happens in one go.
    package private(set) var now: Timestamp
    package private(set) var isFrozen: Bool
    /// Milliseconds that it is ahead of the system's.
    private var offset: Int64 = 0

    /// Where the time would be if nobody had moved it: what those who can't be moved with it go by.
    var unmoved: Timestamp { now + -offset }

    package static var system: Clock {
        Clock(now: Timestamp(milliseconds: EventLoop.wallClock), isFrozen: false)
    }

    package static func manual(at start: Timestamp) -> Clock { Clock(now: start, isFrozen: true) }

    private init(now: Timestamp, isFrozen: Bool) {
        self.now = now
        self.isFrozen = isFrozen
    }

    /// Something new happens: the system's time is read again.
    package mutating func tick() {
        if !isFrozen { now = Timestamp(milliseconds: EventLoop.wallClock + offset) }
    }

    package mutating func advance(by milliseconds: Int64) {
        now = now + milliseconds
        offset += milliseconds
    }

    mutating func set(to moment: Timestamp) { advance(by: moment.milliseconds - now.milliseconds) }

    mutating func freeze() { isFrozen = true }

    /// Goes on from where it stands, at the system's pace.
    mutating func resume() {
        guard isFrozen else { return }
        isFrozen = false
        offset = now.milliseconds - EventLoop.wallClock
    }
}
