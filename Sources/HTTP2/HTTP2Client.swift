internal import CNghttp2
package import HTTPCore

/// The client's side of one HTTP/2 connection, for the command line and for tests: requests in, answers out.
@safe package final class HTTP2Client {
    private let session: OpaquePointer
    private var answers: [StreamID: Answer] = [:]
    private var bodies: [StreamID: (bytes: [UInt8], sent: Int)] = [:]
    /// The server's GOAWAY frame; nil if it has sent none.
    package private(set) var goAway: (code: HTTP2ErrorCode, lastStream: StreamID, text: String)?
    /// The errors with which streams ended early.
    private var resets: [StreamID: HTTP2ErrorCode] = [:]

    private struct Answer {
        var headers = HeaderBlock()
        var body: [UInt8] = []
        var isComplete = false
    }

    package init() {
        unsafe session = ClientCallbacks.makeSession()
        unsafe nghttp2_session_set_user_data(session, Unmanaged.passUnretained(self).toOpaque())
        unsafe nghttp2_submit_settings(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), nil, 0)
    }

    deinit { unsafe nghttp2_session_del(session) }

    /// Sends one SETTINGS frame with a SETTINGS_HEADER_TABLE_SIZE entry for each of `sizes`, in order.
    package func advertise(headerTableSizes sizes: [UInt32]) {
        let entries = sizes.map {
            nghttp2_settings_entry(settings_id: Int32(NGHTTP2_SETTINGS_HEADER_TABLE_SIZE.rawValue), value: $0)
        }
        unsafe nghttp2_submit_settings(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), entries, entries.count)
    }

    /// Starts a request. Its header block must begin with the pseudo-fields.
    package func send(_ headers: HeaderBlock, body: [UInt8]) -> StreamID {
        var provider = unsafe nghttp2_data_provider(
            source: nghttp2_data_source(), read_callback: ClientCallbacks.readBody)
        let storage = headers.storage
        let id = unsafe storage.withUnsafeBufferPointer { storage in
            let fields = unsafe headers.places.map {
                unsafe nghttp2_nv($0, in: storage)
            }
            return unsafe withUnsafePointer(to: &provider) { provider in
                unsafe nghttp2_submit_request(
                    session, nil, fields, fields.count, body.isEmpty ? nil : provider, nil)
            }
        }
        precondition(id > 0, "request refused by nghttp2: \(id)")
        answers[id] = Answer()
        if !body.isEmpty { bodies[id] = (body, 0) }
        return id
    }

    /// Reads bytes from the server.
    package func receive(_ bytes: Span<UInt8>) throws(HTTP2Failure) {
        let taken = unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe nghttp2_session_mem_recv(session, bytes.baseAddress, bytes.count)
        }
        guard taken < 0 else { return }
        throw HTTP2Failure(
            code: Int32(taken), description: unsafe String(cString: nghttp2_strerror(Int32(taken))), isBadPreface: false
        )
    }

    /// Returns the bytes to send.
    package func drain() -> [UInt8] {
        var output: [UInt8] = []
        while true {
            var chunk: UnsafePointer<UInt8>?
            let count = unsafe nghttp2_session_mem_send(session, &chunk)
            guard count > 0 else { return output }
            unsafe output.append(contentsOf: UnsafeBufferPointer(start: chunk, count: count))
        }
    }

    /// Removes and returns an answer; nil if it is not complete.
    package func takeAnswer(to id: StreamID) -> Response? {
        guard let answer = answers[id], answer.isComplete else { return nil }
        answers[id] = nil
        let status = Int(String(decoding: answer.headers.first(HeaderName(":status")) ?? [], as: UTF8.self)) ?? 0
        return Response(
            status: status, headers: answer.headers, body: answer.body.isEmpty ? .none : .bytes(answer.body))
    }

    func receivedField(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>, _ id: StreamID) {
        answers[id]?.headers.append(nameCount: name.count, valueCount: value.count) { output in
            for index in name.indices { output.append(unsafe name[index]) }
            for index in value.indices { output.append(unsafe value[index]) }
        }
    }

    func receivedBody(_ bytes: UnsafeBufferPointer<UInt8>, _ id: StreamID) {
        unsafe answers[id]?.body.append(contentsOf: bytes)
    }

    /// The error with which a stream ended before its answer was complete; nil if there was none. nghttp2 ends the
    /// streams above the last one of a GOAWAY with REFUSED_STREAM.
    package func reset(of id: StreamID) -> HTTP2ErrorCode? { resets[id] }

    func streamClosed(_ id: StreamID, _ code: HTTP2ErrorCode) {
        if code != .noError { resets[id] = code }
        answers[id]?.isComplete = true
        bodies[id] = nil
    }

    func receivedGoAway(_ code: HTTP2ErrorCode, lastStream: StreamID, _ text: String) {
        // Servers may repeat a GOAWAY without its text.
        goAway = (code, lastStream, text.isEmpty ? goAway?.text ?? "" : text)
    }

    func nextPart(of id: StreamID, into buffer: UnsafeMutableBufferPointer<UInt8>) -> (count: Int, isLast: Bool) {
        guard let (bytes, sent) = bodies[id] else { return (0, true) }
        let count = min(buffer.count, bytes.count - sent)
        _ = unsafe buffer.update(fromContentsOf: bytes[sent..<(sent + count)])
        bodies[id]?.sent += count
        return (count, sent + count == bytes.count)
    }
}

@available(*, unavailable) extension HTTP2Client: Sendable {}
