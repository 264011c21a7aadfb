internal import CNghttp2
import HTTPCore

/// Sending answers and closing their streams.
extension ServerState {
    /// Counts RST_STREAM frames. For a HEADERS frame, moves the answer's head from the stream to `outgoingHead`, because
    /// nghttp2 may have closed the stream when it returns the frame.
    mutating func willSendFrame(_ frame: UnsafePointer<nghttp2_frame>) {
        if unsafe UInt32(frame.pointee.hd.type) == NGHTTP2_RST_STREAM.rawValue {
            let code = unsafe HTTP2ErrorCode(rawValue: frame.pointee.rst_stream.error_code)
            return unsafe willReset(frame.pointee.hd.stream_id, code)
        }
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
        if case .delivered = streams[slot].phase, !streams[slot].isAnswerComplete { events.append(.closed(id, code)) }
        if !streams[slot].peerHasEnded { closedStreams.streamEndedEarly(id) }
        answerWasSent(slot)
        streams.remove(slot)
    }

    /// Reserves the bytes of an answer until it is sent. Returns false if too many bytes are already waiting for a peer
    /// that does not open its window, or if the budget is used up.
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
}
