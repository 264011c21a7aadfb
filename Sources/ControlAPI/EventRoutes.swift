internal import PushEngine
internal import HTTPCore
internal import JSON
internal import PushCore

extension ControlAPI {
    static let eventRoutes: [Route] = [
        Route(
            .get, "/events", "Everything that happens, as it happens: server-sent events, or an object a line.",
            query: [
                Schema.member(
                    "since", .integer(0...1 << 53),
                    "The events after that number; without it only new ones. Last-Event-ID does the same."),
                Schema.member("kind", .text(), "Of these kinds alone, with commas between them."), .app,
                Schema.member("follow", .boolean, "false: end with what is there."),
            ],
            answers: [(200, .map(.anything))], contentTypes: ["text/event-stream", "application/x-ndjson"],
            reply: streamEvents)
    ]

    private static func streamEvents(_ call: Call) throws(ControlProblem) -> Reply {
        let query = call.query
        var kinds: Set<Event.Kind> = []
        for word in (query.text("kind") ?? "").split(separator: ",") {
            guard let kind = Event.Kind(rawValue: String(word)) else {
                throw QueryReader.bad(
                    "'\(word.prefix(100))' is no kind of event: take some of \(Event.Kind.allCases.map(\.rawValue).joined(separator: ", "))."
                )
            }
            kinds.insert(kind)
        }
        let headers = call.request.headers
        let last = headers.first(.lastEventID).flatMap { UInt64(String(decoding: $0, as: UTF8.self)) }
        let since = try query.number("since", 0...1 << 53).map(UInt64.init) ?? last
        let follows = try query.flag("follow") ?? true
        let newest = call.host.engine.events.newest
        let accepted = headers.first(.accept).map { String(decoding: $0, as: UTF8.self) } ?? ""
        guard call.host.eventStreams.count < call.host.eventStreams.capacity else {
            throw ControlProblem(status: 409, code: "tooMany", message: "As many read the events as may.")
        }
        return .deferred(
            .events(
                EventStream(
                    format: accepted.contains("ndjson") ? .lines : .serverSent, kinds: kinds, app: query.text("app"),
                    follows: follows,
                    position: min(since ?? (follows ? newest : 0), newest))))
    }
}

extension HeaderName {
    static let accept = HeaderName("accept")
}
