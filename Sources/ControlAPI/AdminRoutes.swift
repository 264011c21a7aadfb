internal import PushEngine
internal import Devices
internal import HTTPCore
internal import JSON
internal import PushCore

/// What the gateway is and has, and how it is emptied.
extension ControlAPI {
    static let adminRoutes: [Route] = [
        Route(
            .get, "/rules", "Everything that may be said of a push.", query: [.limit, .cursor],
            answers: [(200, .page("rules", .named("Rule")))], handle: listRules),
        Route(.get, "/stats", "What was counted.", answers: [(200, .named("Stats"))], handle: showStats),
        Route(
            .post, "/reset",
            "Forget the messages, faults, media and tracking, and the devices that nobody watches; with app those of one app.",
            body: .object([Schema.exact(Schema.member("app", .text()))]),
            answers: [
                (
                    200,
                    .object([
                        Schema.member("messages", .integer(0...Int.max), needed: true),
                        Schema.member("devices", .integer(0...Int.max), needed: true),
                    ])
                )
            ],
            handle: reset
        ).withOptionalBody,
    ]

    private static func listRules(_ call: Call) throws(ControlProblem) -> Response {
        let page = try call.query.page()
        return .json { json in
            json.key("rules")
            json.array { json in
                for rule in call.host.rules.dropFirst(page.start).prefix(page.limit) { json.value(rule) }
            }
            json.member("next", page.next(of: call.host.rules.count))
        }
    }

    private static func showStats(_ call: Call) throws(ControlProblem) -> Response {
        let host = call.host
        host.engine.followLog()
        return .json { json in
            json.member("accepted", host.engine.metrics.accepted)
            json.member("refused", host.engine.metrics.refused)
            json.member("malformed", host.engine.metrics.malformed)
            json.member("messages", host.engine.journal.rows.count { host.engine.events.event($0.seq) != nil })
            json.member("events", host.engine.events.newest)
            json.member("devices", host.engine.devices.count)
            json.member("faults", host.engine.faults.faults.count)
            json.member("connections", host.facts.connections)
            json.member("waiting", host.engine.expectations.count)
            json.member("readers", host.eventStreams.count)
        }
    }

    private static func reset(_ call: Call) throws(ControlProblem) -> Response {
        let app = try optionalApp(call)
        call.host.judgeExpectations()
        let (messages, devices) = try call.host.engine.reset(app, at: call.now)
        call.host.workLater()
        return .json { json in
            json.member("messages", messages)
            json.member("devices", devices)
        }
    }
}
