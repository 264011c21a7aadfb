internal import CNghttp2
package import HTTPCore

/// What the server is waiting for, and ending what takes too long.
extension HTTP2Server {
    /// Resets the streams on which the peer has neither sent nor received data since `time`.
    package func resetStalled(since time: UInt64) {
        for id in state.streams.stalled(since: time) { state.reset(id, .cancel) }
    }

    /// Resets the streams whose bodies arrive too slowly, and those whose answers are taken too slowly.
    ///
    /// - Parameter answerGrace: milliseconds that an answer may take before its rate counts.
    package func resetSlow(at now: UInt64, answerGrace: UInt64) {
        for id in state.streams.slow(at: now, answerGrace: answerGrace) { state.reset(id, .cancel) }
    }

    /// The client may send the preface from now on.
    package func opened(at now: UInt64) { (state.now, state.frameBegan) = (now, now) }

    /// Whether the client needs more than `limit` milliseconds for the preface, a frame other than DATA, or a header
    /// block.
    package func isFrameLate(at now: UInt64, after limit: UInt64) -> Bool {
        let isIncomplete = scanner.isInside && !state.isReadingData || state.isInHeaderBlock
        return isIncomplete && now - min(now, state.frameBegan) > limit
    }

    /// The number of open streams.
    package var openStreams: Int { state.streams.count }
    /// Some stream can only continue after the peer sends or receives data.
    package var isWaitingForPeer: Bool { !state.streams.stalled(since: .max).isEmpty }
    /// Some answer has not been sent completely, or is a stream that has not been finished.
    package var hasUnsent: Bool { state.streams.hasUnsent }
    /// The newest stream that the client has opened.
    package var lastStream: StreamID { unsafe nghttp2_session_get_last_proc_stream_id(session) }
}
