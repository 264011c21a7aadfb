internal import CNghttp2
import HTTPCore

/// What the library reports while it reads. Nothing here calls back into code of the owner's.
extension HTTP2Server {
    func frameBegan(_ header: nghttp2_frame_hd) {
        guard UInt32(header.type) == NGHTTP2_HEADERS.rawValue else { return }
        if skipped.isMisuse(of: header.stream_id) {
            unsafe nghttp2_session_terminate_session(session, HTTP2ErrorCode.protocolError.rawValue)
        }
    }

    func headBegan(_ frame: UnsafePointer<nghttp2_frame>) -> Int32 {
        readingHead = -1
        guard unsafe frame.pointee.headers.cat == NGHTTP2_HCAT_REQUEST else { return 0 }
        let id = unsafe frame.pointee.hd.stream_id
        if streams.count >= limits.openStreams || enforcedLimit.map({ streams.count >= $0 }) ?? false {
            reset(id, .refusedStream)
            return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
        }
        readingHead = streams.insert(ServerStream(id: id))
        unsafe nghttp2_session_set_stream_user_data(session, id, UnsafeMutableRawPointer(bitPattern: readingHead + 1))
        return 0
    }

    func fieldCame(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) {
        guard readingHead >= 0, case .head = streams[readingHead].phase else { return }
        let size = streams[readingHead].headers.listSize + name.count + value.count + 32
        guard size <= Int(settings.maxHeaderListSize) else {
            streams[readingHead].phase = .refused
            return
        }
        streams[readingHead].headers.append(nameCount: name.count) { storage in
            unsafe storage.append(contentsOf: name)
            unsafe storage.append(contentsOf: value)
        }
    }

    func frameCame(_ frame: UnsafePointer<nghttp2_frame>) {
        let header = unsafe frame.pointee.hd
        let endsStream = header.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0
        switch UInt32(header.type) {
        case NGHTTP2_HEADERS.rawValue:
            let isRequest = unsafe frame.pointee.headers.cat == NGHTTP2_HCAT_REQUEST
            if isRequest { headEnded(endsStream: endsStream) } else { bodyEnded(header.stream_id) }
        case NGHTTP2_DATA.rawValue:
            if endsStream { bodyEnded(header.stream_id) } else if header.length == 0 { spendIdleFrame() }
        case NGHTTP2_SETTINGS.rawValue:
            if header.flags & UInt8(NGHTTP2_FLAG_ACK.rawValue) == 0 { return spendIdleFrame() }
            guard !unacknowledged.isEmpty else { return }
            enforcedLimit = unacknowledged.removeFirst()
            events.append(.settingsAcknowledged)
        case NGHTTP2_RST_STREAM.rawValue:
            if !limits.resets.spend(at: now) { excess = "too many streams were reset" }
        case NGHTTP2_PING.rawValue, NGHTTP2_PRIORITY.rawValue: spendIdleFrame()
        case NGHTTP2_GOAWAY.rawValue: events.append(.peerGoesAway)
        default: break
        }
    }

    func bodyCame(_ bytes: UnsafeBufferPointer<UInt8>, _ id: StreamID) {
        guard let slot = slot(of: id) else { return }
        switch streams[slot].phase {
        case .head, .refused: break
        case .body:
            let room = streams[slot].bodyLimit - streams[slot].body.count
            bufferedBodies += min(bytes.count, room)
            unsafe streams[slot].body.append(contentsOf: bytes.prefix(room))
            if bufferedBodies > limits.bufferedBodies { return reset(id, .enhanceYourCalm) }
            if bytes.count > room { handOut(slot, isOverLimit: true) }
        case .handedOut(let discarded):
            streams[slot].phase = .handedOut(discarded: discarded + bytes.count)
            if discarded + bytes.count > limits.discardedBody { reset(id, .noError) }
        }
    }

    func streamClosed(_ id: StreamID, _ code: HTTP2ErrorCode) {
        guard let slot = slot(of: id), let stream = streams.remove(slot) else { return }
        switch stream.phase {
        case .head, .refused: break
        case .body: bufferedBodies -= stream.body.count
        case .handedOut: events.append(.closed(id, code))
        }
    }

    func nextPart(
        of slot: Int, into buffer: UnsafeMutableBufferPointer<UInt8>, _ flags: UnsafeMutablePointer<UInt32>
    ) -> Int {
        let count = min(buffer.count, streams[slot].answer.count - streams[slot].sent)
        if count == 0, streams[slot].answerIsOpen {
            streams[slot].isDeferred = true
            return Int(NGHTTP2_ERR_DEFERRED.rawValue)
        }
        let start = streams[slot].sent
        unsafe streams[slot].answer.withUnsafeBufferPointer { answer in
            _ = unsafe buffer.update(fromContentsOf: answer[start..<(start + count)])
        }
        streams[slot].sent += count
        if streams[slot].sent == streams[slot].answer.count {
            streams[slot].answer.removeAll(keepingCapacity: true)
            streams[slot].sent = 0
            if !streams[slot].answerIsOpen { unsafe flags.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue }
        }
        return count
    }

    private func headEnded(endsStream: Bool) {
        let slot = readingHead
        readingHead = -1
        guard slot >= 0 else { return }
        if case .refused = streams[slot].phase {
            streams[slot].phase = .handedOut(discarded: 0)
            return events.append(.headersTooLarge(streams[slot].id))
        }
        if endsStream { return handOut(slot, isOverLimit: false) }
        streams[slot].phase = .body
        streams[slot].bodyLimit = bodyLimit(streams[slot].headers)
    }

    private func bodyEnded(_ id: StreamID) {
        guard let slot = slot(of: id), case .body = streams[slot].phase else { return }
        handOut(slot, isOverLimit: false)
    }

    private func handOut(_ slot: Int, isOverLimit: Bool) {
        bufferedBodies -= streams[slot].body.count
        streams[slot].phase = .handedOut(discarded: 0)
        var request = Request(version: .http2, headers: exchange(&streams[slot].headers, with: HeaderBlock()))
        request.body = exchange(&streams[slot].body, with: [])
        request.bodyIsOverLimit = isOverLimit
        events.append(.request(streams[slot].id, request))
    }

    private func spendIdleFrame() {
        if !limits.idleFrames.spend(at: now) { excess = "too many frames without a request" }
    }
}

/// Moves a value out and leaves another.
private func exchange<T>(_ value: inout T, with other: T) -> T {
    defer { value = other }
    return value
}
