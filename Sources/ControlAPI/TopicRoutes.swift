internal import Devices
internal import HTTPCore
internal import JSON
internal import PushCore
internal import PushEngine

extension ControlAPI {
    static let topicRoutes: [Route] = [
        Route(
            .get, "/topics", "List the topics that devices are subscribed to.", query: [.limit, .cursor],
            answers: [(200, .page("topics", .named("Topic")))], handle: listTopics),
        Route(
            .put, "/topics/{name}/devices/{id}", "Subscribe a device to a topic.", answers: [(204, nil)],
            handle: subscribe),
        Route(
            .delete, "/topics/{name}/devices/{id}", "Unsubscribe a device from a topic.", answers: [(204, nil)],
            handle: unsubscribe),
    ]

    private static func listTopics(_ call: Call) throws(ControlProblem) -> Response {
        let page = try call.query.page()
        let topics = call.host.box.engine.devices.topics
        return .json { json in
            json.key("topics")
            json.array { json in
                for key in page.keys(of: topics.keys) {
                    json.object { json in
                        json.member("name", key.topic)
                        if let project = key.project { json.member("project", project) }
                        json.member("devices", topics.count(of: key))
                    }
                }
            }
            json.member("next", page.next(of: topics.keys.count))
        }
    }

    private static func subscribe(_ call: Call) throws(ControlProblem) -> Response { try set(call, true) }

    private static func unsubscribe(_ call: Call) throws(ControlProblem) -> Response { try set(call, false) }

    private static func set(_ call: Call, _ isWanted: Bool) throws(ControlProblem) -> Response {
        let (topic, slot) = (call.pathValues[0], try slot(call, call.pathValues[1]))
        if let problem = call.host.box.engine.setTopic(topic, isWanted, slot, at: call.now) {
            throw ControlProblem(status: 400, code: "badTopic", message: problem)
        }
        call.host.scheduleWork()
        return Response(status: 204)
    }
}
