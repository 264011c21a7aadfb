internal import Devices
internal import PushCore

/// Queries of the journal for the control API.
extension PushEngine {
    /// The message whose first event has this number; nil if it is another event or no longer in the log.
    package func message(_ seq: UInt64) -> Message? {
        guard let event = events.event(seq), case .push(let record) = event.detail,
            let request = events.request(at: record.request)
        else { return nil }
        return Message(event, record, request, journal.devices(of: record.id), digest: digest)
    }

    /// Updates the journal from the log.
    package mutating func updateJournal() { journal.follow(events) }

    /// Updates the journal while the log does not grow, so that the next query does not have to wait.
    package mutating func updateJournalWhileIdle() {
        if newestWhenIdle == events.newest { journal.follow(events, atMost: 20_000) }
        newestWhenIdle = events.newest
    }

    package mutating func message(named id: String) -> Message? {
        guard id.hasPrefix("p"), let number = UInt64(id.dropFirst()) else { return nil }
        journal.follow(events)
        return journal.row(of: PushID(number)).flatMap { message($0.seq) }
    }

    /// Messages that match the filter, newest first, and the cursor of the next page.
    package mutating func messages(_ filter: MessageFilter, before cursor: UInt64?, limit: Int) -> (
        messages: [Message], next: UInt64?
    ) {
        journal.follow(events)
        var found: [Message] = []
        let prefilter = filter.prefilter
        func take(_ row: Journal.Row) -> Bool {
            guard row.seq < cursor ?? .max, prefilter.mayMatch(row), let message = message(row.seq),
                filter.matches(message)
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

    /// Deletes the tracking of deleted pushes, or all tracking.
    package mutating func forgetTrackingOfDeletedPushes(everything: Bool) {
        if everything { tracking.forgetAll() } else { tracking.forget { journal.row(of: $0) == nil } }
    }

    /// Removes the matching messages and all of their events. Returns their ids.
    mutating func forgetMessages(_ filter: MessageFilter) -> Set<PushID> {
        journal.follow(events)
        var removed: Set<PushID> = []
        for row in journal.rows where filter.prefilter.mayMatch(row) {
            if filter.matchesEverything {
                removed.insert(row.push)
            } else if let message = message(row.seq), filter.matches(message) {
                removed.insert(row.push)
            }
        }
        if removed.isEmpty { return [] }
        events.forget { $0.push.map(removed.contains) ?? false }
        journal.forget(removed)
        return removed
    }
}
