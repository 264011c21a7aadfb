internal import CNghttp2
import HTTPCore

/// The state of an `HTTP2Server` that nghttp2's callbacks use. It never moves, so callbacks reach it through a
/// pointer, which needs no reference counting and no exclusivity checks.
///
/// It cannot be copied, because it owns memory and a part of the shared body budget; `deinit` gives both back.
///
/// The methods that the callbacks call collect events for the owner. In two cases they also submit an RST_STREAM: for a
/// stream over the limit and for a body over its limits. nghttp2 allows that (programmers' guide, Remarks): a submit
/// function only queues a frame. A callback must not call the functions that send, receive or delete the session.
/// `beginCall` checks that, and `reset` checks that the frame was queued.
@safe struct ServerState: ~Copyable {
    let session: OpaquePointer
    var limits: HTTP2Limits
    let maxHeaderListSize: Int
    let plan: (HeaderBlock) -> RequestPlan
    let budget: BodyBudget

    var streams = StreamTable()
    var events = EventQueue()
    /// The slot of the stream whose header block is being read; -1 for none. A connection reads one block at a time.
    var headSlot = -1
    /// The fields of that block.
    var head = HeaderBlockBuilder()
    var headIsTooLarge = false
    /// The list size of the block that is being read, with its ignored fields.
    var decodedHeaderList = 0
    /// When the frame that is being read began, or the header block of which it is a part.
    var frameBegan: UInt64 = 0
    /// Whether the type of that frame is DATA. A body has a minimum rate instead of a timeout.
    var isReadingData = false
    /// Whether a header block is incomplete.
    var isInHeaderBlock = false
    var literalCache = HeaderLiteralCache()
    /// The head for the HEADERS frame that nghttp2 is about to return from `mem_send`.
    var outgoingHead: AnswerHead?
    var encoder = FieldEncoder()
    var bufferedBodies = 0
    var unsentAnswers = 0
    /// The time that the caller passed last (`receive` or `setTime`), in milliseconds.
    var now: UInt64 = 0
    /// Why the connection has to be ended. A callback sets it; the text goes into the GOAWAY frame.
    var limitViolation: String?
    /// nghttp2 is running: one of its functions that may call back has not returned.
    private var isInCall = false

    /// The stream limits that were sent and are not acknowledged, oldest first.
    var unacknowledged: [UInt32] = []
    /// Streams that were refused because there were too many, and whose bodies have not arrived. Their first DATA frame
    /// is answered with STREAM_CLOSED.
    var refusedWithBody: Set<StreamID> = []
    let answersRefusedBodiesWithStreamClosed: Bool
    static let refusedWithBodyCapacity = 1000
    /// The last stream limit that the peer has acknowledged. Until the first acknowledgement, only `limits.openStreams`
    /// applies.
    var enforcedLimit = UInt32.max
    var closedStreams = ClosedStreamTracker()

    init(
        session: OpaquePointer, settings: HTTP2Settings, limits: HTTP2Limits, budget: BodyBudget,
        plan: @escaping (HeaderBlock) -> RequestPlan
    ) {
        unsafe self.session = session
        self.limits = limits
        self.plan = plan
        self.budget = budget
        maxHeaderListSize = Int(settings.maxHeaderListSize)
        answersRefusedBodiesWithStreamClosed = settings.answersRefusedBodiesWithStreamClosed
    }

    deinit {
        precondition(!isInCall, "a server was released while nghttp2 was using it")
        budget.giveBack(bufferedBodies + unsentAnswers)
    }

    /// Call this before each nghttp2 function that may call back, and `endCall` after it. Traps in a callback.
    mutating func beginCall() {
        precondition(!isInCall, "nghttp2 must not be called again from one of its callbacks")
        isInCall = true
    }

    mutating func endCall() { isInCall = false }

    /// Checks a frame before nghttp2 reads it.
    mutating func frameBegan(_ head: FrameScanner.Head) {
        let isHeaders = head.isHeaders
        if !isInHeaderBlock { frameBegan = now }
        isReadingData = UInt32(head.type) == NGHTTP2_DATA.rawValue
        if let ends = head.endsHeaders { isInHeaderBlock = !ends }
        if isHeaders { literalCache.headersFrameBegan() }
        if UInt32(head.type) > NGHTTP2_CONTINUATION.rawValue { countIdleFrame() }
        guard isHeaders || isReadingData else { return }
        let id = head.stream
        if !isHeaders, !refusedWithBody.isEmpty, refusedWithBody.remove(id) != nil { reset(id, .streamClosed) }
        let isOpen = slot(of: id) != nil
        guard let misuse = closedStreams.frameBegan(on: id, isHeaders: isHeaders, isOpen: isOpen) else { return }
        let code: HTTP2ErrorCode = misuse == .closed ? .streamClosed : .protocolError
        unsafe nghttp2_session_terminate_session(session, code.rawValue)
    }

