internal import Devices
internal import HTTPCore
internal import JSON
internal import PushCore
internal import PushEngine

/// `GET /tracking`.
final class TrackingList: SlicedCall {
    private let hits: [TrackingBook.Hit]
    private let pushes: [TrackingBook.Tracked]
    /// The cursor of the next page.
    private let next: String?
    /// How many hits and pushes are written.
    private var written = 0
    private var json = JSONWriter()

    init(_ call: ControlAPI.Call) throws(ControlProblem) {
        let page = try call.query.page()
        let range = page.start..<page.start + page.limit
        let book = call.host.box.engine.tracking
        let total: Int
        if let name = call.query.text("push") {
            let push = name.hasPrefix("p") ? UInt64(name.dropFirst()).map { PushID($0) } : nil
            let found = push.flatMap { $0.description == name ? $0 : nil }
            let all = found.map { book.hits(of: $0) } ?? []
            hits = Array(page.slice(of: all))
            let tracked = found.flatMap { book.tracked($0) }.map { [$0] } ?? []
            pushes = Array(page.slice(of: tracked))
            total = max(all.count, tracked.count)
        } else {
            hits = Array(page.slice(of: book.hits))
            pushes = book.pushes(in: range)
            total = max(book.hits.count, book.pushCount)
        }
        next = page.next(of: total)
        json.beginObject()
        json.key("hits")
        json.beginArray()
    }

    func advance(_ host: any ControlHost) -> ControlAPI.Reply? {
        repeat {
            if written < hits.count {
                write(hits[written])
            } else {
                if written == hits.count {
                    json.endArray()
                    json.key("pushes")
                    json.beginArray()
                }
                guard written - hits.count < pushes.count else { return answer() }
                write(pushes[written - hits.count])
            }
            written += 1
        } while !host.isTurnOver
        return nil
    }

    private func answer() -> ControlAPI.Reply {
        json.endArray()
        json.member("next", next)
        json.endObject()
        return .answer(.json(json.takeBytes()))
    }

    private func write(_ hit: TrackingBook.Hit) {
        json.object { json in
            json.member("time", hit.time.description)
            json.member("action", hit.action)
            json.member("broadlogId", hit.broadlog)
            json.member("deliveryId", hit.delivery)
            json.member("mcId", hit.ecid)
            if let push = hit.push { json.member("push", push.description) }
            json.member("flags", hit.flags.map(\.rawValue))
        }
    }

    private func write(_ push: TrackingBook.Tracked) {
        json.object { json in
            json.member("push", push.push.description)
            json.member("reported", push.reported)
            json.member("expected", push.simulatedActions)
            if let why = push.why { json.member("why", why) }
        }
    }
}
