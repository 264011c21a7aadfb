internal import HTTPCore
internal import JSON
internal import PushCore
internal import PushEngine

extension ControlAPI {
    static let trackingRoutes: [Route] = [
        Route(
            .get, "/tracking",
            "List the tracking hits that apps sent to Adobe Campaign. For each push, `expected` lists the actions that simulated apps reported, and `reported` the actions that any app reported.",
            query: [Schema.member("push", .text()), .limit, .cursor],
            answers: [(200, .named("Tracking"))],
            reply: { (call) throws(ControlProblem) in .deferred(.query(try TrackingList(call))) })
    ]
}
