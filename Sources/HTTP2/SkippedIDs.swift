/// The odd stream ids a client has passed over: they count as closed, and a HEADERS frame for one of them is a
/// connection error (RFC 9113 §5.1.1), which nghttp2 takes for a late frame and ignores.
struct SkippedIDs {
    private var newest: StreamID = -1
    /// The latest gaps; a client that leaves more is forgiven the oldest.
    private var gaps: [ClosedRange<StreamID>] = []
    private static let capacity = 64

    /// To be called for each HEADERS frame; true where its stream was passed over before.
    mutating func isMisuse(of id: StreamID) -> Bool {
        guard id & 1 == 1 else { return false }
        guard id > newest else { return gaps.contains { $0.contains(id) } }
        if id > newest + 2 {
            if gaps.count == Self.capacity { gaps.removeFirst() }
            gaps.append((newest + 2)...(id - 2))
        }
        newest = id
        return false
    }
}
