internal import Devices
internal import FCM
internal import HTTPCore
package import PushCore

/// Which pushes a device's client has acknowledged, and which are sent to it again.
extension PushEngine {
    /// The pushes that were sent to a client but not acknowledged yet, if the client acknowledges pushes.
    package struct Inbox {
        package struct Entry {
            let push: PushID
            package let seq: UInt64
            var attempts: Int
        }

        /// Oldest first.
        package private(set) var entries: [Entry] = []
        /// The newest push that was written to any socket.
        private(set) var sentUpTo: UInt64 = 0
        private static let capacity = 1000

        /// Notes that a push was written to a socket. Returns the number of the delivery attempt. For a client that
        /// does not acknowledge pushes, the number is 2 for every repetition, however many there were.
        mutating func noteSent(_ push: PushID, _ seq: UInt64, usesManualAck: Bool) -> Int {
            let wasSent = seq <= sentUpTo
            sentUpTo = max(seq, sentUpTo)
            if let index = entries.firstIndex(where: { $0.seq == seq }) {
                entries[index].attempts += 1
                return entries[index].attempts
            }
            // Unacknowledged pushes are remembered only for a client that acknowledges pushes. For other clients, the
            // number only says whether the push was sent before.
            guard usesManualAck else { return wasSent ? 2 : 1 }
            if entries.count == Self.capacity { entries.removeFirst() }
            entries.append(Entry(push: push, seq: seq, attempts: 1))
            return 1
        }

        package mutating func acknowledge(upTo seq: UInt64) { entries.removeAll { $0.seq <= seq } }
        package mutating func acknowledge(_ push: PushID) { entries.removeAll { $0.push == push } }
    }

    /// Records that a push was written to the sockets of a device. Returns the number of the attempt.
    package mutating func noteSent(_ push: PushID, _ seq: UInt64, _ slot: Int, usesManualAck: Bool) -> Int {
        watches[slot].inbox.noteSent(push, seq, usesManualAck: usesManualAck)
    }

    /// An earlier delivery, for a client that resumes; nil if the log no longer has the push.
    package mutating func inbound(_ event: Event, _ slot: Int) -> InboundPush? {
        _ = updateJournal(to: event.seq, atMost: .max)
        guard let push = event.push, let row = journal.row(of: push), row.isAccepted,
            let accepted = events.event(row.seq), case .push(let record) = accepted.detail,
            let request = events.request(at: record.request)
        else { return nil }
        var waited: Int64 = 0
        if case .stored(let milliseconds) = event.detail { waited = milliseconds }
        return inbound(
            push,
            Delivery(
                request: request, rendered: rendered(request.body, record.provider), name: record.name,
                sent: accepted.time, storedFor: waited), slot)
    }
}
