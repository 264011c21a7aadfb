internal import Persistence
internal import PushCore
internal import PushEngine
internal import Receivers
internal import WebSocket

/// Delivery from the engine to the sockets of devices and to the readers of the log.
extension Gateway {
    /// The number of work items in one turn. While at least `backlog` items are waiting, the turn continues.
    private static let slice = 64
    private static let backlog = 1024
    /// The number of work items that an unfinished fan-out counts as. A fan-out delivers one message to many devices.
    private static let fanOutWeight = 16
    /// Encrypting one message takes as long as this much other work.
    private static let encryptionWeight = 16

    var hasWork: Bool { hasDeliveries || hasReaders || !replays.running.isEmpty }

    /// Whether there is something to deliver to devices.
    private var hasDeliveries: Bool {
        !box.engine.pendingWork.isEmpty || !frames.outbox.isEmpty || !frames.dismissed.isEmpty || !sending.isEmpty
    }

    /// Whether a reader of the log has unread events: the disk, an expectation or an event stream.
    private var hasReaders: Bool {
        persister?.hasWork(in: box.engine, at: loopNow) == true || needsPause || box.engine.hasExpectationsToEvaluate()
            || !streams.isEmpty && hasStreamsToFeed || hasEventsToPost
    }

    /// The number of frames that wait to be written, plus `fanOutWeight` for each unfinished fan-out, however many
    /// devices it still has, and `encryptionWeight` for each message to encrypt.
    var waitingWork: Int {
        sending.count + frames.outbox.count + Self.fanOutWeight * box.engine.pendingWork.fanOuts.count
            + Self.encryptionWeight * box.engine.pendingWork.receiverPushes.count
    }

    /// Whether sockets may be read: the turn is not over, and the waiting work is below `maxWork` and `maxBytes`.
    package var takesInput: Bool {
        waitingWork < Self.maxWork && frames.outbox.bytes.count + sending.bytes.count < Self.maxBytes && !turn.isOver
    }

    /// The number and the bytes of waiting work at which no socket is read.
    private static let maxWork = 64 * backlog
    private static let maxBytes = 64 << 20

    /// Whether there is a backlog. If there is, a connection whose input adds much work is not read for a while.
    var isBacklogged: Bool { waitingWork >= Self.backlog }

    /// Whether something waits for a turn. Work that waits for the disk continues when a batch is saved.
    package var needsTurn: Bool {
        !drained.isEmpty || hasDueActions || !unswept.isEmpty
            || (hasWork || hasDeferredInput || !unflushed.isEmpty || hasRunnableQueries) && !isPausedForDisk
    }

    private var hasDeferredInput: Bool { !deferredInput.isEmpty || !costlyDeferredInput.isEmpty }

    /// The part of a turn in which waiting work is done. Each kind of work has a share of the time.
    package func work() {
        turn.beginWork()
        continueOutput()
        turn.beginWork()
        if !isPausedForDisk { continueInput() }
        turn.beginWork()
        continueQueries()
        if hasDueActions || !unswept.isEmpty {
            turn.beginWork()
            if hasDueActions { runDue() }
            continueSweep()
        }
        if !replays.running.isEmpty, !isPausedForDisk {
            turn.beginWork()
            continueReplays()
        }
        turn.beginWork()
        processWork()
    }

    /// Does the work that the input has just caused, if there is only a little. Otherwise the work waits until the
    /// other sockets have been read.
    func workAfterInput() {
        defer { logPushes() }
        guard hasWork || !unflushed.isEmpty else { return }
        let isLittle =
            waitingWork < Self.slice && replays.running.isEmpty && box.engine.expectations.count < Self.slice
            && (streams.isEmpty || !hasStreamsToFeed)
        if !isLittle, let scheduleMore { scheduleMore() } else { processWork() }
    }

    /// Processes one slice of the waiting work. The rest waits for the loop's next turn.
    package func processWork() {
        // The call that is already running also processes work that is added while it runs.
        guard !isProcessingWork else { return }
        isProcessingWork = true
        defer {
            isProcessingWork = false
            flushSockets()
            logPushes()
        }
        if scheduleMore == nil { continueReplays() }
        var left = Self.slice + 1
        while hasDeliveries || hasReaders {
            serveReaders()
            left -= 1
            while hasDeliveries, left > 0 || scheduleMore == nil {
                if isPausedForDisk, !hasMoreThanFanOuts { return }
                deliver(&left)
            }
            guard let scheduleMore, left <= 0 || turn.isOver else { continue }
            if waitingWork < Self.backlog || turn.isOver { return scheduleMore() }
            left = Self.slice
        }
    }

    /// Lets the readers of the log read on.
    private func serveReaders() {
        if persister != nil { workOnPersistence() }
        if box.engine.hasExpectationsToEvaluate() { evaluateExpectations() }
        if !streams.isEmpty, hasStreamsToFeed { feedStreams() }
        if hasEventsToPost { postEvents() }
    }

    /// Whether there is anything to deliver besides fan-outs. While too much is unsaved, fan-outs pause, and sockets
    /// are not read, because each device that gets a push adds events.
    private var hasMoreThanFanOuts: Bool {
        !frames.dismissed.isEmpty || box.engine.pendingWork.hasMoreThanFanOuts || !sending.isEmpty
            || !frames.outbox.isEmpty
    }

    /// Does one piece of the waiting deliveries, and subtracts its size from `left`.
    private func deliver(_ left: inout Int) {
        left -= 1
        if !frames.dismissed.isEmpty { closeDismissed() }
        if !box.engine.pendingWork.wakes.isEmpty || !box.engine.pendingWork.delayedFanOuts.isEmpty {
            scheduleWakes()
        } else if !box.engine.pendingWork.receiverPushes.isEmpty {
            left -= Self.encryptionWeight - 1
            encryptNext()
        } else if box.engine.pendingWork.hasMoreThanFanOuts {
            sendOut()
        } else if !sending.isEmpty {
            sendFrames(&left)
        } else if !frames.outbox.isEmpty {
            swap(&sending, &frames.outbox)
        } else if !box.engine.pendingWork.fanOuts.isEmpty {
            left -= Self.fanOutWeight - 1
            box.engine.continueFanOuts(Self.fanOutWeight, at: clock.now)
            if box.engine.realReceivers.hasWoken { noteReceiverNews() }
        }
    }

    /// Closes the sockets of devices that were deleted.
    private func closeDismissed() {
        for viewer in frames.dismissed {
            guard let connection = connections[viewer], case .webSocket(let channel) = connection.layer else {
                continue
            }
            channel.close(.deleted, "the device was deleted")
            connection.flush()
        }
        frames.dismissed = []
    }

    /// Asks for a turn if there is work. Call it after a change that did not come from a connection's input.
    package func scheduleWork() {
        guard hasWork || hasDeferredInput || !queries.isEmpty || !unflushed.isEmpty else { return }
        if let scheduleMore { scheduleMore() } else { processWork() }
    }

    /// Sends all waiting frames, so that the next answer comes after them.
    func flushOutbox() {
        var left = Int.max
        sendFrames(&left)
        swap(&sending, &frames.outbox)
        sendFrames(&left)
    }

    /// Sends waiting frames until `left` is 0 or less. Subtracts 1 for each frame, and 1 for each KiB of it.
    private func sendFrames(_ left: inout Int) {
        var batch = Outbox()
        swap(&batch, &sending)
        repeat {
            guard let (reader, range) = batch.popFirst() else { break }
            left -= 1 + range.count >> 10
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
}
