internal import CNghttp2
package import HTTPCore

/// What the owner may do to a stream or to the connection.
extension HTTP2Server {
    /// Answers a request: one HEADERS frame with END_STREAM where there is no body, else HEADERS and DATA, whose
    /// last frame carries END_STREAM. False where the stream is gone.
    @discardableResult package func respond(_ response: Response, on id: StreamID, isHead: Bool = false) -> Bool {
        guard let slot = slot(of: id) else { return false }
        switch response.body {
        case .bytes(let bytes) where !bytes.isEmpty && !isHead: streams[slot].answer = bytes
        case .stream where !isHead: streams[slot].answerIsOpen = true
        case .none, .bytes, .stream: break
        }
        var provider = unsafe nghttp2_data_provider(
            source: nghttp2_data_source(fd: Int32(slot)), read_callback: Callbacks.readAnswer)
        let hasBody = streams[slot].hasUnsent
        let code = unsafe withFields(of: response) { fields in
            unsafe withUnsafePointer(to: &provider) { provider in
                unsafe nghttp2_submit_response(
                    session, id, fields.baseAddress, fields.count, hasBody ? provider : nil)
            }
        }
        precondition(code == 0 || code == NGHTTP2_ERR_DATA_EXIST.rawValue, "answer refused by nghttp2: \(code)")
        return code == 0
    }

    /// Adds to a streamed answer. False where the stream is gone.
    @discardableResult package func send(_ bytes: [UInt8], on id: StreamID) -> Bool {
        guard let slot = slot(of: id), streams[slot].answerIsOpen else { return false }
        streams[slot].answer.append(contentsOf: bytes)
        resume(slot, id)
        return true
    }

    /// Ends a streamed answer.
    package func finish(_ id: StreamID) {
        guard let slot = slot(of: id), streams[slot].answerIsOpen else { return }
        streams[slot].answerIsOpen = false
        resume(slot, id)
    }

    /// How much of a streamed answer waits for the peer.
    package func unsentBytes(on id: StreamID) -> Int {
        slot(of: id).map { streams[$0].answer.count - streams[$0].sent } ?? 0
    }

    package func reset(_ id: StreamID, _ code: HTTP2ErrorCode) {
        unsafe nghttp2_submit_rst_stream(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), id, code.rawValue)
    }

    /// Says that no stream above `last` (by default: the newest seen) will be served.
    package func goAway(_ code: HTTP2ErrorCode, debug: [UInt8], last: StreamID? = nil) {
        unsafe nghttp2_submit_goaway(
            session, UInt8(NGHTTP2_FLAG_NONE.rawValue), last ?? lastStream, code.rawValue, debug, debug.count)
    }

    package func ping() {
        unsafe nghttp2_submit_ping(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), nil)
    }

    func slot(of id: StreamID) -> Int? {
        // Slot 0 is kept as 1: a null pointer says that nghttp2 knows no such stream.
        let data = unsafe nghttp2_session_get_stream_user_data(session, id)
        return unsafe data.map { Int(bitPattern: $0) - 1 }
    }

    private func resume(_ slot: Int, _ id: StreamID) {
        guard streams[slot].isDeferred else { return }
        streams[slot].isDeferred = false
        unsafe nghttp2_session_resume_data(session, id)
    }

    private func withFields(
        of response: Response, _ body: (UnsafeMutableBufferPointer<nghttp2_nv>) -> Int32
    ) -> Int32 {
        let status = response.status
        precondition((100...599).contains(status), "status \(status)")
        var digits = (
            UInt8(ascii: "0") + UInt8(status / 100), UInt8(ascii: "0") + UInt8(status / 10 % 10),
            UInt8(ascii: "0") + UInt8(status % 10)
        )
        let headers = response.headers
        return unsafe withUnsafeTemporaryAllocation(of: nghttp2_nv.self, capacity: headers.count + 1) { fields in
            unsafe withUnsafeMutableBytes(of: &digits) { digits in
                unsafe headers.storage.withUnsafeBufferPointer { storage in
                    let digits = unsafe digits.bindMemory(to: UInt8.self)
                    unsafe fields.initializeElement(
                        at: 0,
                        to: nghttp2_nv(
                            name: Callbacks.statusName, value: digits.baseAddress, namelen: 7, valuelen: 3,
                            flags: UInt8(NGHTTP2_NV_FLAG_NO_COPY_NAME.rawValue)))
                    for index in 0..<headers.count {
                        let name = headers.nameRange(at: index)
                        let value = headers.valueRange(at: index)
                        let base = unsafe UnsafeMutablePointer(mutating: storage.baseAddress!)
                        unsafe fields.initializeElement(
                            at: index + 1,
                            to: nghttp2_nv(
                                name: base + name.lowerBound, value: base + value.lowerBound,
                                namelen: name.count, valuelen: value.count,
                                flags: UInt8(NGHTTP2_NV_FLAG_NONE.rawValue)))
                    }
                    return unsafe body(fields)
                }
            }
        }
    }
}
