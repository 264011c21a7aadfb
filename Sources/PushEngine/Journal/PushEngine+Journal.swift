internal import Devices
internal import PushCore

/// The pushes that are kept, as the control API asks for them.
extension PushEngine {
    /// The message that an event begins; nil for other events, and where the log has forgotten it.
    package func message(_ seq: UInt64) -> Message? {
        guard let event = events.event(seq), case .push(let record) = event.detail,
            let request = events.request(at: record.request)
        else { return nil }
        return Message(event, record, request, journal.devices(of: record.id), digest: digest)
    }

    package mutating func followLog() { journal.follow(events) }

    /// Reads on in the log where nothing is appended to it, so that the first who asks need not wait.
    package mutating func followLogWhileIdle() {
        if newestSwept == events.newest { journal.follow(events, atMost: 20_000) }
        newestSwept = events.newest
    }

    package mutating func message(named id: String) -> Message? {
        guard id.hasPrefix("p"), let number = UInt64(id.dropFirst()) else { return nil }
        journal.follow(events)
        return journal.row(of: PushID(number)).flatMap { message($0.seq) }
    }

    /// Those that a filter means, the newest first, and where the next page begins.
    package mutating func messages(_ filter: MessageFilter, before cursor: UInt64?, limit: Int) -> (
        messages: [Message], next: UInt64?
    ) {
        journal.follow(events)
        var found: [Message] = []
        let quick = filter.quick
        func take(_ row: Journal.Row) -> Bool {
            guard row.seq < cursor ?? .max, quick.mayMatch(row), let message = message(row.seq), filter.matches(message)
            else { return true }
            if found.count == limit { return false }
            found.append(message)
            return true
        }
        if let device = filter.device {
            for push in journal.pushes(to: DeviceID(device)).reversed() {
                if let row = journal.row(of: push), !take(row) { return (found, found.last?.event.seq) }
            }
        } else {
            for row in journal.rows.reversed() where !take(row) { return (found, found.last?.event.seq) }
        }
        return (found, nil)
    }

    package mutating func forgetTrackingOfGone(everything: Bool) {
        if everything { tracking.forgetAll() } else { tracking.forget { journal.row(of: $0) == nil } }
    }

    /// Forgets them, with all that was said of them. Returns which there were.
    mutating func forgetMessages(_ filter: MessageFilter) -> Set<PushID> {
        journal.follow(events)
        var gone: Set<PushID> = []
        for row in journal.rows where filter.quick.mayMatch(row) {
            if filter.isForAll {
                gone.insert(row.push)
            } else if let message = message(row.seq), filter.matches(message) {
                gone.insert(row.push)
            }
        }
        if gone.isEmpty { return [] }
        events.forget { $0.push.map(gone.contains) ?? false }
        journal.forget(gone)
        return gone
    }
}
