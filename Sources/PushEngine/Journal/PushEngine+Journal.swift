internal import Devices
internal import Faults
package import PushCore

/// Queries of the journal for the control API.
extension PushEngine {
    /// The message whose first event has this number; nil if it is another event or no longer in the log.
    package func message(_ seq: UInt64) -> Message? {
        guard let event = events.event(seq), case .push(let record) = event.detail,
            let request = events.request(at: record.request)
        else { return nil }
        let context = Message.Context(digest: digest, idGenerator: idGenerator)
        return Message(event, record, request, journal.devices(of: record.id), context)
    }

    /// The first push that was recorded after the event with this number.
    package func firstPush(after seq: UInt64) -> PushID? {
        var position = seq
        while let event = events.event(after: position) {
            if case .push(let record) = event.detail { return record.id }
            position = event.seq
        }
        return nil
    }

    /// The event with this number; nil if it is forgotten, or if its push was deleted.
    func event(_ seq: UInt64) -> Event? {
        events.event(seq).flatMap { event in event.push.map(journal.isDeleted) == true ? nil : event }
    }

    /// A push that the journal has read; nil if it is no longer in the log.
    package func message(of push: PushID) -> Message? { journal.row(of: push).flatMap { message($0.seq) } }

    /// Whether nothing has happened, including before a restart, and nothing is set up.
    package var isUntouched: Bool {
        events.newest == 0 && devices.count == 0 && faults.faults.isEmpty && media.count == 0 && clockSetting == nil
    }

    /// Updates the journal from the log.
    package mutating func updateJournal() { journal.follow(events) }

    /// Updates the journal while the log does not grow, so that the next query does not have to wait. Completes a
    /// deletion whose call has ended.
    package mutating func updateJournalWhileIdle() {
        if newestWhenIdle == events.newest { journal.follow(events, atMost: Self.idleSlice) }
        newestWhenIdle = events.newest
        _ = continueDeletion(atMost: Self.idleSlice)
    }

    /// The number of events to look at in one idle moment. It takes a few milliseconds.
    private static let idleSlice = 2000

    /// The number of messages in the log.
    package var messageCount: Int {
        guard journal.removal != nil else { return events.pushCount }
        return journal.rows.count { !journal.isDeleted($0.push) && events.event($0.seq) != nil }
    }

    package mutating func message(named id: String) -> Message? {
        guard let push = PushID(parsing: id) else { return nil }
        journal.follow(events)
        return message(of: push)
    }

    /// Messages that match the filter, newest first, and the cursor of the next page.
    package mutating func messages(_ filter: MessageFilter, before cursor: UInt64?, limit: Int) -> (
        messages: [Message], next: UInt64?
    ) {
        journal.follow(events)
        var found: [Message] = []
        var search = search(filter, before: cursor)
        while !search.isDone {
            guard let message = nextMatch(&search, atMost: .max) else { continue }
            if found.count == limit { return (found, found.last?.event.seq) }
            found.append(message)
        }
        return (found, nil)
    }

    /// The pushes that match a filter.
    package mutating func pushes(matching filter: MessageFilter) -> Set<PushID> {
        Set(messages(filter, before: nil, limit: .max).messages.map(\.record.id))
    }

    /// Deletes the tracking of deleted pushes, or all tracking.
    package mutating func forgetTrackingOfDeletedPushes(everything: Bool) {
        if everything { tracking.forgetAll() } else { tracking.forget { journal.row(of: $0) == nil } }
    }
}
