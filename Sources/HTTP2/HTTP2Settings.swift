/// The five values a SETTINGS frame of ours always carries, in the order of their ids.
package struct HTTP2Settings: Sendable {
    package var headerTableSize: UInt32 = 4096
    package var maxConcurrentStreams: UInt32 = 1000
    package var initialWindowSize: UInt32 = 65_535
    package var maxFrameSize: UInt32 = 16_384
    /// Octets of a header list as RFC 9113 counts them: 32 more for each field.
    package var maxHeaderListSize: UInt32 = 8000

    /// A refused stream's body is answered STREAM_CLOSED, as Apple was seen to (facts/apns.md §1.4).
    package var saysClosedToSurplus = false

    package init() {}
}

/// What a peer may cost us before it is cut off.
package struct HTTP2Limits: Sendable {
    /// Streams served at once, whatever was advertised and not yet acknowledged.
    package var openStreams = 2048
    /// Bytes of an over-long body that are thrown away before the stream is reset.
    package var discardedBody = 1 << 20
    /// Bytes of unfinished bodies held for one connection.
    package var bufferedBodies = 64 << 20
    /// Bytes of answers that may wait for the peer's window, where it is more than one answer.
    package var unsentAnswers = 4 << 20
    /// RST_STREAM frames at once, and how many of them are forgiven a second.
    package var resets = Budget(capacity: 4000, perSecond: 200)
    /// PING, SETTINGS, PRIORITY and empty DATA frames at once, and how many are forgiven a second.
    package var idleFrames = Budget(capacity: 5000, perSecond: 500)

    package init() {}
}

/// A token bucket in the caller's time.
package struct Budget: Sendable {
    private let capacity: UInt64
    private let perSecond: UInt64
    private var left: UInt64
    private var refilled: UInt64 = 0

    package init(capacity: UInt64, perSecond: UInt64) {
        self.capacity = capacity
        self.perSecond = perSecond
        left = capacity
    }

    /// Takes one; false where nothing is left.
    package mutating func spend(at milliseconds: UInt64) -> Bool {
        let gained = (milliseconds &- refilled) * perSecond / 1000
        if gained > 0 {
            left = min(capacity, left + gained)
            refilled = milliseconds
        }
        guard left > 0 else { return false }
        left -= 1
        return true
    }
}
