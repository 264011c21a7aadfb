internal import Devices
internal import FCM
internal import HTTPCore
internal import JSON
internal import PushCore

extension ControlAPI {
    static let topicRoutes: [Route] = [
        Route(method: .get, path: "/topics", summary: "The topics that devices are subscribed to.", handle: listTopics),
        Route(method: .put, path: "/topics/{name}/devices/{id}", summary: "Subscribe a device.", handle: subscribe),
        Route(method: .delete, path: "/topics/{name}/devices/{id}", summary: "Unsubscribe a device.", handle: unsubscribe),
    ]

    @Sendable private static func listTopics(_ call: Call) throws(ControlProblem) -> Response {
        let page = try ControlPage(call.request)
        let topics = call.gateway.desk.devices.topicList
        return .json { json in
            json.key("topics")
            json.array { json in
                for topic in topics.dropFirst(page.start).prefix(page.limit) {
                    json.object { json in
                        json.member("name", topic.name)
                        if let project = topic.project { json.member("project", project) }
                        json.member("devices", topic.devices)
                    }
                }
            }
            json.member("next", page.next(of: topics.count))
        }
    }

    @Sendable private static func subscribe(_ call: Call) throws(ControlProblem) -> Response { try set(call, true) }

    @Sendable private static func unsubscribe(_ call: Call) throws(ControlProblem) -> Response { try set(call, false) }

    private static func set(_ call: Call, _ isWanted: Bool) throws(ControlProblem) -> Response {
        let (topic, device) = (PercentCode.decode(Array(call.names[0].utf8), isForm: false), call.names[1])
        guard let place = call.gateway.desk.devices.place(of: DeviceID(device)) else { throw .missing("There is no device '\(device)'.") }
        if let problem = call.gateway.desk.setTopic(topic, isWanted, place, at: call.gateway.clock.now) {
            throw ControlProblem(status: 400, code: "badTopic", message: problem)
        }
        call.gateway.workLater()
        return Response(status: 204)
    }
}
