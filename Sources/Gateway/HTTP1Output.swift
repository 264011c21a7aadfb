internal import PushCore

/// What an HTTP/1.1 connection has to send. A long body is not copied until it is sent, and is sent in pieces:
/// copying 20 MB takes longer than a turn of the loop should.
struct HTTP1Output {
    /// The newest output.
    var tail: [UInt8] = []
    /// The output before `tail`.
    private var pieces = Queue<[UInt8]>()
    private var pieceBytes = 0
    /// How much of the first piece has been drained.
    private var drained = 0

    /// A body that is longer than this is not copied.
    private static let longBody = 64 << 10

    var count: Int { pieceBytes - drained + tail.count }
    var isEmpty: Bool { count == 0 }

    mutating func append(body: [UInt8]) {
        guard body.count > Self.longBody else { return tail.append(contentsOf: body) }
        endPiece()
        tail = body
    }

    /// Moves up to `limit` bytes.
    mutating func drain(into output: inout [UInt8], upTo limit: Int) {
        if !pieces.isEmpty || tail.count > limit { endPiece() }
        var room = max(limit, 0)
        while room > 0, let piece = pieces.first {
            let taken = piece.dropFirst(drained).prefix(room)
            output.append(contentsOf: taken)
            room -= taken.count
            drained += taken.count
            if drained == piece.count {
                _ = pieces.popFirst()
                (drained, pieceBytes) = (0, pieceBytes - piece.count)
            }
        }
        guard pieces.isEmpty else { return }
        output.append(contentsOf: tail)
        tail.removeAll(keepingCapacity: false)
    }

    private mutating func endPiece() {
        guard !tail.isEmpty else { return }
        pieceBytes += tail.count
        pieces.append(tail)
        tail = []
    }
}
