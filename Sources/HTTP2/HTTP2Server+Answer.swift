internal import CNghttp2
package import HTTPCore

/// What the owner may do to a stream or to the connection.
extension HTTP2Server {
    /// Answers a request: one HEADERS frame with END_STREAM where there is no body, else HEADERS and DATA, whose
    /// last frame carries END_STREAM. False where the stream is gone, or has its answer.
    @discardableResult package func respond(_ response: Response, on id: StreamID, isHead: Bool = false) -> Bool {
        guard let slot = state.slot(of: id), !state.streams[slot].hasAnswer else { return false }
        if case .bytes(let bytes) = response.body, !isHead, !state.holdAnswer(bytes.count, in: slot) {
            state.reset(id, .enhanceYourCalm)
            return false
        }
        let hasBody = prepare(response.body, in: slot, isHead: isHead)
        var provider = unsafe nghttp2_data_provider(
            source: nghttp2_data_source(fd: Int32(slot)), read_callback: Callbacks.readAnswer)
        state.streams[slot].head = AnswerHead(status: response.status, fields: response.headers)
        // Without fields: its block is replaced when it leaves.
        let code = unsafe withUnsafePointer(to: &provider) { provider in
            unsafe nghttp2_submit_response(session, id, nil, 0, hasBody ? provider : nil)
        }
        precondition(code == 0 || code == NGHTTP2_ERR_DATA_EXIST.rawValue, "answer refused by nghttp2: \(code)")
        return code == 0
    }

    /// Adds to a streamed answer. False where the stream is gone.
    @discardableResult package func send(_ bytes: [UInt8], on id: StreamID) -> Bool {
        guard let slot = state.slot(of: id), state.streams[slot].answerIsOpen else { return false }
        state.streams[slot].answer.append(contentsOf: bytes)
        resume(slot, id)
        return true
    }

    /// Ends a streamed answer.
    package func finish(_ id: StreamID) {
        guard let slot = state.slot(of: id), state.streams[slot].answerIsOpen else { return }
        state.streams[slot].answerIsOpen = false
        state.streams[slot].isAnswered = true
        resume(slot, id)
    }

    /// How much of a streamed answer waits for the peer.
    package func unsentBytes(on id: StreamID) -> Int {
        state.slot(of: id).map { state.streams[$0].answer.count - state.streams[$0].sent } ?? 0
    }

    package func reset(_ id: StreamID, _ code: HTTP2ErrorCode) { state.reset(id, code) }

    /// Says that no stream above `last` (by default: the newest seen) will be served.
    package func goAway(_ code: HTTP2ErrorCode, debug: [UInt8], last: StreamID? = nil) {
        state.history.lastServed = min(state.history.lastServed, last ?? lastStream)
        unsafe nghttp2_submit_goaway(
            session, UInt8(NGHTTP2_FLAG_NONE.rawValue), last ?? lastStream, code.rawValue, debug, debug.count)
    }

    /// Ends the connection as if nothing on it had been served: a GOAWAY that says why, then one without words.
    package func refuse(debug: [UInt8]) {
        goAway(.noError, debug: debug, last: 0)
        unsafe nghttp2_session_terminate_session2(session, 0, HTTP2ErrorCode.noError.rawValue)
    }

    package func ping() {
        unsafe nghttp2_submit_ping(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), nil)
    }

    /// Lays the answer's body down in its stream; true where there is any.
    private func prepare(_ body: Response.Body, in slot: Int, isHead: Bool) -> Bool {
        if !isHead {
            if case .stream = body {
                state.streams[slot].answerIsOpen = true
                return true
            }
            if case .bytes(let bytes) = body { state.streams[slot].answer = bytes }
        }
        state.streams[slot].isAnswered = true
        state.streams[slot].lastProgress = state.now
        return state.streams[slot].hasUnsent
    }

    private func resume(_ slot: Int, _ id: StreamID) {
        guard state.streams[slot].isDeferred else { return }
        state.streams[slot].isDeferred = false
        unsafe nghttp2_session_resume_data(session, id)
    }
}

extension nghttp2_nv {
    /// A field in a block's storage, which must outlive it.
    init(_ place: HeaderBlock.Place, in storage: UnsafeBufferPointer<UInt8>) {
        let base = unsafe UnsafeMutablePointer(mutating: storage.baseAddress!)
        unsafe self.init(
            name: base + place.name.lowerBound, value: base + place.value.lowerBound, namelen: place.name.count,
            valuelen: place.value.count, flags: UInt8(NGHTTP2_NV_FLAG_NONE.rawValue))
    }
}
