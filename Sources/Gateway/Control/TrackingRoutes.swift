internal import HTTPCore
internal import JSON
internal import PushCore

extension ControlAPI {
    static let trackingRoutes: [Route] = [
        Route(method: .get, path: "/tracking", summary: "What apps reported to Adobe Campaign, and of which pushes (?push=).", handle: showTracking)
    ]

    @Sendable private static func showTracking(_ call: Call) throws(ControlProblem) -> Response {
        let wanted = try wantedPush(call.request)
        let book = call.gateway.desk.tracking
        return .json { json in
            json.key("hits")
            json.array { json in
                for hit in book.hits where wanted == nil || hit.push?.description == wanted {
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
                for push in book.pushes where wanted == nil || push.push.description == wanted {
                    json.object { json in
                        json.member("push", push.push.description)
                        json.member("reported", push.reported)
                        json.member("expected", push.expected)
                        if let why = push.why { json.member("why", why) }
                    }
                }
            }
        }
    }

    private static func wantedPush(_ request: Request) throws(ControlProblem) -> String? {
        guard let query = String(decoding: request.target, as: UTF8.self).split(separator: "?", maxSplits: 1).dropFirst().first else { return nil }
        guard query.hasPrefix("push=") else {
            throw ControlProblem(status: 400, code: "badQuery", message: "'\(query.prefix(100))' is not known here: take push.")
        }
        return String(query.dropFirst("push=".count))
    }
}
