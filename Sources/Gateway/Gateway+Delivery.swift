internal import Persistence
internal import PushCore
internal import PushEngine
internal import WebSocket

/// Delivery from the engine to the sockets. Providers get their answers first, then all readers get equal turns.
extension Gateway {
    /// The number of work items in one turn. While at least `backlog` items are waiting, the turn continues.
    private static let slice = 64
    private static let backlog = 1024
    /// The number of work items that an unfinished broadcast counts as.
    private static let fanOutWeight = 16

    var hasWork: Bool {
        !box.engine.pendingWork.isEmpty || !frames.outbox.isEmpty || !frames.dismissed.isEmpty || !sending.isEmpty
            || !replays.running.isEmpty
            || hasReaders
    }

    /// Whether a reader of the log has unread events: the disk, an expectation or an event stream.
    private var hasReaders: Bool {
        persister?.hasWork(in: box.engine, at: loopNow) == true || needsPause || box.engine.hasExpectationsToEvaluate
            || !streams.isEmpty && hasStreamsToFeed
    }

    /// Processes one slice of the waiting work. The rest waits for the loop's next turn.
    package func processWork() {
        // The call that is already running also processes work that is added while it runs.
        guard !isProcessingWork else { return }
        isProcessingWork = true
        defer {
            isProcessingWork = false
            flushSockets()
        }
        var left = Self.slice
        while hasWork {
            let waiting = sending.count + frames.outbox.count + Self.fanOutWeight * box.engine.pendingWork.fanOuts.count
            if left <= 0, waiting < Self.backlog, let scheduleMore { return scheduleMore() }
            left -= 1
            if persister != nil { workOnPersistence() }
            if !frames.dismissed.isEmpty { closeDismissed() }
            if box.engine.hasExpectationsToEvaluate { evaluateExpectations() }
            if !streams.isEmpty, hasStreamsToFeed { feedStreams() }
            if !box.engine.pendingWork.wakes.isEmpty || !box.engine.pendingWork.delayedFanOuts.isEmpty {
                scheduleWakes()
            } else if !sending.isEmpty {
                sendFrames(&left)
            } else if !frames.outbox.isEmpty {
                swap(&sending, &frames.outbox)
            } else if !replays.running.isEmpty {
                continueReplay()
            } else if !box.engine.pendingWork.fanOuts.isEmpty {
                // Each device adds events, so fan-outs wait, like the sockets, while too much is unsaved.
                if isPausedForDisk { return }
                left -= Self.fanOutWeight - 1
                box.engine.continueFanOuts(Self.fanOutWeight, at: clock.now)
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

    /// Asks for a turn if there is work. Call it after a change that did not come from a connection's input.
    package func scheduleWork() {
        guard hasWork || !unflushed.isEmpty else { return }
        if let scheduleMore { scheduleMore() } else { processWork() }
    }

    /// Sends all waiting frames, so that the next answer comes after them.
    func flushOutbox() {
        var left = Int.max
        sendFrames(&left)
        swap(&sending, &frames.outbox)
        sendFrames(&left)
    }

    /// Sends waiting frames, and subtracts 1 from `left` for each of them, until it is 0.
    private func sendFrames(_ left: inout Int) {
        var batch = Outbox()
        swap(&batch, &sending)
        repeat {
            guard let (reader, range) = batch.popFirst() else { break }
            left -= 1
            write(batch.bytes.span.extracting(range), to: reader)
        } while left > 0
        if batch.isEmpty { batch.clear() }
        swap(&batch, &sending)
    }

    private func write(_ frames: Span<UInt8>, to id: ConnectionID) {
        guard let connection = connections[id], case .webSocket(let channel) = connection.layer else { return }
        // If the channel has no earlier output, the frames need not be copied.
        if channel.takesFramesDirectly { return connection.send(frames: frames) }
        channel.send(frames: frames)
        if !channel.hasRoom { connection.flush() }
        noteUnflushed(id)
    }

    func noteUnflushed(_ id: ConnectionID) {
        if unflushed.last != id { unflushed.append(id) }
    }

    /// Flushes each socket once, however many frames it got.
    func flushSockets() {
        let sockets = unflushed
        unflushed = []
        for id in sockets { connections[id]?.flush() }
    }
}
