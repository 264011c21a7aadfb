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

    /// The largest number of events to look at before other work has its turn, and the number between two looks at the
    /// time.
    private static let replaySlice = (largest: 256, piece: 16)

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

    /// Continues the replay that has waited longest. When a replay is complete, its socket gets new events.
    func continueReplay() {
        guard var replay = replays.running.popFirst(), let connection = connections[replay.connection],
            case .webSocket(let channel) = connection.layer
        else { return }
        guard updateJournal(for: replay) else { return replays.running.append(replay) }
        defer { noteUnflushed(replay.connection) }
        // Some events are always looked at, so that a replay ends however busy the gateway is. An event that is sent takes
        // as long as sixteen of other devices.
        var sent = 0
        for _ in 0..<Self.replaySlice.largest {
            if sent == Self.replaySlice.piece {
                if turn.isOver { break }
                sent = 0
            }
            if !channel.hasRoom {
                connection.flush()
                // The replay continues when the client has read what was sent.
                guard channel.hasRoom else {
                    replays.paused[replay.connection] = replay
                    return
                }
            }
            if let seq = replay.unacknowledged.popFirst() {
                replayEvent(seq, replay, channel)
                sent += 1
            } else if replay.next <= box.engine.events.newest {
                guard replay.next > box.engine.events.forgottenUpTo(in: .main) else {
                    channel.close(.tooSlow, "the log no longer has the next event; resume again")
                    return connection.flush()
                }
                let next = box.engine.events.event(after: replay.next - 1)?.seq ?? box.engine.events.newest
                if replayEvent(next, replay, channel) { sent += 1 }
                replay.next = next + 1
            } else {
                guard let slot = box.engine.devices.slot(of: replay.device) else { return }
                return box.engine.setRequestedFrames(replay.wants, of: replay.connection, slot)
            }
        }
        replays.running.append(replay)
    }

    /// Updates the journal for the next events of a replay, which finds its pushes there, until the turn is over. True
    /// if the journal has these events.
    private func updateJournal(for replay: Replay) -> Bool {
        let last = min(box.engine.events.newest, replay.next + UInt64(Self.replaySlice.largest))
        repeat {
            if box.engine.updateJournal(to: last, atMost: 64) { return true }
        } while !turn.isOver
        return false
    }

    /// Continues the paused replay of a socket whose output has been sent.
    func resumeReplay(of connection: ConnectionID) {
        guard let replay = replays.paused.removeValue(forKey: connection) else { return }
        replays.running.append(replay)
        scheduleWork()
    }

    /// True if it was an event of the device.
    @discardableResult private func replayEvent(
        _ seq: UInt64, _ replay: Replay, _ channel: WebSocketChannel
    ) -> Bool {
        guard let event = box.engine.events.event(seq) else { return false }
        guard event.device == replay.deviceID, let slot = box.engine.devices.slot(of: replay.device) else {
            return false
        }
        // The event with a push's request records the gateway's answer. It is not part of what happened on the device.
        if case .push = event.detail { return false }
        var frames: [UInt8] = []
        if event.kind == .delivered, replay.wants.contains(.push), let push = box.engine.inbound(event, slot) {
            let attempt = box.engine.noteSent(push.id, seq, slot, usesManualAck: replay.usesManualAck)
            self.frames.writer.push(
                push, as: event, attempt: attempt, hasRaw: replay.wants.contains(.raw), into: &frames)
        }
        if case .deleted(let count) = event.detail, replay.wants.contains(.push) {
            FrameEncoder.append(.text, DeviceFrame.deleted(count), into: &frames)
        }
        if event.kind == .token { FrameEncoder.append(.text, DeviceFrame.token(event), into: &frames) }
        if replay.wants.contains(.event) { self.frames.writer.event(event, into: &frames) }
        channel.send(frames: frames.span)
        return true
    }
}
