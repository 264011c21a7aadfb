/// The streams that had data when there was no time to read them, in the order in which they will be read.
///
/// The streams are read in rounds. A round reads all usual streams that wait at its start, and then one other stream,
/// which is new or costly. So neither many new connections nor connections with much work hold up the usual ones. The
/// usual ones do not stop the others either, because each round also reads one of the others.
struct WaitingStreams {
    private var new = Line()
    private var usual = Line()
    private var costly = Line()
    /// How many usual streams this round still reads; nil if the next round has not begun.
    private var usualLeft: Int?
    private var isNewNext = false

    /// A queue of streams. A stream in it may have been closed, or may have stopped reading, in the meantime.
    private struct Line {
        private var streams: [TCPStream] = []
        private var head = 0

        var count: Int { streams.count - head }
        var isEmpty: Bool { count == 0 }

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
        switch stream.owner?.readQueue {
        case .new: new.append(stream)
        case .usual, nil: usual.append(stream)
        case .costly: costly.append(stream)
        }
    }

    mutating func popFirst() -> TCPStream? {
        let left = usualLeft ?? usual.count
        if left > 0, let stream = usual.popFirst() {
            usualLeft = left - 1
            return stream
        }
        usualLeft = nil
        isNewNext.toggle()
        let other = isNewNext ? new.popFirst() ?? costly.popFirst() : costly.popFirst() ?? new.popFirst()
        return other ?? usual.popFirst()
    }

    mutating func compact() {
        new.compact()
        usual.compact()
        costly.compact()
    }

    mutating func removeAll() { self = WaitingStreams() }
}

/// The kinds of streams that wait to be read.
package enum ReadQueue {
    /// It has hardly been read yet, so its input may take long.
    case new
    case usual
    /// Its input takes long, or took long the last time.
    case costly
}
