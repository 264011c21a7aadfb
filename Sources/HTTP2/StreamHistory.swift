internal import HTTPCore
/// What is remembered of a client's streams that are not open any more, so that a frame on one of them is told for
/// what it is. nghttp2 could keep them whole, at 300 octets each; three thousand of those are no longer in any cache.
struct StreamHistory {
    enum Misuse: Equatable {
        /// HEADERS for an id that was left out on the way up (RFC 9113 §5.1.1); nghttp2 takes it for a late frame.
        case passedOver
        /// A frame on a stream that the client itself has ended (§5.1).
        case closed
    }

    private var newest: StreamID = -1
    /// The latest gaps; a client that leaves more is forgiven the oldest.
    private var gaps: [ClosedRange<StreamID>] = []
    /// Streams that we ended before the client did: what still comes on them is late, not wrong. The oldest first.
    private var cut: [StreamID] = []
    private var isCut: Set<StreamID> = []
    /// All up to this one may have been cut.
    private var forgotten: StreamID = -1

    /// We said that nothing above this one is served; nghttp2 passes it over.
    var lastServed = StreamID.max

    private static let gapCapacity = 64
    private static let cutCapacity = 4096

    /// To be called when a HEADERS or DATA frame begins.
    mutating func began(_ id: StreamID, isHeaders: Bool, isOpen: Bool) -> Misuse? {
        guard id & 1 == 1 else { return nil }
        guard id <= newest else {
            if isHeaders { noteNew(id) }
            return nil
        }
        guard !isOpen, id <= lastServed else { return nil }
        if gaps.contains(where: { $0.contains(id) }) { return isHeaders ? .passedOver : .closed }
        return id <= forgotten || isCut.contains(id) ? nil : .closed
    }

    /// We ended a stream on which the client may still send.
    mutating func wasCut(_ id: StreamID) {
        if cut.count == Self.cutCapacity {
            let oldest = cut.prefix(Self.cutCapacity / 2)
            for id in oldest {
                isCut.remove(id)
                forgotten = max(forgotten, id)
            }
            cut.removeFirst(oldest.count)
        }
        cut.append(id)
        isCut.insert(id)
    }

    private mutating func noteNew(_ id: StreamID) {
        if id > newest + 2 {
            if gaps.count == Self.gapCapacity { gaps.removeFirst() }
            gaps.append((newest + 2)...(id - 2))
        }
        newest = id
    }
}
