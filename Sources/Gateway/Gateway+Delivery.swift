internal import Persistence
internal import PushCore
internal import PushEngine
internal import WebSocket

/// From the engine to the sockets. The provider's answer goes out first; then everybody has his turn.
extension Gateway {
    /// Things done before somebody else has his turn, unless this many pieces wait already.
    private static let slice = 64
    private static let backlog = 1024
    /// What a broadcast that is not through counts for among them.
    private static let fanOutWeight = 16

    var hasWork: Bool {
        engine.hasWork || !frames.outbox.isEmpty || !frames.dismissed.isEmpty || !sending.isEmpty || !replays.isEmpty
            || hasReaders
    }

    /// Somebody waits for what has come into the log.
    private var hasReaders: Bool {
        persister?.hasWork(in: engine, at: loopNow) == true || needsPause || engine.hasExpectationsToJudge
            || !streams.isEmpty && hasStreamsToFeed
    }

    /// Does what is next; what is left waits for the loop's next turn.
    package func workOff() {
        // What comes up on the way is seen to by whoever is at it.
        guard !isWorkingOff else { return }
        isWorkingOff = true
        defer {
            isWorkingOff = false
            flushWritten()
        }
        var left = Self.slice
        while hasWork {
            let waiting = sending.count + frames.outbox.count + Self.fanOutWeight * engine.fanOuts.count
            if left <= 0, waiting < Self.backlog, let scheduleMore { return scheduleMore() }
            left -= 1
            if persister != nil { workOnPersistence() }
            if !frames.dismissed.isEmpty { closeDismissed() }
            if engine.hasExpectationsToJudge { judgeExpectations() }
            if !streams.isEmpty, hasStreamsToFeed { feedStreams() }
            if !engine.wakes.isEmpty || !engine.late.isEmpty {
                scheduleWakes()
            } else if !sending.isEmpty {
                post(&left)
            } else if !frames.outbox.isEmpty {
                swap(&sending, &frames.outbox)
            } else if !replays.isEmpty {
                workOffReplay()
            } else if !engine.fanOuts.isEmpty {
                // Each device is an event or more: they wait with the sockets while the disk is behind.
                if isPausedForDisk { return }
                left -= Self.fanOutWeight - 1
                engine.workOffFanOuts(Self.fanOutWeight, at: clock.now)
            }
        }
    }

    /// Closes the sockets of devices that were deleted.
    private func closeDismissed() {
        for viewer in frames.dismissed {
            guard let connection = connections[viewer], case .webSocket(let channel) = connection.layer else {
                continue
            }
            channel.end(.deleted, "the device was deleted")
            connection.flush()
        }
        frames.dismissed = []
    }

    /// To be called where work came up outside of a connection's own turn.
    package func workLater() {
        guard hasWork || !written.isEmpty else { return }
        if let scheduleMore { scheduleMore() } else { workOff() }
    }

    /// What is answered next comes behind all that has happened.
    func flushOutbox() {
        var left = Int.max
        post(&left)
        swap(&sending, &frames.outbox)
        post(&left)
    }

    /// Several in a go.
    private func post(_ left: inout Int) {
        var batch = Outbox()
        swap(&batch, &sending)
        repeat {
            guard let (reader, range) = batch.popFirst() else { break }
            left -= 1
            write(batch.octets.span.extracting(range), to: reader)
        } while left > 0
        if batch.isEmpty { batch.clear() }
        swap(&batch, &sending)
    }

    private func write(_ frames: Span<UInt8>, to id: ConnectionID) {
        guard let connection = connections[id], case .webSocket(let channel) = connection.layer else { return }
        // As they are where nothing is before them.
        if channel.isEmpty { return connection.send(frames: frames) }
        channel.send(frames: frames)
        if !channel.hasRoom { connection.flush() }
        note(written: id)
    }

    func note(written id: ConnectionID) {
        if written.last != id { written.append(id) }
    }

    /// Each socket once, however many frames it got.
    func flushWritten() {
        let sockets = written
        written = []
        for id in sockets { connections[id]?.flush() }
    }
}
