internal import PushEngine

/// Sending what the sockets have to write.
extension Gateway {
    /// Continues the output of connections that had to wait for this turn.
    func continueOutput() {
        var waiting = drained[...]
        drained = []
        while let id = waiting.popFirst() {
            connections[id]?.continueOutput()
            if turn.isOver { break }
        }
        drained.insert(contentsOf: waiting, at: 0)
    }

    func noteUnflushed(_ id: ConnectionID) {
        if unflushed.last != id { unflushed.append(id) }
    }

    /// Flushes a socket in the next turn.
    func flushLater(_ id: ConnectionID) {
        noteUnflushed(id)
        scheduleMore?()
    }

    /// Flushes each socket once, however many frames it got, until the turn is over.
    func flushSockets() {
        var sockets = unflushed[...]
        unflushed = []
        while let id = sockets.popFirst() {
            guard let connection = connections[id] else { continue }
            connection.flush()
            // A fault's ending may have waited for the answer that was flushed.
            connection.applyTermination()
            if !sockets.isEmpty, turn.isOver { break }
        }
        unflushed = sockets + unflushed
    }
}
