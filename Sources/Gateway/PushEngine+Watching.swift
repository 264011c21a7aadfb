internal import Devices
internal import FCM
internal import PushCore
internal import WebSocket

/// Those who watch devices, and what they are told.
extension PushEngine {
    /// A socket that watches a device.
    struct Viewer {
        let connection: ConnectionID
        var wants: Wants
        /// The device is offline without it.
        let isPhone: Bool
        /// It says itself what it has received.
        var isManual = false
    }

    /// What a socket asked to be told.
    struct Wants: OptionSet {
        let rawValue: UInt8
        static let push = Wants(rawValue: 1)
        static let event = Wants(rawValue: 2)
        /// The body as it was sent, within the push.
        static let raw = Wants(rawValue: 4)
    }

    /// Who watches a device, and what its clients have received.
    struct Watch {
        var viewers: [Viewer] = []
        var inbox = Inbox()
    }

    /// What has come to a device, with what is to be known of the device.
    struct Inbound {
        let id: PushID
        let delivery: Delivery
        let platform: Device.Platform
        let fid: String
        let addsMutableContent: Bool
    }

    /// Each kind of frame is made once for all who want it: the push, then what happened.
    mutating func notifyViewers(_ event: Event, _ delivery: Delivery?, to viewers: [Viewer], _ place: Int) {
        if let delivery, viewers.contains(where: { $0.wants.contains(.push) }) {
            let push = inbound(event.push ?? PushID(0), delivery, place)
            // Counted whether the socket is still there or not: what is not acknowledged comes again.
            let attempt = noteSent(push.id, event.seq, place, isManual: viewers.contains(where: \.isManual))
            for hasRaw in [false, true] {
                notifyViewers(viewers, where: { $0.wants.contains(.push) && $0.wants.contains(.raw) == hasRaw }) {
                    $0.push(push, as: event, attempt: attempt, hasRaw: hasRaw, into: &$1)
                }
            }
        }
        if case .deleted(let count) = event.detail {
            notifyViewers(viewers, where: { $0.wants.contains(.push) }) {
                FrameEncoder.append(.text, DeviceFrame.deleted(count), into: &$1)
            }
        }
        // A socket that still hears what was before gets it in its turn.
        if event.kind == .token {
            notifyViewers(viewers, where: { !$0.wants.isEmpty }) {
                FrameEncoder.append(.text, DeviceFrame.token(event), into: &$1)
            }
        }
        notifyViewers(viewers, where: { $0.wants.contains(.event) }) { $0.event(event, into: &$1) }
    }

    func inbound(_ push: PushID, _ delivery: Delivery, _ place: Int) -> Inbound {
        Inbound(
            id: push, delivery: delivery, platform: devices.platform(at: place), fid: devices.fid(at: place),
            addsMutableContent: fcm.policy.choices.contains(.mutableContent))
    }

    private mutating func notifyViewers(
        _ viewers: [Viewer], where isMeant: (Viewer) -> Bool, _ write: (inout FrameWriter, inout [UInt8]) -> Void
    ) {
        guard let first = viewers.firstIndex(where: isMeant) else { return }
        let others = viewers.count == 1 ? [] : viewers[(first + 1)...].filter(isMeant).map(\.connection)
        outbox.append(for: viewers[first].connection, others[...]) { write(&frames, &$0) }
    }
}
