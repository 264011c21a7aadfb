internal import CNghttp2
internal import HTTPCore

/// nghttp2's callbacks for a client. Each one finds its `HTTP2Client` and calls one method of it.
@safe enum ClientCallbacks {
    /// Never changed after it is created. Like the sessions, it is used only on the loop's thread.
    nonisolated(unsafe) private static let callbacks: OpaquePointer? = {
        var callbacks: OpaquePointer?
        unsafe nghttp2_session_callbacks_new(&callbacks)
        unsafe nghttp2_session_callbacks_set_on_header_callback(callbacks) {
            _, frame, name, nameCount, value, count, _, data in
            unsafe of(data).receivedField(
                UnsafeBufferPointer(start: name, count: nameCount), UnsafeBufferPointer(start: value, count: count),
                frame!.pointee.hd.stream_id)
            return 0
        }
        unsafe nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) { _, _, id, bytes, count, data in
            unsafe of(data).receivedBody(UnsafeBufferPointer(start: bytes, count: count), id)
            return 0
        }
        unsafe nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { _, id, code, data in
            unsafe of(data).streamClosed(id, HTTP2ErrorCode(rawValue: code))
            return 0
        }
        unsafe nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { _, frame, data in
            guard unsafe UInt32(frame!.pointee.hd.type) == NGHTTP2_GOAWAY.rawValue else { return 0 }
            let goAway = unsafe frame!.pointee.goaway
            unsafe of(data).receivedGoAway(
                HTTP2ErrorCode(rawValue: goAway.error_code), lastStream: goAway.last_stream_id,
                String(
                    decoding: UnsafeBufferPointer(start: goAway.opaque_data, count: goAway.opaque_data_len),
                    as: UTF8.self))
            return 0
        }
        return unsafe callbacks
    }()

    static func makeSession() -> OpaquePointer {
        var session: OpaquePointer?
        let code = unsafe nghttp2_session_client_new(&session, callbacks, nil)
        precondition(code == 0, "no nghttp2 session: \(code)")
        return unsafe session!
    }

    /// Gives nghttp2 the next part of a request's body.
    static let readBody: nghttp2_data_source_read_callback = { _, id, buffer, count, flags, _, data in
        let part = unsafe of(data).nextPart(
            of: id, into: UnsafeMutableBufferPointer(start: buffer, count: count))
        if part.isLast { unsafe flags!.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue }
        return part.count
    }

    private static func of(_ data: UnsafeMutableRawPointer?) -> HTTP2Client {
        unsafe Unmanaged<HTTP2Client>.fromOpaque(data!).takeUnretainedValue()
    }
}
