internal import Persistence
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
                for rule in RuleBook.all.dropFirst(page.start).prefix(page.limit) { json.value(rule) }
            }
            json.member("next", page.next(of: RuleBook.all.count))
        }
    }

    private static func showStats(_ call: Call) throws(ControlProblem) -> Response {
        let gateway = call.gateway
        gateway.engine.followLog()
        return .json { json in
            json.member("accepted", gateway.engine.metrics.accepted)
            json.member("refused", gateway.engine.metrics.refused)
            json.member("malformed", gateway.engine.metrics.malformed)
            json.member("messages", gateway.engine.journal.rows.count { gateway.engine.events.event($0.seq) != nil })
            json.member("events", gateway.engine.events.newest)
            json.member("devices", gateway.engine.devices.count)
            json.member("faults", gateway.engine.faults.faults.count)
            json.member("connections", gateway.connections.count)
            json.member("waiting", gateway.expectations.count)
            json.member("readers", gateway.streams.count)
        }
    }

    private static func reset(_ call: Call) throws(ControlProblem) -> Response {
        let app = try optionalApp(call)
        let (messages, devices) = try call.gateway.reset(app)
        return .json { json in
            json.member("messages", messages)
            json.member("devices", devices)
        }
    }
}

extension Gateway {
    /// Nobody counts them any more, and nothing of them is kept. Returns how many there were.
    func deleteMessages(_ filter: MessageFilter) -> Int {
        judgeExpectations()
        let gone = engine.deleteMessages(filter)
        expectations.forget(gone)
        if !gone.isEmpty { persister?.replaceEvents() }
        return gone.count
    }

    /// Back to the beginning, for all or for one app; devices that somebody watches stay, and show nothing any more.
    func reset(_ app: String?) throws(ControlProblem) -> (messages: Int, devices: Int) {
        var filter = MessageFilter()
        if let app { try filter.add(.app, app) }
        let messages = deleteMessages(filter)
        var devices = 0
        for place in engine.devices.places where engine.devices.isTaken(place) {
            if let app, engine.devices.app(at: place) != app, engine.devices[place].project != app { continue }
            if engine.watches[place].viewers.isEmpty {
                deleteDevice(place)
                devices += 1
            } else {
                engine.wipe(place, at: clock.now)
            }
        }
        engine.faults.removeAll { app == nil || $0.match.app == app }
        // URLs are nobody's own; a push that is gone takes its tracking along.
        if app == nil { engine.media = [:] }
        engine.forgetTrackingOfGone(everything: app == nil)
        persister?.forgetTracking()
        workLater()
        return (messages, devices)
    }
}
