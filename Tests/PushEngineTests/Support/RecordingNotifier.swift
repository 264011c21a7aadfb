import PushCore

@testable import PushEngine

/// Collects what devices' viewers would be sent.
final class RecordingNotifier: DeviceNotifier {
    struct Note {
        let clients: [UInt32]
        let event: Event
        let arrival: PushEngine.InboundPush?
    }

    private(set) var notes: [Note] = []
    private(set) var dismissed: [UInt32] = []

    func notify(_ viewers: [PushEngine.Viewer], of event: Event, _ arrival: PushEngine.InboundPush?) {
        notes.append(Note(clients: viewers.map(\.connection.slot), event: event, arrival: arrival))
    }

    func dismiss(_ viewers: [PushEngine.Viewer]) { dismissed += viewers.map(\.connection.slot) }

    /// The pushes so far: the push, and how often it was sent to the device.
    func takeArrivals() -> [String] {
        defer { notes = [] }
        return notes.compactMap { note in note.arrival.map { "\($0.id) \($0.attempt)" } }
    }
}
