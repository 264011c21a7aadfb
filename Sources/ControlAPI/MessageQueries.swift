internal import HTTPCore
internal import JSON
internal import PushCore
internal import PushEngine

/// `GET /messages`.
final class MessageList: SlicedQuery {
    private let filter: MessageFilter
    private let page: ControlPage
    private let newest: UInt64
    private var search: MessageSearch?
    private var json = JSONWriter()
    private var count = 0
    private var last: UInt64?

    /// The bytes at which a page ends, even if it has fewer messages than wanted.
    private static let maximumLength = 4 << 20

    init(_ call: ControlAPI.Call) throws(ControlProblem) {
        page = try call.query.page()
        filter = try MessageFilter(call.query)
        newest = call.host.box.engine.events.newest
        json.beginObject()
        json.key("messages")
        json.beginArray()
    }

    func advance(_ host: any ControlHost) -> ControlAPI.Reply? {
        guard host.updateJournal(to: newest) else { return nil }
        var search =
            search ?? host.box.engine.search(filter, before: page.start == 0 ? nil : UInt64(page.start))
        var hasMore = false
        let isDone = host.continueSearch(&search) { message in
            hasMore = count == page.limit || json.bytes.count > Self.maximumLength
            if hasMore { return false }
            json.value(message)
            count += 1
            last = message.event.seq
            return true
        }
        self.search = search
        guard isDone else { return nil }
        json.endArray()
        json.member("next", hasMore ? last.map { String($0) } : nil)
        json.endObject()
        var done = JSONWriter()
        swap(&done, &json)
        return .answer(.json(done.finish()))
    }
}

/// The search for the messages that a call deletes, and their deletion.
final class MessageDeletion: SlicedQuery {
    private let filter: MessageFilter
    private let newest: UInt64
    private var search: MessageSearch?
    private var found: Set<PushID> = []
    private let delete: (any ControlHost, Set<PushID>) -> Response

    /// - Parameter delete: deletes the messages, and whatever else the call deletes.
    init(
        _ call: ControlAPI.Call, _ filter: MessageFilter,
        _ delete: @escaping (any ControlHost, Set<PushID>) -> Response
    ) {
        self.filter = filter
        self.delete = delete
        newest = call.host.box.engine.events.newest
    }

    func advance(_ host: any ControlHost) -> ControlAPI.Reply? {
        guard host.updateJournal(to: newest) else { return nil }
        var search = search ?? host.box.engine.search(filter)
        defer { self.search = search }
        if !search.isDone {
            let isDone = host.continueSearch(&search) { message in
                found.insert(message.record.id)
                return true
            }
            guard isDone else { return nil }
        }
        // Deleted messages no longer count for an expectation.
        guard host.evaluateExpectations() else { return nil }
        let response = delete(host, found)
        host.scheduleWork()
        return .answer(response)
    }
}
