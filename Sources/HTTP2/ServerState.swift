internal import CNghttp2
import HTTPCore

/// The state of an `HTTP2Server` that nghttp2's callbacks work on. It stays at one address and callbacks reach it by a
/// pointer, which needs no reference counting and no exclusivity checks.
///
/// It cannot be copied, because it owns memory and a part of the shared body budget; `deinit` gives both back.
///
/// The methods that the callbacks call collect events for the owner. In two cases they also submit an RST_STREAM: for a
/// stream over the limit and for a body over its limits. nghttp2 allows that (programmers' guide, Remarks): a submit
/// function only queues a frame. What it forbids in a callback is to send, to receive and to delete the session.
/// `beginCall` checks that, and `reset` checks that the frame was queued.
@safe struct ServerState: ~Copyable {
    let session: OpaquePointer
    var limits: HTTP2Limits
    let maxHeaderListSize: Int
    let plan: (HeaderBlock) -> RequestPlan
    private let budget: BodyBudget

    var streams = StreamTable()
    var events = EventQueue()
    /// The slot of the stream whose header block is being read; -1 for none. A connection reads one block at a time.
    private var headSlot = -1
    /// The fields of that block.
    private var head = HeaderBlockBuilder()
    private var headIsTooLarge = false
    /// The fields of the request before. An equal request shares their memory.
    private var previousHead = HeaderBlock()
    var literalCache = HeaderLiteralCache()
    /// The head for the HEADERS frame that nghttp2 is about to return from `mem_send`.
    private var outgoingHead: AnswerHead?
    private var encoder = FieldEncoder()
    private var bufferedBodies = 0
    private var unsentAnswers = 0
    /// The caller's time during `receive`, in milliseconds.
    var now: UInt64 = 0
    /// Why the connection has to be ended. A callback sets it; the text goes into the GOAWAY frame.
    var excess: String?
    /// nghttp2 is running: one of its functions that may call back has not returned.
    private var isInCall = false

