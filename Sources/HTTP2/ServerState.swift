internal import CNghttp2
import HTTPCore

/// What an `HTTP2Server` knows, at an address that stays the same, so that a callback reaches it by a pointer.
///
/// Its methods are what the library reports while it reads: they only collect.
@safe struct ServerState {
    let session: OpaquePointer
    var limits: HTTP2Limits
    let maxHeaderListSize: Int
    let plan: (HeaderBlock) -> RequestPlan
    private let budget: BodyBudget

    var streams = StreamTable()
    var events = EventQueue()
    /// The stream whose field block is being read, and its fields; a connection reads one at a time.
    private var readingHead = -1
    private var head = FieldBuffer()
    private var headIsTooLarge = false
    /// Who sends the same again shares its memory.
    private var lastHead = HeaderBlock()
    var recall = HeaderLiteralCache()
    /// Of the HEADERS frame that nghttp2 gives us next.
    private var leaving: AnswerHead?
    private var encoder = FieldEncoder()
    private var bufferedBodies = 0
    private var unsentAnswers = 0
    /// The caller's time during `receive`, in milliseconds.
    var now: UInt64 = 0
    /// Set by a callback where the peer has to be cut off.
    var excess: String?

    /// Stream limits sent and not yet acknowledged, oldest first.
    var unacknowledged: [UInt32] = []
    /// Streams refused as too many, whose bodies are still to come: their first DATA frame is answered STREAM_CLOSED.
    private var surplus: Set<StreamID> = []
    private let saysClosedToSurplus: Bool
    private static let surplusAtMost = 1000
    /// What the peer has acknowledged; nothing is refused before it has.
    private var enforcedLimit = UInt32.max
    var history = StreamHistory()

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

    /// To be called before nghttp2 sees a frame.
    mutating func frameBegan(_ head: FrameScanner.Head) {
        let isHeaders = head.isHeaders
        if isHeaders { recall.blockBegan() }
        guard isHeaders || UInt32(head.type) == NGHTTP2_DATA.rawValue else { return }
        let id = head.stream
        if !isHeaders, !surplus.isEmpty, surplus.remove(id) != nil { reset(id, .streamClosed) }
        guard let misuse = history.began(id, isHeaders: isHeaders, isOpen: slot(of: id) != nil) else { return }
        let code: HTTP2ErrorCode = misuse == .closed ? .streamClosed : .protocolError
        unsafe nghttp2_session_terminate_session(session, code.rawValue)
    }

