internal import HTTPCore
internal import JSON
internal import PushCore
internal import PushEngine

extension ControlAPI {
    static let trackingRoutes: [Route] = [
        Route(
            .get, "/tracking",
            "List the tracking hits that apps sent to Adobe Campaign. For each push: which actions the simulated apps should have reported (expected), and which actions were reported (reported).",
            query: [Schema.member("push", .text()), .limit, .cursor],
            answers: [(200, .named("Tracking"))], handle: showTracking)
    ]

    private static func showTracking(_ call: Call) throws(ControlProblem) -> Response {
        let wanted = call.query.text("push")
        let page = try call.query.page()
        let book = call.host.box.engine.tracking
        let hits = book.hits.filter { wanted == nil || $0.push?.description == wanted }
        let pushes = book.pushes.filter { wanted == nil || $0.push.description == wanted }
        return .json { json in
            json.key("hits")
            json.array { json in
                for hit in page.slice(of: hits) {
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
            }
            json.key("pushes")
            json.array { json in
                for push in page.slice(of: pushes) {
                    json.object { json in
                        json.member("push", push.push.description)
                        json.member("reported", push.reported)
                        json.member("expected", push.simulatedActions)
                        if let why = push.why { json.member("why", why) }
                    }
                }
            }
            json.member("next", page.next(of: max(hits.count, pushes.count)))
        }
    }
}
