internal import CNghttp2
package import HTTPCore

/// The server's side of one HTTP/2 connection: bytes in, events out; answers in, bytes out.
///
/// Owns its `nghttp2_session` and the state that the session's callbacks work on. The stream limit is our own
/// business: nghttp2 is told a high one, and the number on the wire is written over it.
@safe package final class HTTP2Server {
    let session: OpaquePointer
    private(set) var settings: HTTP2Settings
    private let memory: UnsafeMutablePointer<ServerState>
    /// Stream limits of SETTINGS frames that have not yet left nghttp2.
    private var unsentLimits: [UInt32] = []
    /// Said as soon as the peer has acknowledged one of those that wait.
    private var wantedLimit: UInt32?
    private var scanner = FrameScanner()
    /// A HEADERS frame with words in it; kept for its memory.
    private var shortened: [UInt8] = []
    private static let shortenedKept = 2048
    /// Larger ones are an error, which nghttp2 has to see.
    private var largestFrame: Int { Int(settings.maxFrameSize) + RawFrame.headerSize }
    /// Outlives the session, whose memory it is.
    private let pool: NGHTTP2Allocator

    /// nghttp2 keeps to this itself, so it must never be reached: it lies above the streams we serve by as many
    /// HEADERS frames as one slice holds.
    static let nghttp2StreamLimit: UInt32 = 2304
    /// A few requests: their memory is given back while it is warm, and serves the next. And nghttp2 gives up on more
    /// than 1,000 acknowledgements that wait.
    static let sliceSize = 2048

    /// The state is never touched by us while nghttp2 runs: its callbacks have it then.
    var state: ServerState {
        _read { yield unsafe memory.pointee }
        _modify { yield unsafe &memory.pointee }
    }

    /// - Parameters:
    ///   - budget: what all connections together may hold of bodies.
    ///   - plan: what a request is, by its fields: a pure function.
    package init(
        settings: HTTP2Settings, limits: HTTP2Limits = HTTP2Limits(), budget: BodyBudget = BodyBudget(64 << 20),
        pool: NGHTTP2Allocator = NGHTTP2Allocator(),
        plan: @escaping (HeaderBlock) -> RequestPlan
    ) {
        precondition(limits.openStreams + Self.sliceSize / 9 < Self.nghttp2StreamLimit, "\(limits.openStreams) streams")
        self.settings = settings
        self.pool = pool
        unsafe session = Callbacks.makeServerSession(pool: pool)
        unsafe memory = .allocate(capacity: 1)
        unsafe memory.initialize(
            to: ServerState(session: session, settings: settings, limits: limits, budget: budget, plan: plan))
        unsafe nghttp2_session_set_user_data(session, memory)
        advertise(maxConcurrentStreams: settings.maxConcurrentStreams)
    }

    deinit {
        unsafe nghttp2_session_del(session)
        state.free()
        unsafe memory.deinitialize(count: 1)
        unsafe memory.deallocate()
    }

    /// SETTINGS frames that may wait for their ACK: nghttp2 walks through all of them for each new one.
    private static let unacknowledgedAtMost = 8

    /// Sends a SETTINGS frame with all five values and this stream limit. It counts from the peer's ACK. A peer that
    /// acknowledges none is told the newest limit later.
    package func advertise(maxConcurrentStreams limit: UInt32, window: UInt32? = nil) {
        wantedLimit = nil
        if let window { settings.initialWindowSize = window }
        guard state.unacknowledged.count < Self.unacknowledgedAtMost else {
            wantedLimit = limit
            return
        }
        func entry(_ id: nghttp2_settings_id, _ value: UInt32) -> nghttp2_settings_entry {
            nghttp2_settings_entry(settings_id: Int32(id.rawValue), value: value)
        }
        let entries = [
            entry(NGHTTP2_SETTINGS_HEADER_TABLE_SIZE, settings.headerTableSize),
            entry(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, Self.nghttp2StreamLimit),
            entry(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, settings.initialWindowSize),
            entry(NGHTTP2_SETTINGS_MAX_FRAME_SIZE, settings.maxFrameSize),
            entry(NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, settings.maxHeaderListSize),
        ]
        let code = unsafe nghttp2_submit_settings(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), entries, entries.count)
        precondition(code == 0, "SETTINGS refused by nghttp2: \(code)")
        unsentLimits.append(limit)
        state.unacknowledged.append(limit)
    }

    /// To be called for each `.settingsAcknowledged`.
    package func settingsWereAcknowledged() {
        if let wantedLimit { advertise(maxConcurrentStreams: wantedLimit) }
    }

    /// Takes the next bytes from the wire, from `offset` on, few enough that what they ask for stays little: what
    /// came of them is in `nextEvent()`. To be drained before the next call.
    package func receive(
        _ bytes: Span<UInt8>, from offset: inout Int, at milliseconds: UInt64
    ) throws(HTTP2Failure) {
        state.now = milliseconds
        let end = min(offset + Self.sliceSize, bytes.count)
        while offset < end, state.excess == nil {
            let (count, head) = scanner.next(bytes, from: offset)
            if let head { state.frameBegan(head) }
            let frame = bytes.extracting(offset..<(offset + count))
            offset += count
            if let head, head.isWhole, head.isHeaders, count <= largestFrame,
                state.recall.shorten(frame, into: &shortened)
            {
                let shorter = shortened
                if shorter.capacity > Self.shortenedKept { shortened = [] }
                try receive(shorter.span)
            } else {
                try receive(frame)
            }
        }
    }

    private func receive(_ frame: Span<UInt8>) throws(HTTP2Failure) {
        let taken = unsafe frame.withUnsafeBufferPointer { bytes in
            unsafe nghttp2_session_mem_recv(session, bytes.baseAddress, bytes.count)
        }
        if let excess = state.excess {
            state.excess = nil
            goAway(.enhanceYourCalm, debug: Array(excess.utf8))
            unsafe nghttp2_session_terminate_session(session, HTTP2ErrorCode.enhanceYourCalm.rawValue)
        } else if taken < 0 {
            throw HTTP2Failure(
                code: Int32(taken), description: unsafe String(cString: nghttp2_strerror(Int32(taken))),
                isBadPreface: taken == Int(NGHTTP2_ERR_BAD_CLIENT_MAGIC.rawValue))
        }
    }

    /// What happened next; nil where all has been told.
    package func nextEvent() -> HTTP2Event? { state.events.next() }

    /// The caller's time, for what goes out.
    package func turn(at milliseconds: UInt64) { state.now = milliseconds }

    /// Appends what has to go out, until `output` holds `limit` bytes; the rest waits for the next call.
    package func drain(into output: inout [UInt8], upTo limit: Int) {
        while output.count < limit {
            var chunk: UnsafePointer<UInt8>?
            let count = unsafe nghttp2_session_mem_send(session, &chunk)
            guard count > 0, let start = unsafe chunk else { return }
            let bytes = unsafe UnsafeBufferPointer(start: start, count: count)
            if unsafe bytes[3] == UInt8(NGHTTP2_HEADERS.rawValue) {
                let frame = output.count
                unsafe output.append(contentsOf: bytes.prefix(RawFrame.headerSize))
                state.encodeLeaving(into: &output)
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

    /// Nothing more can come or go: the connection may be closed once its output is out.
    package var isFinished: Bool {
        unsafe nghttp2_session_want_read(session) == 0 && nghttp2_session_want_write(session) == 0
    }

    /// Resets the streams on which the peer has neither sent nor taken anything since that time.
    package func resetStalled(since time: UInt64) {
        for id in state.streams.stalled(since: time) { state.reset(id, .cancel) }
    }

    package var openStreams: Int { state.streams.count }
    /// Streams are open on which the peer has to do something next.
    package var isWaitingForPeer: Bool { !state.streams.stalled(since: .max).isEmpty }
    /// Answers wait for the peer's window or for more of themselves.
    package var hasUnsent: Bool { state.streams.hasUnsent }
    package var lastStream: StreamID { unsafe nghttp2_session_get_last_proc_stream_id(session) }

    /// Puts the real limit into a SETTINGS frame, over the one nghttp2 believes in.
    private func writeLimit(over output: inout [UInt8], at frame: Int) {
        guard !unsentLimits.isEmpty else { return }
        let limit = unsentLimits.removeFirst()
        var entry = frame + 9
        while entry + 6 <= output.count {
            if output[entry] == 0, output[entry + 1] == UInt8(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS.rawValue) {
                for byte in 0..<4 {
                    output[entry + 2 + byte] = UInt8(truncatingIfNeeded: limit >> UInt32(24 - 8 * byte))
                }
            }
            entry += 6
        }
    }
}

@available(*, unavailable) extension HTTP2Server: Sendable {}
