/// The five values in every SETTINGS frame of the server, in the order of their ids.
package struct HTTP2Settings: Sendable {
    package var headerTableSize: UInt32 = 4096
    package var maxConcurrentStreams: UInt32 = 1000
    package var initialWindowSize: UInt32 = 65_535
    package var maxFrameSize: UInt32 = 16_384
    /// Bytes of a header list as RFC 9113 counts them, which adds 32 for each field.
    package var maxHeaderListSize: UInt32 = 8000

    /// If a stream is refused because too many are open, answer its body with STREAM_CLOSED, as Apple does
    /// (docs/evidence/apns.md §1.4).
    package var answersRefusedBodiesWithStreamClosed = false

    package init() {}
}

/// Limits on a peer. A stream or connection that exceeds one is ended.
package struct HTTP2Limits: Sendable {
    /// Streams that are open at the same time, even before the peer has acknowledged the advertised limit.
    package var openStreams = 2048
    /// Bytes of a body over its limit that are discarded before the stream is reset.
    package var discardedBody = 1 << 20
    /// Bytes of incomplete bodies that one connection may hold.
    package var bufferedBodies = 64 << 20
    /// Bytes of answers that may wait for the peer's window. A single answer may be larger.
    package var unsentAnswers = 4 << 20
    /// The list size of a header block at which its remaining fields are ignored and its stream is reset. References to
    /// HPACK's table can make a block of 16 KB expand to 60 MB.
    package var decodedHeaderList = 32_000
    /// RST_STREAM frames that a client may send in one burst, and how many more per second.
    package var resets = TokenBucket(capacity: 4000, perSecond: 200)
    /// The same for errors of the client for which the server resets a stream.
    package var provokedResets = TokenBucket(capacity: 500, perSecond: 50)
    /// The same for requests that the server refuses with a reset: too many streams are open, or bodies or answers are
    /// too large. There may be many, because a client may use its whole limit of streams before it learns of a lower one.
    package var refusals = TokenBucket(capacity: 4000, perSecond: 200)
    /// The same for frames that do not advance a request: PING, SETTINGS, PRIORITY, unknown types, and DATA of less than
    /// 16 bytes that does not end a body.
    package var idleFrames = TokenBucket(capacity: 5000, perSecond: 500)
    /// The same for WINDOW_UPDATE frames.
    package var windowUpdates = TokenBucket(capacity: 20_000, perSecond: 10_000)

    package init() {}
}

/// A token bucket. The caller provides the time.
package struct TokenBucket: Sendable {
    private let capacity: UInt64
    private let perSecond: UInt64
    private var left: UInt64
    private var refilled: UInt64 = 0

    package init(capacity: UInt64, perSecond: UInt64) {
        self.capacity = capacity
        self.perSecond = perSecond
        left = capacity
    }

    /// Takes one token; returns false if none is left.
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
