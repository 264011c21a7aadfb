internal import PushCore
internal import PushEngine

/// The search for the messages that a call deletes, and their deletion.
final class MessageRemoval {
    private let filter: MessageFilter
    private let newest: UInt64
    private var search: MessageSearch?
    private var found: Set<PushID> = []
    private var deletion: PushEngine.Deletion?

    init(_ call: ControlAPI.Call, _ filter: MessageFilter) {
        self.filter = filter
        newest = call.host.box.engine.events.newest
    }

    /// Continues until the turn is over. The number of deleted messages once it is done; nil if work is left.
    func advance(_ host: any ControlHost) -> Int? {
        if deletion == nil {
            // Deleted messages no longer count for an expectation. Only one call deletes at a time, so that no message
            // is counted by two calls.
            guard findMessages(host), host.evaluateExpectations(upTo: newest), host.continueDeletion() else {
                return nil
            }
            deletion = host.box.engine.beginDeletion(of: found)
            found = []
        }
        if deletion?.count == nil, !host.continueDeletion() { return nil }
        if deletion?.count != 0 { host.box.engine.noteDeletion() }
        return deletion?.count
    }

    private func findMessages(_ host: any ControlHost) -> Bool {
        guard host.updateJournal(to: newest) else { return false }
        var search = search ?? host.box.engine.search(filter)
        defer { self.search = search }
        return search.isDone
            || host.continueSearch(&search) { message in
                found.insert(message.record.id)
                return true
            }
    }
}
