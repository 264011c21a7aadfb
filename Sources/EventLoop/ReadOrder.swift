/// Lets streams take turns at reading, so that one that always has data does not hold up the others.
///
/// The kernel reports ready streams in the same order again and again. If time is up before the last one, the streams
/// that were not read come first in the next turn. A stream is read once in each turn.
struct ReadOrder {
    /// Identifies a stream.
    typealias ID = UInt64

    /// The streams that are read before all others.
    private var first: Set<ID> = []
    /// The streams of `first` that were refused in this turn, and all others that were.
    private var refusedFirst: Set<ID> = []
    private var refusedOthers: Set<ID> = []
    private(set) var turn: UInt64 = 1

    /// Whether a stream with data may be read now.
    ///
    /// - Parameter hasTime: whether there is time for another read in this turn.
    mutating func admits(_ stream: ID, hasTime: Bool) -> Bool {
        if first.isEmpty {
            if !hasTime { refusedOthers.insert(stream) }
            return hasTime
        }
        let isFirst = first.contains(stream)
        if isFirst, hasTime { return true }
        if isFirst { refusedFirst.insert(stream) } else { refusedOthers.insert(stream) }
        return false
    }

    /// A turn is over. Streams that were to come first and have no more data are forgotten.
    mutating func endTurn() {
        turn &+= 1
        guard !(first.isEmpty && refusedOthers.isEmpty) else { return }
        first = refusedFirst
        refusedFirst = []
        if first.isEmpty { swap(&first, &refusedOthers) }
    }
}
