internal import CNghttp2
import HTTPCore

/// Receiving requests: header blocks, bodies, and delivery to the owner.
extension ServerState {
    /// A header block begins. Returns the result of the callback: an error refuses the stream.
    mutating func headersBegan(_ frame: UnsafePointer<nghttp2_frame>) -> Int32 {
        headSlot = -1
        decodedHeaderList = 0
        guard unsafe frame.pointee.headers.cat == NGHTTP2_HCAT_REQUEST else { return 0 }
        let id = unsafe frame.pointee.hd.stream_id
        guard streams.count < min(limits.openStreams, Int(enforcedLimit)) else {
            refuse(id, .refusedStream)
            if unsafe frame.pointee.hd.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) == 0 {
                closedStreams.streamEndedEarly(id)
                if answersRefusedBodiesWithStreamClosed, refusedWithBody.count < Self.refusedWithBodyCapacity {
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

    /// A field of the current header block. Returns the result of the callback: an error resets the stream, and nghttp2
    /// skips the rest of the block, which takes far less time.
    mutating func receivedField(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) -> Int32 {
        decodedHeaderList += name.count + value.count + 32
        guard decodedHeaderList <= limits.decodedHeaderList else {
            return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
        }
        guard headSlot >= 0, !headIsTooLarge else { return 0 }
        if let entry = unsafe literalCache.entry(forPlaceholder: value.span) {
            unsafe literalCache[entry].withUnsafeBufferPointer { value in unsafe addField(name, value) }
        } else {
            unsafe addField(name, value)
        }
        return 0
    }

    private mutating func addField(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) {
        guard head.listSize(with: name.count, value.count) <= maxHeaderListSize else {
            headIsTooLarge = true
            return
        }
        unsafe head.append(name, value)
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
                return refuse(id, .enhanceYourCalm)
            }
            bufferedBodies += count
            streams[slot].lastProgress = now
            let part = unsafe UnsafeBufferPointer(rebasing: bytes.prefix(room))
            if streams[slot].request.body.isEmpty {
                streams[slot].request.body = unsafe Array(part)
            } else {
                unsafe streams[slot].request.body.append(contentsOf: part)
            }
            if bytes.count > room { deliver(slot, isOverLimit: true) }
        case .delivered(let discarded):
            streams[slot].phase = .delivered(discarded: discarded + bytes.count)
            if discarded + bytes.count > limits.discardedBody { refuse(id, .noError) }
        }
    }

    mutating func headersEnded(endsStream: Bool) {
        let slot = headSlot
        headSlot = -1
        guard slot >= 0 else { return }
        streams[slot].peerHasEnded = endsStream
        if headIsTooLarge {
            streams[slot].phase = .delivered(discarded: 0)
            return events.append(.headersTooLarge(streams[slot].id, head.block))
        }
        let block = head.block
        literalCache.storeValues(of: block)
        let plan = plan(block)
        streams[slot].request.method = block.method
        streams[slot].request.headers = block
        streams[slot].request.route = plan.route
        streams[slot].phase = .body(limit: endsStream ? 0 : plan.bodyLimit)
        if endsStream { deliver(slot, isOverLimit: false) }
    }

    mutating func bodyEnded(_ id: StreamID) {
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
        request.stream = streams[slot].id
        events.append(.request(streams[slot].id, request))
    }

    mutating func releaseBody(_ count: Int) {
        bufferedBodies -= count
        budget.giveBack(count)
    }
}