    /// The stream limits that were sent and are not acknowledged, oldest first.
    var unacknowledged: [UInt32] = []
    /// Streams that were refused because there were too many, and whose bodies have not arrived. Their first DATA frame
    /// is answered with STREAM_CLOSED.
    private var refusedWithBody: Set<StreamID> = []
    private let saysClosedToSurplus: Bool
    private static let refusedWithBodyCapacity = 1000
    /// The stream limit that the peer has acknowledged. Before that, no stream is refused because of it.
    private var enforcedLimit = UInt32.max
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
        saysClosedToSurplus = settings.saysClosedToSurplus
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
        if isHeaders { literalCache.headersFrameBegan() }
        guard isHeaders || UInt32(head.type) == NGHTTP2_DATA.rawValue else { return }
        let id = head.stream
        if !isHeaders, !refusedWithBody.isEmpty, refusedWithBody.remove(id) != nil { reset(id, .streamClosed) }
        let isOpen = slot(of: id) != nil
        guard let misuse = closedStreams.frameBegan(on: id, isHeaders: isHeaders, isOpen: isOpen) else { return }
        let code: HTTP2ErrorCode = misuse == .closed ? .streamClosed : .protocolError
        unsafe nghttp2_session_terminate_session(session, code.rawValue)
    }

    /// A header block begins. Returns the result of the callback: an error refuses the stream.
    mutating func headersBegan(_ frame: UnsafePointer<nghttp2_frame>) -> Int32 {
        headSlot = -1
        guard unsafe frame.pointee.headers.cat == NGHTTP2_HCAT_REQUEST else { return 0 }
        let id = unsafe frame.pointee.hd.stream_id
        guard streams.count < min(limits.openStreams, Int(enforcedLimit)) else {
            reset(id, .refusedStream)
            if unsafe frame.pointee.hd.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) == 0 {
                closedStreams.streamEndedEarly(id)
                if saysClosedToSurplus, refusedWithBody.count < Self.refusedWithBodyCapacity {
                    refusedWithBody.insert(id)
                }
            }
            return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
        }
        headSlot = streams.insert(ServerStream(id: id, at: now))
        head.removeAll()
        headIsTooLarge = false
        unsafe nghttp2_session_set_stream_user_data(session, id, UnsafeMutableRawPointer(bitPattern: headSlot + 1))
        return 0
    }

    /// A field of the current header block.
    mutating func receivedField(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) {
        guard headSlot >= 0, !headIsTooLarge else { return }
        if let entry = unsafe literalCache.entry(forPlaceholder: value.span) {
            unsafe literalCache[entry].withUnsafeBufferPointer { value in unsafe addField(name, value) }
        } else {
            unsafe addField(name, value)
        }
    }

    private mutating func addField(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) {
        guard head.listSize(with: name.count, value.count) <= maxHeaderListSize else {
            headIsTooLarge = true
            return
        }
        unsafe head.append(name, value)
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
            if endsStream { bodyEnded(header.stream_id) } else if header.length == 0 { countIdleFrame() }
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
            if !limits.resets.spend(at: now) { excess = "too many streams were reset" }
        case NGHTTP2_PING.rawValue, NGHTTP2_PRIORITY.rawValue: countIdleFrame()
        case NGHTTP2_GOAWAY.rawValue: events.append(.peerGoesAway)
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

    /// A part of a body.
    mutating func receivedBody(_ bytes: UnsafeBufferPointer<UInt8>, _ id: StreamID) {
        guard let slot = slot(of: id) else { return }
        switch streams[slot].phase {
        case .head: break
        case .body(let limit):
            let room = limit - streams[slot].request.body.count
            let count = min(bytes.count, room)
            guard bufferedBodies + count <= limits.bufferedBodies, budget.take(count) else {
                return reset(id, .enhanceYourCalm)
            }
            bufferedBodies += count
            streams[slot].lastProgress = now
            unsafe streams[slot].request.body.append(contentsOf: bytes.prefix(room))
            if bytes.count > room { deliver(slot, isOverLimit: true) }
        case .delivered(let discarded):
            streams[slot].phase = .delivered(discarded: discarded + bytes.count)
            if discarded + bytes.count > limits.discardedBody { reset(id, .noError) }
        }
    }

    /// Keeps the head for a HEADERS frame: when nghttp2 returns the frame, the stream may be closed already.
    mutating func willSendFrame(_ frame: UnsafePointer<nghttp2_frame>) {
        guard unsafe UInt32(frame.pointee.hd.type) == NGHTTP2_HEADERS.rawValue,
            let slot = unsafe slot(of: frame.pointee.hd.stream_id)
        else { return }
        outgoingHead = streams[slot].head.take()
    }

    /// Appends the header block for the HEADERS frame that nghttp2 has just returned.
    mutating func encodeOutgoingHead(into output: inout [UInt8]) {
        guard let head = outgoingHead.take() else {
            return assertionFailure("nghttp2 sent a HEADERS frame without an answer")
        }
        encoder.encode(status: head.status, head.fields, into: &output)
    }

    mutating func streamClosed(_ id: StreamID, _ code: HTTP2ErrorCode) {
        guard let slot = slot(of: id) else { return }
        if case .body = streams[slot].phase { releaseBody(streams[slot].request.body.count) }
        if case .delivered = streams[slot].phase, !streams[slot].isAnswered { events.append(.closed(id, code)) }
        if !streams[slot].peerHasEnded { closedStreams.streamEndedEarly(id) }
        answerWasSent(slot)
        streams.remove(slot)
    }

    /// Counts the bytes of an answer until it is sent. Returns false if too many are waiting already, for a peer that
    /// does not open its window.
    mutating func reserveAnswer(_ count: Int, in slot: Int) -> Bool {
        guard unsentAnswers == 0 || unsentAnswers + count <= limits.unsentAnswers, budget.take(count) else {
            return false
        }
        unsentAnswers += count
        streams[slot].reservedAnswer = count
        return true
    }

    /// Ends the reservation of an answer.
    mutating func answerWasSent(_ slot: Int) {
        let count = streams[slot].reservedAnswer
        guard count > 0 else { return }
        streams[slot].reservedAnswer = 0
        unsentAnswers -= count
        budget.giveBack(count)
    }

    private mutating func releaseBody(_ count: Int) {
        bufferedBodies -= count
        budget.giveBack(count)
    }

    /// Queues an RST_STREAM. Callbacks may call this.
    func reset(_ id: StreamID, _ code: HTTP2ErrorCode) {
        let result = unsafe nghttp2_submit_rst_stream(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), id, code.rawValue)
        assert(result == 0, "nghttp2 did not queue an RST_STREAM for stream \(id): \(result)")
    }

    /// The slot of an open stream; nil for others. nghttp2 keeps it as the stream's user data, plus 1, because a null
    /// pointer means that the stream is not open.
    func slot(of id: StreamID) -> Int? {
        let data = unsafe nghttp2_session_get_stream_user_data(session, id)
        return unsafe data.map { Int(bitPattern: $0) - 1 }
    }

    private mutating func headersEnded(endsStream: Bool) {
        let slot = headSlot
        headSlot = -1
        guard slot >= 0 else { return }
        streams[slot].peerHasEnded = endsStream
        if headIsTooLarge {
            streams[slot].phase = .delivered(discarded: 0)
            return events.append(.headersTooLarge(streams[slot].id, head.block(reusing: HeaderBlock())))
        }
        let block = head.block(reusing: previousHead)
        previousHead = block
        literalCache.storeValues(of: block)
        let plan = plan(block)
        streams[slot].request.method = block.method
        streams[slot].request.headers = block
        streams[slot].request.service = plan.service
        streams[slot].phase = .body(limit: endsStream ? 0 : plan.bodyLimit)
        if endsStream { deliver(slot, isOverLimit: false) }
    }

    private mutating func bodyEnded(_ id: StreamID) {
        guard let slot = slot(of: id) else { return }
        streams[slot].peerHasEnded = true
        guard case .body = streams[slot].phase else { return }
        deliver(slot, isOverLimit: false)
    }

    /// Passes the request to the owner, as an event.
    private mutating func deliver(_ slot: Int, isOverLimit: Bool) {
        releaseBody(streams[slot].request.body.count)
        streams[slot].phase = .delivered(discarded: 0)
        var request = Request(version: .http2)
        swap(&request, &streams[slot].request)
        request.bodyIsOverLimit = isOverLimit
        events.append(.request(streams[slot].id, request))
    }

    private mutating func countIdleFrame() {
        if !limits.idleFrames.spend(at: now) { excess = "too many frames without a request" }
    }
}
