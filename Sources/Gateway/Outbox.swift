/// Frames for sockets as they go over the wire, in the order of what happened, and whose each is.
struct Outbox {
    /// One frame, or several in a row for the same socket.
    private struct Post {
        var reader: ConnectionID
        /// Who gets the same besides.
        var others: ArraySlice<ConnectionID>
        var range: Range<Int>
    }

    /// What the ranges are of.
    private(set) var octets: [UInt8] = []
    private var posts: [Post] = []
    /// The first that is not through.
    private var next = 0

    /// Octets that go to a socket in one piece, and of memory that is kept.
    private static let pieceLimit = 1 << 16
    private static let kept = 1 << 20

    var count: Int { posts.count - next }
    var isEmpty: Bool { next == posts.count }

    /// - Parameter write: appends a frame.
    mutating func append(for reader: ConnectionID, _ others: ArraySlice<ConnectionID>, _ write: (inout [UInt8]) -> Void)
    {
        let start = octets.count
        write(&octets)
        let last = posts.count - 1
        if last >= next, posts[last].reader == reader, others.isEmpty, posts[last].others.isEmpty,
            octets.count - posts[last].range.lowerBound <= Self.pieceLimit
        {
            posts[last].range = posts[last].range.lowerBound..<octets.count
        } else {
            posts.append(Post(reader: reader, others: others, range: start..<octets.count))
        }
    }

    /// Whose turn it is, and where in `octets` lies what he gets.
    mutating func popFirst() -> (reader: ConnectionID, range: Range<Int>)? {
        guard !isEmpty else { return nil }
        let (reader, range) = (posts[next].reader, posts[next].range)
        if let other = posts[next].others.popFirst() { posts[next].reader = other } else { next += 1 }
        return (reader, range)
    }

    /// To be called when all are through.
    mutating func clear() {
        precondition(isEmpty, "\(count) are not through")
        octets.removeAll(keepingCapacity: octets.capacity <= Self.kept)
        posts.removeAll(keepingCapacity: true)
        next = 0
    }
}