    mutating func headBegan(_ frame: UnsafePointer<nghttp2_frame>) -> Int32 {
        readingHead = -1
        guard unsafe frame.pointee.headers.cat == NGHTTP2_HCAT_REQUEST else { return 0 }
        let id = unsafe frame.pointee.hd.stream_id
        guard streams.count < min(limits.openStreams, Int(enforcedLimit)) else {
            reset(id, .refusedStream)
            if unsafe frame.pointee.hd.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) == 0 {
                history.wasCut(id)
                if saysClosedToSurplus, surplus.count < Self.surplusAtMost { surplus.insert(id) }
            }
            return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
        }
        readingHead = streams.insert(ServerStream(id: id, at: now))
        head.removeAll()
        headIsTooLarge = false
        unsafe nghttp2_session_set_stream_user_data(session, id, UnsafeMutableRawPointer(bitPattern: readingHead + 1))
        return 0
    }

    mutating func fieldCame(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) {
        guard readingHead >= 0, !headIsTooLarge else { return }
        if let memory = unsafe recall.memory(saidBy: value.span) {
            unsafe recall[memory].withUnsafeBufferPointer { value in unsafe addField(name, value) }
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

    mutating func frameCame(_ frame: UnsafePointer<nghttp2_frame>) {
        let header = unsafe frame.pointee.hd
        let endsStream = header.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0
        switch UInt32(header.type) {
        case NGHTTP2_HEADERS.rawValue:
            let isRequest = unsafe frame.pointee.headers.cat == NGHTTP2_HCAT_REQUEST
            if isRequest { headEnded(endsStream: endsStream) } else { bodyEnded(header.stream_id) }
        case NGHTTP2_DATA.rawValue:
            if endsStream { bodyEnded(header.stream_id) } else if header.length == 0 { spendIdleFrame() }
        case NGHTTP2_SETTINGS.rawValue:
            if header.flags & UInt8(NGHTTP2_FLAG_ACK.rawValue) == 0 {
                unsafe settingsCame(frame.pointee.settings)
                return spendIdleFrame()
            }
            guard !unacknowledged.isEmpty else { return }
            enforcedLimit = unacknowledged.removeFirst()
            events.append(.settingsAcknowledged)
        case NGHTTP2_RST_STREAM.rawValue:
            if let slot = slot(of: header.stream_id) { streams[slot].peerHasEnded = true }
            if !limits.resets.spend(at: now) { excess = "too many streams were reset" }
        case NGHTTP2_PING.rawValue, NGHTTP2_PRIORITY.rawValue: spendIdleFrame()
        case NGHTTP2_GOAWAY.rawValue: events.append(.peerGoesAway)
        default: break
        }
    }

    /// Values count in their order (RFC 9113 §6.5.3): of a table that shrank and grew both sizes have to be told.
    private mutating func settingsCame(_ settings: nghttp2_settings) {
        let entries = unsafe UnsafeBufferPointer(start: settings.iv, count: settings.niv)
        for index in entries.indices {
            let entry = unsafe entries[index]
            guard entry.settings_id == NGHTTP2_SETTINGS_HEADER_TABLE_SIZE.rawValue else { continue }
            encoder.setTableLimit(Int(entry.value))
        }
    }

    mutating func bodyCame(_ bytes: UnsafeBufferPointer<UInt8>, _ id: StreamID) {
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
            if bytes.count > room { handOut(slot, isOverLimit: true) }
        case .handedOut(let discarded):
            streams[slot].phase = .handedOut(discarded: discarded + bytes.count)
            if discarded + bytes.count > limits.discardedBody { reset(id, .noError) }
        }
    }

    /// The stream may be gone when nghttp2 hands us its frame.
    mutating func frameLeaves(_ frame: UnsafePointer<nghttp2_frame>) {
        guard unsafe UInt32(frame.pointee.hd.type) == NGHTTP2_HEADERS.rawValue,
            let slot = unsafe slot(of: frame.pointee.hd.stream_id)
        else { return }
        leaving = streams[slot].head.take()
    }

    /// The block of the HEADERS frame that just left nghttp2, as we want it.
    mutating func encodeLeaving(into output: inout [UInt8]) {
        guard let head = leaving.take() else {
            return assertionFailure("a HEADERS frame left that nobody has answered")
        }
        encoder.encode(status: head.status, head.fields, into: &output)
    }

    mutating func streamClosed(_ id: StreamID, _ code: HTTP2ErrorCode) {
        guard let slot = slot(of: id) else { return }
        if case .body = streams[slot].phase { forgetBody(streams[slot].request.body.count) }
        if case .handedOut = streams[slot].phase, !streams[slot].isAnswered { events.append(.closed(id, code)) }
        if !streams[slot].peerHasEnded { history.wasCut(id) }
        answerWasSent(slot)
        streams.remove(slot)
    }

    /// Counts an answer until it is sent. False where too much waits already for a peer that opens no window.
    mutating func holdAnswer(_ count: Int, in slot: Int) -> Bool {
        guard unsentAnswers == 0 || unsentAnswers + count <= limits.unsentAnswers, budget.take(count) else {
            return false
        }
        unsentAnswers += count
        streams[slot].heldAnswer = count
        return true
    }

    mutating func answerWasSent(_ slot: Int) {
        let count = streams[slot].heldAnswer
        guard count > 0 else { return }
        streams[slot].heldAnswer = 0
        unsentAnswers -= count
        budget.giveBack(count)
    }

    /// To be called once, when no callback can come any more.
    mutating func free() {
        head.free()
        forgetBody(bufferedBodies)
        budget.giveBack(unsentAnswers)
    }

    private mutating func forgetBody(_ count: Int) {
        bufferedBodies -= count
        budget.giveBack(count)
    }

    func reset(_ id: StreamID, _ code: HTTP2ErrorCode) {
        unsafe nghttp2_submit_rst_stream(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), id, code.rawValue)
    }

    /// Slot 0 is kept as 1: a null pointer says that nghttp2 knows no such stream.
    func slot(of id: StreamID) -> Int? {
        let data = unsafe nghttp2_session_get_stream_user_data(session, id)
        return unsafe data.map { Int(bitPattern: $0) - 1 }
    }

    private mutating func headEnded(endsStream: Bool) {
        let slot = readingHead
        readingHead = -1
        guard slot >= 0 else { return }
        streams[slot].peerHasEnded = endsStream
        if headIsTooLarge {
            streams[slot].phase = .handedOut(discarded: 0)
            return events.append(.headersTooLarge(streams[slot].id, head.block(after: HeaderBlock())))
        }
        let block = head.block(after: lastHead)
        lastHead = block
        recall.learn(from: block)
        let plan = plan(block)
        streams[slot].request.method = block.method
        streams[slot].request.headers = block
        streams[slot].request.service = plan.service
        streams[slot].phase = .body(limit: endsStream ? 0 : plan.bodyLimit)
        if endsStream { handOut(slot, isOverLimit: false) }
    }

    private mutating func bodyEnded(_ id: StreamID) {
        guard let slot = slot(of: id) else { return }
        streams[slot].peerHasEnded = true
        guard case .body = streams[slot].phase else { return }
        handOut(slot, isOverLimit: false)
    }

    private mutating func handOut(_ slot: Int, isOverLimit: Bool) {
        forgetBody(streams[slot].request.body.count)
        streams[slot].phase = .handedOut(discarded: 0)
        var request = Request(version: .http2)
        swap(&request, &streams[slot].request)
        request.bodyIsOverLimit = isOverLimit
        events.append(.request(streams[slot].id, request))
    }

    private mutating func spendIdleFrame() {
        if !limits.idleFrames.spend(at: now) { excess = "too many frames without a request" }
    }
}
