internal import Devices
internal import PushCore
internal import PushEngine
internal import WebSocket

/// Sending missed events to a socket that resumes, before it gets new ones.
extension Gateway {
    struct Replay {
        let connection: ConnectionID
        let device: DeviceRef
        let deviceID: DeviceID
        let wants: PushEngine.RequestedFrames
        let usesManualAck: Bool
        /// The events of unacknowledged pushes. They are always sent again.
        var unacknowledged: ArraySlice<UInt64>
        /// The number of the next event.
        var next: UInt64
    }

    /// Replays of missed events, one for each socket that resumes.
    struct Replays {
        var running = Queue<Replay>()
        /// These wait for their clients to read.
        var paused: [ConnectionID: Replay] = [:]
    }

    /// How many entries of the log one replay looks at before the next one has its turn, and how many events it sends
    /// between two looks at the time.
    private static let replaySlice = (entries: 256, events: 16)

    /// Starts sending a viewer the events after `seq`. When they are sent, it gets the new events that it `wants`.
    func beginReplay(_ viewer: PushEngine.Viewer, _ slot: Int, after seq: UInt64, wants: PushEngine.RequestedFrames) {
        let unacknowledged =
            viewer.usesManualAck ? box.engine.watches[slot].inbox.entries.map(\.seq).filter { $0 <= seq } : []
        replays.running.append(
            Replay(
                connection: viewer.connection, device: box.engine.devices.reference(to: slot),
                deviceID: box.engine.devices.id(at: slot), wants: wants,
                usesManualAck: viewer.usesManualAck,
                unacknowledged: unacknowledged[...], next: seq + 1))
    }

    /// Continues one replay after the other until the turn is over. Replays have a separate share of the turn. Without
    /// it, new frames for devices could use up every turn, and a replay that falls behind the log fails.
    func continueReplays() {
        while !replays.running.isEmpty {
            continueReplay()
            if turn.isOver { break }
        }
    }

    /// Continues the replay that has waited longest. When a replay is complete, its socket gets new events.
    private func continueReplay() {
        guard var replay = replays.running.popFirst(), let connection = connections[replay.connection],
            case .webSocket(let channel) = connection.layer
        else { return }
        guard !replay.unacknowledged.isEmpty || replay.next > box.engine.events.forgottenUpTo(in: .main) else {
            channel.close(.tooSlow, "the log no longer has the next event; resume again")
            return connection.flush()
        }
        let last = box.engine.events.end(of: Self.replaySlice.entries, after: replay.next - 1)
        guard updateJournal(to: last) else { return replays.running.append(replay) }
        defer { noteUnflushed(replay.connection) }
        // Some events are always sent, so that a replay ends however busy the gateway is.
        var left = Self.replaySlice.events
        while !replay.unacknowledged.isEmpty || replay.next <= last {
            if left == 0 {
                if turn.isOver { break }
                left = Self.replaySlice.events
            }
            if !channel.hasRoom {
                connection.flush()
                // The replay continues when the client has read what was sent.
                guard channel.hasRoom else {
                    replays.paused[replay.connection] = replay
                    return
                }
            }
            left -= 1
            if let event = nextEvent(of: &replay, upTo: last) { send(event, replay, channel) }
        }
        guard replay.unacknowledged.isEmpty, replay.next > box.engine.events.newest else {
            return replays.running.append(replay)
        }
        guard let slot = box.engine.devices.slot(of: replay.device) else { return }
        box.engine.setRequestedFrames(replay.wants, of: replay.connection, slot)
    }

    /// Continues the paused replay of a socket whose output has been sent.
    func resumeReplay(of connection: ConnectionID) {
        guard let replay = replays.paused.removeValue(forKey: connection) else { return }
        replays.running.append(replay)
        scheduleWork()
    }

    /// The next event to send; nil if no event up to `last` is about the device.
    private func nextEvent(of replay: inout Replay, upTo last: UInt64) -> Event? {
        if let seq = replay.unacknowledged.popFirst() { return box.engine.events.event(seq) }
        let event = box.engine.events.event(after: replay.next - 1, upTo: last, about: replay.deviceID)
        replay.next = (event?.seq ?? last) + 1
        return event
    }

    /// Updates the journal, in which a replay finds its pushes, until the turn is over. True if the journal now
    /// contains all events up to `seq`.
    private func updateJournal(to seq: UInt64) -> Bool {
        repeat {
            if box.engine.updateJournal(to: seq, atMost: 64) { return true }
        } while !turn.isOver
        return false
    }

    private func send(_ event: Event, _ replay: Replay, _ channel: WebSocketChannel) {
        guard let slot = box.engine.devices.slot(of: replay.device) else { return }
        // The event with a push's request records the gateway's answer. It is not part of what happened on the device.
        if case .push = event.detail { return }
        var frames: [UInt8] = []
        if event.kind == .delivered, replay.wants.contains(.push), let push = box.engine.inbound(event, slot) {
            let attempt = box.engine.noteSent(push.id, event.seq, slot, usesManualAck: replay.usesManualAck)
            self.frames.writer.push(
                push, as: event, attempt: attempt, hasRaw: replay.wants.contains(.raw), into: &frames)
        }
        if case .deleted(let count) = event.detail, replay.wants.contains(.push) {
            FrameEncoder.append(.text, DeviceFrame.deleted(count), into: &frames)
        }
        if event.kind == .token { FrameEncoder.append(.text, DeviceFrame.token(event), into: &frames) }
        if replay.wants.contains(.event) { self.frames.writer.event(event, into: &frames) }
        channel.send(frames: frames.span)
    }
}
