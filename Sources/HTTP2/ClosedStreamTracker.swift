internal import HTTPCore
/// Remembers which streams of a client are closed or were skipped, to recognize frames that must not be sent on them.
///
/// nghttp2 could remember closed streams itself, but it would keep 300 bytes for each. On a busy connection, that is more
/// than fits into a CPU's cache (docs/notes/closed-streams.md).
struct ClosedStreamTracker {
    enum Misuse: Equatable {
        /// HEADERS on a stream that the client skipped: a stream with a higher id was opened before (RFC 9113
        /// §5.1.1). nghttp2 mistakes this for a late frame on a closed stream.
        case skipped
        /// A frame on a stream that the client has closed (§5.1).
        case closed
    }

    private var newest: StreamID = -1
    /// The latest ranges of ids that the client skipped. If there are too many, the oldest is dropped, and frames with
    /// its ids count as `.closed`.
    private var gaps: [ClosedRange<StreamID>] = []
    /// Streams that the server ended before the client did, oldest first. Frames that still arrive on them are late,
    /// not wrong.
    private var endedEarly: [StreamID] = []
    private var idsEndedEarly: Set<StreamID> = []
    /// The highest id that was dropped from `endedEarly`. All streams up to it count as ended early.
    private var droppedUpTo: StreamID = -1

    /// The last stream that a GOAWAY promised to serve. nghttp2 ignores newer ones.
    var lastServed = StreamID.max

    private static let gapCapacity = 64
    private static let endedEarlyCapacity = 4096

    /// Checks a HEADERS or DATA frame. Call this when the frame begins.
    ///
    /// - Returns: nil if the client may send the frame.
    mutating func frameBegan(on id: StreamID, isHeaders: Bool, isOpen: Bool) -> Misuse? {
        guard id & 1 == 1 else { return nil }
        guard id <= newest else {
            if isHeaders { streamOpened(id) }
            return nil
        }
        guard !isOpen, id <= lastServed else { return nil }
        if gaps.contains(where: { $0.contains(id) }) { return isHeaders ? .skipped : .closed }
        return id <= droppedUpTo || idsEndedEarly.contains(id) ? nil : .closed
    }

    /// The server ended a stream on which the client may still be sending.
    mutating func streamEndedEarly(_ id: StreamID) {
        if endedEarly.count == Self.endedEarlyCapacity {
            let oldest = endedEarly.prefix(Self.endedEarlyCapacity / 2)
            for id in oldest {
                idsEndedEarly.remove(id)
                droppedUpTo = max(droppedUpTo, id)
            }
            endedEarly.removeFirst(oldest.count)
        }
        endedEarly.append(id)
        idsEndedEarly.insert(id)
    }

    private mutating func streamOpened(_ id: StreamID) {
        if id > newest + 2 {
            if gaps.count == Self.gapCapacity { gaps.removeFirst() }
            gaps.append((newest + 2)...(id - 2))
        }
        newest = id
    }
}
