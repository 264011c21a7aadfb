internal import HTTPCore
internal import JSON
internal import PushCore
internal import PushEngine

extension ControlAPI {
    static let eventRoutes: [Route] = [
        Route(
            .get, "/events",
            "Stream events as they happen: as server-sent events, or with Accept: application/x-ndjson as one JSON object per line. With Accept: application/json, list the events so far, oldest first; `next` is `since` for the next page.",
            query: eventQuery,
            answers: [(200, .map(.anything))],
            contentTypes: ["text/event-stream", "application/x-ndjson", "application/json"],
            reply: streamEvents),
        Route(
            .get, "/messages/{id}/events", "List what happened to a push, on all devices, oldest first.",
            query: [.limit, .cursor],
            answers: [
                (
                    200,
                    .object([
                        Schema.member("events", .list(.named("Event")), required: true),
                        Schema.member(
                            "devices", .list(.named("DeviceReport")), required: true,
                            "What happened to the push on each device, as far as the events of this page say."), .next,
                    ])
                )
            ],
            reply: { (call) throws(ControlProblem) in .deferred(.query(try EventList(call))) }),
    ]

    private static let eventQuery: [Schema.Member] = {
        var members = [
            Schema.member(
                "since", .integer(0...1 << 53),
                "Start after the event with this number. The header Last-Event-ID can give the number too. Default: new events only."
            ),
            Schema.member("kind", .text(), "Only these kinds of event, separated by commas."), .app,
            Schema.member(
                "push", .pattern("^p[0-9]{1,20}(,p[0-9]{1,20})*$"),
                "Only events about these pushes: up to \(mostPushes) ids, separated by commas."),
            Schema.member("device", .text(), "Only events of this device."),
            Schema.member("follow", .boolean, "Keep the stream open for new events. Default: true."),
            Schema.member(
                "limit", .integer(1...longestStream),
                "Streams: end after this many events; default: no limit. JSON: events per page, at most 1000; default: 50."
            ),
        ]
        members += MessageFilter.Field.ids.map(filterMember)
        return members
    }()

    private static let longestStream = 1_000_000
    /// How many pushes the parameter `push` may name.
    private static let mostPushes = 500

    private static func streamEvents(_ call: Call) throws(ControlProblem) -> Reply {
        let query = call.query
        var kinds: Set<Event.Kind> = []
        for word in (query.text("kind") ?? "").split(separator: ",") {
            guard let kind = Event.Kind(rawValue: String(word)) else {
                throw QueryReader.bad(
                    "'\(word.prefix(100))' is not an event kind. Use one of \(Event.Kind.allCases.map(\.rawValue).joined(separator: ", "))."
                )
            }
            kinds.insert(kind)
        }
        let headers = call.request.headers
        let last = headers.first(.lastEventID).flatMap { UInt64(String(decoding: $0, as: UTF8.self)) }
        let since = try query.number("since", 0...1 << 53).map(UInt64.init) ?? last
        let follows = try query.flag("follow") ?? true
        let limit = try query.number("limit", 1...longestStream)
        let newest = call.host.box.engine.events.newest
        let filter = EventStream.Filter(
            kinds: kinds, app: query.text("app"), pushIDs: try pushes(query),
            device: query.text("device").map { DeviceID($0) },
            messageFilter: try MessageFilter(query, MessageFilter.Field.ids))
        let accepted = headers.first(.accept).map { String(decoding: $0, as: UTF8.self) } ?? ""
        if accepted.includes("application/json"), !accepted.includes("text/event-stream") {
            return .deferred(.query(try EventList(call, filter, after: since ?? 0)))
        }
        guard call.host.eventStreams.count < call.host.eventStreams.capacity else {
            throw ControlProblem(
                status: 409, code: "tooMany",
                message: "There are already \(call.host.eventStreams.capacity) open event streams, which is the limit.")
        }
        return .deferred(
            .events(
                EventStream(
                    format: accepted.includes("ndjson") ? .lines : .serverSent, filter,
                    end: EventStream.End(follows: follows, remaining: limit ?? .max),
                    position: min(since ?? (follows ? newest : 0), newest))))
    }
}

extension ControlAPI {
    /// The pushes that the parameter `push` names.
    private static func pushes(_ query: QueryReader) throws(ControlProblem) -> Set<PushID> {
        guard let text = query.text("push") else { return [] }
        let ids = text.split(separator: ",", omittingEmptySubsequences: false)
        guard ids.count <= mostPushes else {
            throw QueryReader.bad("'push' has \(ids.count) ids. It may have at most \(mostPushes).")
        }
        var pushes: Set<PushID> = []
        for id in ids {
            guard let push = PushID(parsing: String(id)) else {
                throw QueryReader.bad(
                    "'push' must be ids of messages, such as p1 or p1,p2; it has \(String(id).quoted).")
            }
            pushes.insert(push)
        }
        return pushes
    }
}

extension HeaderName {
    static let accept = HeaderName("accept")
}
