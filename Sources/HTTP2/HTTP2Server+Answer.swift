internal import CNghttp2
package import HTTPCore

/// Answering and resetting streams, and ending the connection.
extension HTTP2Server {
    /// Answers a request with a HEADERS frame, followed by DATA frames if there is a body. The last frame has
    /// END_STREAM.
    ///
    /// - Returns: false if the stream is closed, already has an answer, or was reset because too many bytes are
    ///   waiting.
    @discardableResult package func respond(_ response: Response, on id: StreamID, isHead: Bool = false) -> Bool {
        guard let slot = state.slot(of: id), !state.streams[slot].hasAnswer else { return false }
        if case .bytes(let bytes) = response.body, !isHead, !response.isConstant,
            !state.reserveAnswer(bytes.count, in: slot)
        {
            state.refuse(id, .enhanceYourCalm)
            return false
        }
        let hasBody = prepare(response.body, in: slot, isHead: isHead)
        var provider = unsafe nghttp2_data_provider(
            source: nghttp2_data_source(fd: Int32(slot)), read_callback: Callbacks.readAnswer)
        state.streams[slot].head = AnswerHead(status: response.status, fields: response.headers)
        // nghttp2 gets no fields, because `drain` writes the header block of the frame itself.
        let code = unsafe withUnsafePointer(to: &provider) { provider in
            unsafe nghttp2_submit_response(session, id, nil, 0, hasBody ? provider : nil)
        }
        precondition(code == 0 || code == NGHTTP2_ERR_DATA_EXIST.rawValue, "answer refused by nghttp2: \(code)")
        return code == 0
    }

    /// Adds bytes to a streamed answer. Returns false if the stream is closed or the answer is not a stream.
    @discardableResult package func send(_ bytes: [UInt8], on id: StreamID) -> Bool {
        guard let slot = state.slot(of: id), state.streams[slot].answerIsOpen else { return false }
        if state.streams[slot].answer.isEmpty { state.streams[slot].began = state.now }
        state.streams[slot].answer.append(contentsOf: bytes)
        resume(slot, id)
        return true
    }

    /// Ends a streamed answer.
    package func finish(_ id: StreamID) {
        guard let slot = state.slot(of: id), state.streams[slot].answerIsOpen else { return }
        state.streams[slot].answerIsOpen = false
        state.streams[slot].isAnswerComplete = true
        resume(slot, id)
    }

    /// Whether the stream is not closed yet.
    package func isOpen(_ id: StreamID) -> Bool { state.slot(of: id) != nil }

    /// The number of bytes of an answer that have not been sent.
    package func unsentBytes(on id: StreamID) -> Int {
        state.slot(of: id).map { state.streams[$0].answer.count - state.streams[$0].sent } ?? 0
    }

    /// The number of bytes that all answers of the connection have reserved and not sent.
    package var unsentAnswers: Int { state.unsentAnswers }

    /// Resets a stream.
    package func reset(_ id: StreamID, _ code: HTTP2ErrorCode) { state.reset(id, code) }

    /// Sends GOAWAY: streams above `last` (default: the newest one) will not be served.
    package func goAway(_ code: HTTP2ErrorCode, debug: [UInt8], last: StreamID? = nil) {
        state.closedStreams.lastServed = min(state.closedStreams.lastServed, last ?? lastStream)
        unsafe nghttp2_submit_goaway(
            session, UInt8(NGHTTP2_FLAG_NONE.rawValue), last ?? lastStream, code.rawValue, debug, debug.count)
    }

    /// Ends the connection and reports that none of its streams were served. Sends one GOAWAY with `debug` and one
    /// without.
    package func refuse(debug: [UInt8]) {
        goAway(.noError, debug: debug, last: 0)
        unsafe nghttp2_session_terminate_session2(session, 0, HTTP2ErrorCode.noError.rawValue)
    }

    /// Ends the connection with ENHANCE_YOUR_CALM. nghttp2 ignores all later input.
    package func endForAbuse(_ reason: String) {
        goAway(.enhanceYourCalm, debug: Array(reason.utf8))
        unsafe nghttp2_session_terminate_session(session, HTTP2ErrorCode.enhanceYourCalm.rawValue)
    }

    package func ping() {
        unsafe nghttp2_submit_ping(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), nil)
    }

    /// Stores the body in the stream. Returns true if there is anything to send after the head.
    private func prepare(_ body: Response.Body, in slot: Int, isHead: Bool) -> Bool {
        if !isHead {
            if case .stream = body {
                state.streams[slot].answerIsOpen = true
                return true
            }
            if case .bytes(let bytes) = body { state.streams[slot].answer = bytes }
        }
        state.streams[slot].isAnswerComplete = true
        state.streams[slot].lastProgress = state.now
        state.streams[slot].began = state.now
        return state.streams[slot].hasUnsent
    }

    /// Makes nghttp2 ask for the rest of an answer that had nothing to send.
    private func resume(_ slot: Int, _ id: StreamID) {
        guard state.streams[slot].isDeferred else { return }
        state.streams[slot].isDeferred = false
        unsafe nghttp2_session_resume_data(session, id)
    }
}

extension nghttp2_nv {
    /// A field in a block's storage, which must outlive this value.
    init(_ place: HeaderBlock.Place, in storage: UnsafeBufferPointer<UInt8>) {
        let base = unsafe UnsafeMutablePointer(mutating: storage.baseAddress!)
        unsafe self.init(
            name: base + place.name.lowerBound, value: base + place.value.lowerBound, namelen: place.name.count,
            valuelen: place.value.count, flags: UInt8(NGHTTP2_NV_FLAG_NONE.rawValue))
    }
}