    /// A complete frame, except for the payload of DATA, which `receivedBody` gets.
    mutating func receivedFrame(_ frame: UnsafePointer<nghttp2_frame>) {
        let header = unsafe frame.pointee.hd
        let endsStream = header.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0
        switch UInt32(header.type) {
        case NGHTTP2_HEADERS.rawValue:
            let isRequest = unsafe frame.pointee.headers.cat == NGHTTP2_HCAT_REQUEST
            if isRequest { headersEnded(endsStream: endsStream) } else { bodyEnded(header.stream_id) }
        case NGHTTP2_DATA.rawValue:
            if endsStream {
                bodyEnded(header.stream_id)
            } else if unsafe header.length < frame.pointee.data.padlen + Self.smallData {
                countIdleFrame()
            }
        case NGHTTP2_SETTINGS.rawValue:
            if header.flags & UInt8(NGHTTP2_FLAG_ACK.rawValue) == 0 {
                unsafe receivedSettings(frame.pointee.settings)
                return countIdleFrame()
            }
            guard !unacknowledged.isEmpty else { return }
            enforcedLimit = unacknowledged.removeFirst()
            events.append(.settingsAcknowledged)
        case NGHTTP2_RST_STREAM.rawValue:
            if let slot = slot(of: header.stream_id) { streams[slot].peerHasEnded = true }
            if !limits.resets.spend(at: now) { limitViolation = "too many streams were reset" }
        case NGHTTP2_PING.rawValue, NGHTTP2_PRIORITY.rawValue: countIdleFrame()
        case NGHTTP2_WINDOW_UPDATE.rawValue:
            if !limits.windowUpdates.spend(at: now) { limitViolation = "too many window updates" }
        case NGHTTP2_GOAWAY.rawValue: events.append(.goAwayReceived)
        default: break
        }
    }

    /// Applies the values in order (RFC 9113 §6.5.3): if a table shrinks and grows again, the encoder has to announce
    /// both sizes.
    private mutating func receivedSettings(_ settings: nghttp2_settings) {
        let entries = unsafe UnsafeBufferPointer(start: settings.iv, count: settings.niv)
        for index in entries.indices {
            let entry = unsafe entries[index]
            guard entry.settings_id == NGHTTP2_SETTINGS_HEADER_TABLE_SIZE.rawValue else { continue }
            encoder.setTableLimit(Int(entry.value))
        }
    }

    /// Queues an RST_STREAM. Callbacks may call this.
    mutating func reset(_ id: StreamID, _ code: HTTP2ErrorCode) {
        if let slot = slot(of: id) { streams[slot].isReset = true }
        let result = unsafe nghttp2_submit_rst_stream(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), id, code.rawValue)
        assert(result == 0, "nghttp2 did not queue an RST_STREAM for stream \(id): \(result)")
    }

    /// Resets a stream whose request does not fit in a limit, and counts it.
    mutating func refuse(_ id: StreamID, _ code: HTTP2ErrorCode) {
        if !limits.refusals.spend(at: now) { limitViolation = "too many streams were refused" }
        reset(id, code)
    }

    /// The slot of an open stream; nil for others. nghttp2 keeps it as the stream's user data, plus 1, because a null
    /// pointer means that the stream is not open.
    func slot(of id: StreamID) -> Int? {
        let data = unsafe nghttp2_session_get_stream_user_data(session, id)
        return unsafe data.map { Int(bitPattern: $0) - 1 }
    }

    /// Counts an RST_STREAM that nghttp2 sends because of an error of the client, not one that `reset` has queued.
    mutating func willReset(_ id: StreamID, _ code: HTTP2ErrorCode) {
        let isOwn = slot(of: id).map { streams[$0].isReset } ?? (code == .refusedStream || code == .streamClosed)
        if !isOwn, !limits.provokedResets.spend(at: now) { limitViolation = "too many streams with errors" }
    }

    /// DATA with fewer bytes, without its padding, counts as an idle frame.
    private static let smallData = 16

    private mutating func countIdleFrame() {
        if !limits.idleFrames.spend(at: now) { limitViolation = "too many frames without a request" }
    }
}
