internal import EventLoop
package import PushCore

/// The gateway's time: the system's, or one that stands still until it is moved.
package struct Clock: Sendable {
    /// Read once for all that happens in one go.
    package private(set) var now: Timestamp
    private let isManual: Bool

    package static var system: Clock {
        Clock(now: Timestamp(milliseconds: EventLoop.wallClock), isManual: false)
    }

    package static func manual(at start: Timestamp) -> Clock { Clock(now: start, isManual: true) }

    private init(now: Timestamp, isManual: Bool) {
        self.now = now
        self.isManual = isManual
    }

    /// Something new happens: the system's time is read again.
    package mutating func tick() {
        if !isManual { now = Timestamp(milliseconds: EventLoop.wallClock) }
    }

    /// Moves a manual clock on; the system's is not ours to move.
    package mutating func advance(by milliseconds: Int64) {
        if isManual { now = now + milliseconds }
    }
}
