internal import CNghttp2
package import HTTPCore

/// The server's side of one HTTP/2 connection: bytes in, events out; answers in, bytes out.
///
/// Owns an `nghttp2_session` and the state that its callbacks work on. The server enforces the stream limit itself:
/// nghttp2 gets a high limit, and the real one is written over it in the SETTINGS frame.
@safe package final class HTTP2Server {
    let session: OpaquePointer
    var settings: HTTP2Settings
    private let statePointer: UnsafeMutablePointer<ServerState>
    /// The real stream limits for the SETTINGS frames that nghttp2 has queued.
    var unsentLimits: [UInt32] = []
    /// A stream limit to advertise when the peer has acknowledged an earlier one.
    var deferredLimit: UInt32?
    var scanner = FrameScanner()
    /// A HEADERS frame in which `HeaderLiteralCache` has replaced repeated values. Kept to reuse its memory, unless it is
    /// large.
    private var rewrittenFrame: [UInt8] = []
    private static let rewrittenFrameCapacity = 2048
    /// The size of the largest allowed frame. A larger one is an error that nghttp2 has to find, so it is not
    /// rewritten.
    private var largestFrame: Int { Int(settings.maxFrameSize) + RawFrame.headerSize }
    /// The session's memory. It must outlive the session.
    private let pool: NGHTTP2Allocator

    /// The stream limit that nghttp2 gets. nghttp2 enforces it by ending the connection, so it must never be reached:
    /// it exceeds `HTTP2Limits.openStreams` by more than the number of HEADERS frames that fit into one slice.
    static let nghttp2StreamLimit: UInt32 = 2304
    /// A call to `receive` stops after this many bytes, at the end of a frame or of the input. A few requests at a time
    /// reuse memory that is still in the CPU's cache. A slice must also stay small because nghttp2 ends a connection
    /// with more than 1,000 unsent acknowledgements.
    static let sliceSize = 2048

    /// Must not be used while nghttp2 runs, because its callbacks use it then.
    var state: ServerState {
        _read { yield unsafe statePointer.pointee }
        _modify { yield unsafe &statePointer.pointee }
    }

    /// - Parameters:
    ///   - budget: limits the bytes of request bodies and answers that all connections together may hold.
    ///   - plan: chooses a request's service and body limit by its fields. It runs in a callback, so it must not use
    ///     this server.
    package init(
        settings: HTTP2Settings, limits: HTTP2Limits = HTTP2Limits(), budget: BodyBudget = BodyBudget(64 << 20),
        pool: NGHTTP2Allocator = NGHTTP2Allocator(),
        plan: @escaping (HeaderBlock) -> RequestPlan
    ) {
        precondition(limits.openStreams + Self.sliceSize / 9 < Self.nghttp2StreamLimit, "\(limits.openStreams) streams")
        self.settings = settings
        self.pool = pool
        unsafe session = Callbacks.makeServerSession(pool: pool)
        unsafe statePointer = .allocate(capacity: 1)
        unsafe statePointer.initialize(
            to: ServerState(session: session, settings: settings, limits: limits, budget: budget, plan: plan))
        unsafe nghttp2_session_set_user_data(session, statePointer)
        advertise(maxConcurrentStreams: settings.maxConcurrentStreams)
    }

    deinit {
        unsafe nghttp2_session_del(session)
        unsafe statePointer.deinitialize(count: 1)
        unsafe statePointer.deallocate()
    }

    /// The maximum number of unacknowledged SETTINGS frames. nghttp2 steps through all of them for each new one.
    static let maximumUnacknowledged = 8

    /// Reads a slice of bytes from the wire and moves `offset` past it. Then take the events with `nextEvent()` and
    /// call `drain` before the next call. Slices are small so that a client cannot queue up much output at once.
    package func receive(
        _ bytes: Span<UInt8>, from offset: inout Int, at milliseconds: UInt64
    ) throws(HTTP2Failure) {
        state.now = milliseconds
        if !scanner.isInside, !state.isInHeaderBlock { (state.frameBegan, state.isReadingData) = (milliseconds, false) }
        endIfLimitViolated()
        let end = min(offset + Self.sliceSize, bytes.count)
        while offset < end, state.limitViolation == nil {
            let (count, head) = scanner.next(bytes, from: offset)
            if let head { state.frameBegan(head) }
            let frame = bytes.extracting(offset..<(offset + count))
            offset += count
            if let head, head.isWhole, head.isHeaders, count <= largestFrame,
                state.literalCache.replaceLiterals(in: frame, into: &rewrittenFrame)
            {
                let rewritten = rewrittenFrame
                if rewritten.capacity > Self.rewrittenFrameCapacity { rewrittenFrame = [] }
                try receive(rewritten.span)
            } else {
                try receive(frame)
            }
        }
    }

    /// Passes a part of one frame to nghttp2.
    private func receive(_ frame: Span<UInt8>) throws(HTTP2Failure) {
        state.beginCall()
        let taken = unsafe frame.withUnsafeBufferPointer { bytes in
            unsafe nghttp2_session_mem_recv(session, bytes.baseAddress, bytes.count)
        }
        state.endCall()
        if !endIfLimitViolated(), taken < 0 {
            throw HTTP2Failure(
                code: Int32(taken), description: unsafe String(cString: nghttp2_strerror(Int32(taken))),
                isBadPreface: taken == Int(NGHTTP2_ERR_BAD_CLIENT_MAGIC.rawValue))
        }
    }

    /// Ends the connection if the client has exceeded a limit since the last call. nghttp2 ignores all later input.
    @discardableResult private func endIfLimitViolated() -> Bool {
        guard let limitViolation = state.limitViolation else { return false }
        state.limitViolation = nil
        endForAbuse(limitViolation)
        return true
    }

    /// Removes and returns the next event; nil if there are no more.
    package func nextEvent() -> HTTP2Event? { state.events.next() }

    package var hasEvents: Bool { !state.events.isEmpty }

    /// Sets the current time. Call it before `drain` and `respond` if time has passed since `receive`.
    package func setTime(_ milliseconds: UInt64) { state.now = milliseconds }

    /// Appends the bytes to send until `output` has at least `limit` bytes. The rest is left for the next call.
    package func drain(into output: inout [UInt8], upTo limit: Int) {
        while output.count < limit {
            var chunk: UnsafePointer<UInt8>?
            state.beginCall()
            let count = unsafe nghttp2_session_mem_send(session, &chunk)
            state.endCall()
            guard count > 0, let start = unsafe chunk else { return }
            let bytes = unsafe UnsafeBufferPointer(start: start, count: count)
            if unsafe bytes[3] == UInt8(NGHTTP2_HEADERS.rawValue) {
                let frame = output.count
                unsafe output.append(contentsOf: UnsafeBufferPointer(start: start, count: RawFrame.headerSize))
                state.encodeOutgoingHead(into: &output)
                RawFrame.endBlock(of: &output, from: frame)
                continue
            }
            let frame = output.count
            unsafe output.append(contentsOf: bytes)
            if unsafe bytes[3] == UInt8(NGHTTP2_SETTINGS.rawValue), unsafe bytes[4] == 0 {
                writeLimit(over: &output, at: frame)
            }
        }
    }

    /// Whether there is output that the peer's windows allow.
    package var wantsToWrite: Bool { unsafe nghttp2_session_want_write(session) != 0 }

    /// Nothing more will be read or written. Close the connection after its output has been sent.
    package var isFinished: Bool {
        unsafe nghttp2_session_want_read(session) == 0 && nghttp2_session_want_write(session) == 0
    }
}

@available(*, unavailable) extension HTTP2Server: Sendable {}
