/// The streams that had data when there was no time to read them, in the order in which they will be read.
///
/// New and usual streams are read in turn, so that a flood of new connections does not hold up the others. Costly streams
/// are read when no others wait, and from time to time: each of them may take a whole turn, and the others would have to wait
/// for all of them.
struct WaitingStreams {
    private var new = Line()
    private var usual = Line()
    private var costly = Line()
    private var isNewNext = false
    /// The reads of other streams since a costly one was read.
    private var otherReads = 0

    /// How many other streams are read, if they wait, between two costly ones.
    private static let readsBetweenCostly = 16

    /// A queue from which streams may be gone by the time it is their turn.
    private struct Line {
        private var streams: [TCPStream] = []
        private var head = 0

        var isEmpty: Bool { head == streams.count }

        mutating func append(_ stream: TCPStream) { streams.append(stream) }

        mutating func popFirst() -> TCPStream? {
            guard !isEmpty else { return nil }
            defer { head += 1 }
            return streams[head]
        }

        /// Forgets the streams that were taken, and streams that are no longer read.
        mutating func compact() {
            streams.removeFirst(head)
            head = 0
            streams.removeAll { $0.hasStoppedWaiting() }
        }
    }

    var isEmpty: Bool { new.isEmpty && usual.isEmpty && costly.isEmpty }

    mutating func append(_ stream: TCPStream) {
        switch stream.owner?.readLine {
        case .new: new.append(stream)
        case .usual, nil: usual.append(stream)
        case .costly: costly.append(stream)
        }
    }

    mutating func popFirst() -> TCPStream? {
        if otherReads >= Self.readsBetweenCostly || new.isEmpty && usual.isEmpty {
            otherReads = 0
            if let stream = costly.popFirst() { return stream }
        }
        otherReads += 1
        isNewNext.toggle()
        return isNewNext ? usual.popFirst() ?? new.popFirst() : new.popFirst() ?? usual.popFirst()
    }

    mutating func compact() {
        new.compact()
        usual.compact()
        costly.compact()
    }

    mutating func removeAll() { self = WaitingStreams() }
}

/// The kinds of streams that wait to be read.
package enum ReadLine {
    /// The peer has not said yet what it wants.
    case new
    case usual
    /// The last input took long.
    case costly
}
