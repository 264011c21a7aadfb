internal import HTTPCore
internal import JSON
internal import PushCore
internal import PushEngine

/// `GET /messages`.
final class MessageList: SlicedCall {
    private let filter: MessageFilter
    private let page: ControlPage
    private let newest: UInt64
    private var search: MessageSearch?
    private var json = JSONWriter()
    private var count = 0
    private var last: UInt64?

    /// A page with more bytes than this ends, even if it has fewer messages than wanted.
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
        return .answer(.json(json.takeBytes()))
    }
}

/// `DELETE /messages`.
final class MessageDeletion: SlicedCall {
    private let removal: MessageRemoval

    init(_ call: ControlAPI.Call, _ filter: MessageFilter) { removal = MessageRemoval(call, filter) }

    func advance(_ host: any ControlHost) -> ControlAPI.Reply? {
        guard let count = removal.advance(host) else { return nil }
        host.scheduleWork()
        return .answer(.json { $0.member("deleted", count) })
    }
}
