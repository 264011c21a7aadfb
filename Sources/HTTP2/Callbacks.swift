internal import CNghttp2
internal import HTTPCore

/// nghttp2's callbacks for a server. Each one gets a pointer to its connection's state and calls one method of it.
@safe enum Callbacks {
    /// Never changed after it is created. Like the sessions, it is used only on the loop's thread.
    nonisolated(unsafe) private static let server: OpaquePointer? = {
        var callbacks: OpaquePointer?
        unsafe nghttp2_session_callbacks_new(&callbacks)
        unsafe nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks) { _, frame, data in
            unsafe of(data).pointee.headersBegan(frame!)
        }
        unsafe nghttp2_session_callbacks_set_on_header_callback(callbacks) {
            _, _, name, nameCount, value, count, _, data in
            unsafe of(data).pointee.receivedField(
                UnsafeBufferPointer(start: name, count: nameCount), UnsafeBufferPointer(start: value, count: count))
        }
        unsafe nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { _, frame, data in
            unsafe of(data).pointee.receivedFrame(frame!)
            return 0
        }
        unsafe nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) { _, _, id, bytes, count, data in
            unsafe of(data).pointee.receivedBody(UnsafeBufferPointer(start: bytes, count: count), id)
            return 0
        }
        unsafe nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { _, id, code, data in
            unsafe of(data).pointee.streamClosed(id, HTTP2ErrorCode(rawValue: code))
            return 0
        }
        unsafe nghttp2_session_callbacks_set_before_frame_send_callback(callbacks) { _, frame, data in
            unsafe of(data).pointee.willSendFrame(frame!)
            return 0
        }
        return unsafe callbacks
    }()

    nonisolated(unsafe) private static let options: OpaquePointer? = {
        var options: OpaquePointer?
        unsafe nghttp2_option_new(&options)
        // nghttp2 counts each call that reads a part of a CONTINUATION frame's header as a frame. A header that arrives
        // byte by byte would exceed its default limit of 8.
        unsafe nghttp2_option_set_max_continuations(options, 100)
        // No HPACK table for sending, because `FieldEncoder` encodes the answers.
        unsafe nghttp2_option_set_max_deflate_dynamic_table_size(options, 0)
        // Accept values that begin or end with spaces, and leave them to the APNs and FCM code: APNs answers `bearer `
        // with MissingProviderToken.
        unsafe nghttp2_option_set_no_rfc9113_leading_and_trailing_ws_validation(options, 1)
        // Forget closed streams: `ClosedStreamTracker` remembers them in much less memory.
        unsafe nghttp2_option_set_no_closed_streams(options, 1)
        // A limit that is never reached: `HTTP2Limits.resets` is lower, and ends the connection with ENHANCE_YOUR_CALM.
        unsafe nghttp2_option_set_stream_reset_rate_limit(options, 100_000, 100_000)
        return unsafe options
    }()

    static func makeServerSession(pool: NGHTTP2Allocator) -> OpaquePointer {
        var session: OpaquePointer?
        var allocator = unsafe pool.allocator
        let code = unsafe nghttp2_session_server_new3(&session, server, nil, options, &allocator)
        precondition(code == 0, "no nghttp2 session: \(code)")
        return unsafe session!
    }

    /// Gives nghttp2 the next part of an answer. The last part is flagged, so that its frame has END_STREAM.
    static let readAnswer: nghttp2_data_source_read_callback = { _, _, buffer, count, flags, source, data in
        let slot = Int(unsafe source!.pointee.fd)
        unsafe of(data).pointee.streams[slot].lastProgress = of(data).pointee.now
        let part = unsafe of(data).pointee.streams[slot].nextPart(upTo: count) { bytes in
            _ = unsafe UnsafeMutableBufferPointer(start: buffer, count: count).update(fromContentsOf: bytes)
        }
        guard let part else { return Int(NGHTTP2_ERR_DEFERRED.rawValue) }
        if unsafe !of(data).pointee.streams[slot].hasUnsent { unsafe of(data).pointee.answerWasSent(slot) }
        if part.isLast { unsafe flags!.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue }
        return part.count
    }

    private static func of(_ data: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<ServerState> {
        unsafe data!.assumingMemoryBound(to: ServerState.self)
    }
}
