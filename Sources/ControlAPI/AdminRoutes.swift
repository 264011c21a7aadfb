internal import Devices
internal import Faults
internal import HTTPCore
internal import JSON
internal import PushCore
internal import PushEngine

/// Rules, statistics and reset.
extension ControlAPI {
    static let adminRoutes: [Route] = [
        Route(
            .get, "/rules", "List every rule: what it checks and how to fix a push that breaks it.",
            query: [.limit, .cursor],
            answers: [(200, .page("rules", .named("Rule")))], handle: listRules),
        Route(.get, "/stats", "Show counters.", answers: [(200, .named("Stats"))], reply: Route.withJournal(showStats)),
        Route(
            .post, "/reset",
            "Delete messages, faults, media, tracking and all devices without an open socket. With app: only the messages, faults and devices of one app, and the tracking of those messages. With keepMessages, the messages stay.",
            body: .object([
                Schema.notNull(Schema.member("app", .text())), Schema.member("keepMessages", .boolean),
            ]),
            answers: [
                (
                    200,
                    .object([
                        Schema.member("messages", .integer(0...Int.max), required: true),
                        Schema.member("devices", .integer(0...Int.max), required: true),
                    ])
                )
            ],
            reply: reset
        ).withOptionalBody,
    ]

    private static func listRules(_ call: Call) throws(ControlProblem) -> Response {
        let page = try call.query.page()
        return .json { json in
            json.key("rules")
            json.array { json in
                for rule in page.slice(of: call.host.rules) { json.value(rule) }
            }
            json.member("next", page.next(of: call.host.rules.count))
        }
    }

    private static func showStats(_ call: Call) throws(ControlProblem) -> Response {
        let host = call.host
        return .json { json in
            json.member("accepted", host.box.engine.metrics.accepted)
            json.member("refused", host.box.engine.metrics.refused)
            json.member("deleted", host.box.engine.metrics.deleted)
            json.member("malformed", host.box.engine.metrics.malformed)
            json.member("messages", host.box.engine.messageCount)
            json.member("events", host.box.engine.events.newest)
            json.member("devices", host.box.engine.devices.count)
            json.member("faults", host.box.engine.faults.faults.count)
            json.member("connections", host.facts.connections)
            json.member("waiting", host.box.engine.expectations.count)
            json.member("readers", host.eventStreams.count)
            let events = host.box.engine.events
            json.member("forgotten", max(events.forgottenUpTo(in: .main), events.forgottenUpTo(in: .refused)))
            json.member("run", host.facts.run)
        }
    }

    private static func reset(_ call: Call) throws(ControlProblem) -> Reply {
        if call.request.body.isEmpty { return .deferred(.query(try Reset(call, app: nil, keepsMessages: false))) }
        var fields = try FieldReader(try call.body(), at: "")
        let app = try narrowing("app", orAll: "apps", &fields)
        let keepsMessages = try fields.bool("keepMessages") ?? false
        try fields.end()
        return .deferred(.query(try Reset(call, app: app, keepsMessages: keepsMessages)))
    }
}
