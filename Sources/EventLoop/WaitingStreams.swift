/// The streams that had data when there was no time to read them, in the order in which they will be read.
///
/// New connections and others are read in turn, so that a flood of new connections does not hold up the others.
struct WaitingStreams {
    private var new = Line()
    private var known = Line()
    private var isNewNext = false

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

    var isEmpty: Bool { new.isEmpty && known.isEmpty }

    mutating func append(_ stream: TCPStream) {
        if stream.owner?.isNew == true { new.append(stream) } else { known.append(stream) }
    }

    mutating func popFirst() -> TCPStream? {
        isNewNext.toggle()
        return isNewNext ? known.popFirst() ?? new.popFirst() : new.popFirst() ?? known.popFirst()
    }

    mutating func compact() {
        new.compact()
        known.compact()
    }

    mutating func removeAll() { (new, known) = (Line(), Line()) }
}
