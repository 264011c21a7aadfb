internal import PushCore
internal import PushEngine
internal import WebSocket

/// Encodes frames for the viewers of devices (the sockets that watch them) as events happen, and holds the frames until
/// it is the turn of their sockets.
package final class DeviceFrames: DeviceNotifier {
    var writer = FrameWriter()
    /// Frames that have not been sent to viewers yet.
    var outbox = Outbox()
    /// Sockets to close because their device was deleted.
    var dismissed: [ClientID] = []

    func dismiss(_ viewers: [PushEngine.Viewer]) { dismissed += viewers.map(\.connection) }

    /// Writes each kind of frame once for all viewers that want it. The frame of the push is first, and that of the
    /// event is last.
    func notify(_ viewers: [PushEngine.Viewer], of event: Event, _ arrival: PushEngine.InboundPush?) {
        if let arrival {
            for hasRaw in [false, true] {
                write(to: viewers, where: { $0.wants.contains(.push) && $0.wants.contains(.raw) == hasRaw }) {
                    $0.push(arrival, as: event, attempt: arrival.attempt, hasRaw: hasRaw, into: &$1)
                }
            }
        }
        if case .deleted(let count) = event.detail {
            write(to: viewers, where: { $0.wants.contains(.push) }) {
                FrameEncoder.append(.text, DeviceFrame.deleted(count), into: &$1)
            }
        }
        // A socket that is still replaying earlier events gets this event from its replay.
        if event.kind == .token {
            write(to: viewers, where: { !$0.wants.isEmpty }) {
                FrameEncoder.append(.text, DeviceFrame.token(event), into: &$1)
            }
        }
        write(to: viewers, where: { $0.wants.contains(.event) }) { $0.event(event, into: &$1) }
    }

    private func write(
        to viewers: [PushEngine.Viewer], where isWanted: (PushEngine.Viewer) -> Bool,
        _ write: (inout FrameWriter, inout [UInt8]) -> Void
    ) {
        guard let first = viewers.firstIndex(where: isWanted) else { return }
        let others = viewers.count == 1 ? [] : viewers[(first + 1)...].filter(isWanted).map(\.connection)
        outbox.append(for: viewers[first].connection, others[...]) { write(&writer, &$0) }
    }
}

@available(*, unavailable) extension DeviceFrames: Sendable {}
