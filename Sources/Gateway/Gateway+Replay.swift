internal import Devices
internal import PushCore
internal import PushEngine
internal import WebSocket

/// A socket that resumes is told what it has missed before it hears what is new.
extension Gateway {
    struct Replay {
        let connection: ConnectionID
        let device: DeviceRef
        let deviceID: DeviceID
        let wants: PushEngine.Wants
        let isManual: Bool
        /// Numbers of events that come again whatever the client has seen: pushes it has not acknowledged.
        var again: ArraySlice<UInt64>
        /// The next event to look at.
        var next: UInt64
    }

    /// Events looked at before somebody else has his turn.
    private static let replaySlice = 256

    func beginReplay(_ viewer: PushEngine.Viewer, _ place: Int, after seq: UInt64, wants: PushEngine.Wants) {
        let again = viewer.isManual ? engine.watches[place].inbox.entries.map(\.seq).filter { $0 <= seq } : []
        replays.append(
            Replay(
                connection: viewer.connection, device: engine.devices.reference(to: place),
                deviceID: engine.devices.id(at: place), wants: wants,
                isManual: viewer.isManual,
                again: again[...], next: seq + 1))
    }

    /// Goes on with the oldest; when it is through, the socket hears what is new.
    func workOffReplay() {
        guard var replay = replays.popFirst(), let connection = connections[replay.connection],
            case .webSocket(let channel) = connection.layer
        else { return }
        defer { note(written: replay.connection) }
        for _ in 0..<Self.replaySlice {
            if !channel.hasRoom {
                connection.flush()
                // It goes on once the client has read what is there.
                guard channel.hasRoom else {
                    pausedReplays[replay.connection] = replay
                    return
                }
            }
            if let seq = replay.again.popFirst() {
                tellAgain(seq, replay, channel)
            } else if replay.next <= engine.events.newest {
                guard replay.next > engine.events.newest - UInt64(engine.events.count) else {
                    channel.end(.tooSlow, "the log has forgotten what was to come; resume again")
                    return connection.flush()
                }
                tellAgain(replay.next, replay, channel)
                replay.next += 1
            } else {
                guard let place = engine.devices.place(of: replay.device) else { return }
                return engine.setWants(replay.wants, of: replay.connection, place)
            }
        }
        replays.append(replay)
    }

    /// A socket has taken all that was written to it.
    func goOn(_ connection: ConnectionID) {
        guard let replay = pausedReplays.removeValue(forKey: connection) else { return }
        replays.append(replay)
        workLater()
    }

    private func tellAgain(_ seq: UInt64, _ replay: Replay, _ channel: WebSocketChannel) {
        guard let event = engine.events.event(seq) else { return }
        guard event.device == replay.deviceID, let place = engine.devices.place(of: replay.device) else { return }
        // What came in is nothing of the device's.
        if case .push = event.detail { return }
        var frames: [UInt8] = []
        if event.kind == .delivered, replay.wants.contains(.push), let push = engine.inbound(event, place) {
            let attempt = engine.noteSent(push.id, seq, place, isManual: replay.isManual)
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
